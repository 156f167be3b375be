// CIFAR-10 files: what is read from good ones, the sentence for every bad one, and that plain files
// are shared rather than copied.
#include <gossip/data/channel_statistics.hpp>
#include <gossip/data/cifar10.hpp>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "features.hpp"
#include "temporary_folder.hpp"

using gossip::cifar10;
using gossip::cifar10_batches;
using gossip::dataset;
using gossip::test::byte_list;
using gossip::test::features_of;
using gossip::test::gzipped;
using gossip::test::temporary_folder;

namespace {

constexpr std::size_t record = 3073;

// Records of which record i has the label i mod 10 and the bytes first + i + place mod 100.
byte_list batch(std::size_t records, std::size_t first = 0) {
  byte_list bytes;
  for (std::size_t i = 0; i < records; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i % 10));
    for (std::size_t f = 0; f < record - 1; ++f)
      bytes.push_back(static_cast<std::uint8_t>(first + i + f % 100));
  }
  return bytes;
}

byte_list cut(byte_list bytes, std::size_t size) {
  bytes.resize(size);
  return bytes;
}

byte_list changed(byte_list bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}

// The message of cifar10_batches about a file, without its folder.
std::string complaint(byte_list const &bytes) {
  temporary_folder const folder;
  auto const path = folder.write("batch", bytes);
  try {
    cifar10_batches({path});
  } catch (gossip::input_error const &e) {
    std::string text = e.what();
    auto const at = text.find(path);
    return at == std::string::npos ? text : text.replace(at, path.size(), "batch");
  }
  return "nothing";
}

// Bytes of this process that it shares with no file.
std::size_t anonymous_bytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Anonymous:")) return std::stoul(line.substr(10)) * 1024;
  return 0;
}

std::uint64_t sum_of(dataset const &data) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < data.size(); ++i)
    for (std::uint8_t const byte : data.bytes()[i]) sum += byte;
  return sum;
}

std::array<int, 10> histogram(dataset const &data) {
  std::array<int, 10> count{};
  for (auto const label : data.labels()) ++count[label];
  return count;
}

}  // namespace

TEST_CASE("CIFAR-10 batches read the same plain, gzipped and mixed, in the order given", "[data]") {
  temporary_folder const folder;
  auto const plain_2 = folder.write("p2", batch(2)),
             packed_2 = folder.write("g2", gzipped(batch(2)));
  auto const plain_3 = folder.write("p3", batch(3, 50)),
             packed_3 = folder.write("g3", gzipped(batch(3, 50)));
  dataset const expected = cifar10_batches({plain_2, plain_3});
  CHECK(expected.size() == 5);
  CHECK(expected.shape() == gossip::sample_shape{3, 32, 32});
  CHECK(expected.classes() == 10);
  CHECK(expected.bytes()[0][101] == 1);
  CHECK(expected.bytes()[4][0] == 52);
  CHECK(expected.labels()[4] == 2);
  for (auto const &paths : {std::vector{packed_2, packed_3}, std::vector{plain_2, packed_3},
                            std::vector{packed_2, plain_3}}) {
    dataset const data = cifar10_batches(paths);
    REQUIRE(data.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(data.labels()[i] == expected.labels()[i]);
      CHECK(features_of(data, i) == features_of(expected, i));
    }
  }
  CHECK(cifar10_batches({plain_3, plain_2}).bytes()[0][0] == 50);
}

TEST_CASE("each colour is normalised by its own mean and deviation", "[data]") {
  temporary_folder const folder;
  auto const sample = features_of(cifar10_batches({folder.write("p", batch(1))}), 0);
  CHECK(sample[99] == Approx((99 / 255.0 - 0.4914) / 0.2470).epsilon(1e-5));
  CHECK(sample[1024] == Approx((24 / 255.0 - 0.4822) / 0.2435).epsilon(1e-5));
  CHECK(sample[2048] == Approx((48 / 255.0 - 0.4465) / 0.2616).epsilon(1e-5));
  CHECK(features_of(cifar10_batches({folder.path("p")}, {gossip::byte_scale{}}), 0)[99] ==
        Approx(99 / 255.0));
}

TEST_CASE("bad CIFAR-10 files are refused with file, record, byte, expected and found", "[data]") {
  using pack = byte_list (*)(byte_list const &);
  for (pack const packed : {pack([](byte_list const &b) { return b; }), pack(&gzipped)}) {
    CHECK(complaint(packed({})) ==
          "batch: record 0, byte 0: expected records of 3073 bytes, got the end of the file");
    CHECK(complaint(packed(cut(batch(1), 3072))) ==
          "batch: record 0, byte 3072: expected records of 3073 bytes, got the end of the file");
    CHECK(complaint(packed(cut(batch(3), 2 * record + 1))) ==
          "batch: record 2, byte 6147: expected records of 3073 bytes, got the end of the file");
    CHECK(complaint(packed(changed(batch(3), record, 10))) ==
          "batch: record 1, byte 3073: expected a label from 0 to 9, got 10");
    CHECK(complaint(packed(changed(batch(3), 2 * record, 255))) ==
          "batch: record 2, byte 6146: expected a label from 0 to 9, got 255");
  }
  byte_list const packed = gzipped(batch(2));
  CHECK(complaint(cut(packed, packed.size() - 1)) ==
        "batch: byte 6146: expected more gzip data, got the end of the file");
  CHECK(complaint(changed(packed, packed.size() - 5, packed[packed.size() - 5] ^ 1U)) ==
        "batch: byte 6146: expected intact gzip data, got incorrect data check");
  byte_list garbage = packed;
  garbage.insert(garbage.end(), {1, 2, 3});
  CHECK(complaint(garbage) ==
        "batch: byte 6146: expected intact gzip data, got incorrect header check");
  CHECK(complaint(cut(packed, 2)) ==
        "batch: byte 0: expected more gzip data, got the end of the file");
}

TEST_CASE("any single damaged byte of a gzipped batch is refused or harmless", "[data]") {
  byte_list const good = batch(1), packed = gzipped(good);
  temporary_folder const folder;
  for (std::size_t at = 0; at < packed.size(); at += 1 + at / 64) {
    auto const path = folder.write("b", changed(packed, at, packed[at] ^ 16U));
    try {
      dataset const data = cifar10_batches({path});
      auto const image = data.bytes()[0];
      CHECK(std::equal(image.begin(), image.end(), good.begin() + 1));
    } catch (gossip::input_error const &) {
      SUCCEED("refused");
    }
  }
}

TEST_CASE("a gzipped file that unpacks to too many records is refused", "[data]") {
  byte_list member = gzipped(byte_list(1000 * record, 0));  // a thousand records of zeros
  byte_list bomb;
  for (int i = 0; i < 101; ++i) bomb.insert(bomb.end(), member.begin(), member.end());
  CHECK(gossip::detail::most_cifar10_records == 100'000);
  CHECK(complaint(bomb) ==
        "batch: expected at most 100000 records in a gzipped file (a plain one may hold more), got "
        "more");
}

TEST_CASE("a CIFAR-10 folder is read in the order of its numbers", "[data]") {
  temporary_folder const folder;
  folder.write("data_batch_10.bin", batch(1, 10));
  folder.write("data_batch_2.bin.gz", gzipped(batch(1, 2)));
  folder.write("data_batch_1.bin", batch(1, 1));
  folder.write("data_batch_1.bin.gz", {1, 2, 3});  // there is a plain one
  folder.write("batches.meta.txt", {65});
  folder.write("test_batch_first1000.bin.gz", gzipped(batch(2, 100)));
  auto const [train, test] = cifar10(folder.path());
  REQUIRE(train.size() == 3);
  CHECK(train.name() == "cifar10 train");
  CHECK(test.name() == "cifar10 test");
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(train.bytes()[i][0] == std::array<std::uint8_t, 3>{1, 2, 10}[i]);
  CHECK(test.size() == 2);
  folder.write("test_batch.bin", batch(4, 200));  // all of them, so the part is left out
  CHECK(cifar10(folder.path()).second.size() == 4);
}

TEST_CASE("what is no CIFAR-10 folder or file is refused by name", "[data]") {
  temporary_folder const folder;
  CHECK_THROWS_WITH(cifar10(folder.path("none")),
                    folder.path("none") + ": expected a folder of CIFAR-10 batches, got none");
  CHECK_THROWS_WITH(cifar10(folder.path()),
                    folder.path() + ": expected files data_batch_*.bin, plain or .gz, got none");
  folder.write("data_batch_1.bin", batch(1));
  CHECK_THROWS_WITH(cifar10(folder.path()),
                    folder.path() + ": expected files test_batch*.bin, plain or .gz, got none");
  CHECK_THROWS_WITH(cifar10_batches({folder.path("none")}),
                    folder.path("none") + ": expected a file, got no file of this name");
  CHECK_THROWS_WITH(cifar10_batches({}), "cifar10_batches: expected at least one file, got none");
}

TEST_CASE("plain batches are shared with the file, gzipped ones are copied", "[data]") {
  temporary_folder const folder;
  constexpr std::size_t records = 4000, size = records * record;  // 12 MB
  byte_list bytes = batch(records);
  auto const plain = folder.write("p", bytes), packed = folder.write("g", gzipped(bytes));
  bytes = {};
  std::size_t const before = anonymous_bytes();
  if (before == 0) return gossip::test::skipped("this system has no /proc/self/smaps_rollup");
  dataset const mapped = cifar10_batches({plain}), again = cifar10_batches({plain});
  std::uint64_t const sum = sum_of(mapped);
  CHECK(sum_of(again) == sum);
  CHECK(anonymous_bytes() < before + size / 4);  // labels take 2 bytes a record
  dataset const copied = cifar10_batches({packed});
  CHECK(sum_of(copied) == sum);
  CHECK(anonymous_bytes() > before + size / 2);
  std::fstream(plain, std::ios::in | std::ios::out | std::ios::binary).seekp(1).put('\xff');
  CHECK(mapped.bytes()[0][0] == 255);  // the sets look at the file itself
  CHECK(again.bytes()[0][0] == 255);
}

TEST_CASE("CIFAR-10 has its known counts, labels, mean and deviation", "[data]") {
  auto const path = gossip::test::data("cifar-10");
  if (!path) return;
  auto const [train, test] = cifar10(path->string());
  REQUIRE(train.size() == 50'000);
  CHECK(histogram(train) == std::array<int, 10>{5000, 5000, 5000, 5000, 5000,  //
                                                5000, 5000, 5000, 5000, 5000});
  // Counted with Python from data_batch_1.
  CHECK(histogram(train.first(10'000)) ==
        std::array<int, 10>{1005, 974, 1032, 1016, 999, 937, 1030, 1001, 1025, 981});
  CHECK(train.labels()[0] == 6);
  CHECK(train.labels()[9] == 3);
  CHECK(sum_of(train.first(1)) == 317'790);
  CHECK(train.bytes()[0][1024] == 62);
  auto const moments = gossip::channel_statistics(train.scaled({gossip::byte_scale{}}));
  std::array<double, 3> const mean{0.49139968, 0.48215841, 0.44653091},
      deviation{0.24703223, 0.24348513, 0.26158784};
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(moments[c].mean == Approx(mean[c]).epsilon(1e-7));
    CHECK(moments[c].deviation == Approx(deviation[c]).epsilon(1e-6));
    CHECK(gossip::channel_statistics(train)[c].mean == Approx(0.0).margin(2e-4));
    CHECK(gossip::channel_statistics(train)[c].deviation == Approx(1.0).epsilon(2e-4));
  }
  if (test.size() == 1000)  // the first of the test batch
    CHECK(histogram(test) == std::array<int, 10>{103, 89, 100, 103, 90, 86, 112, 102, 106, 109});
  CHECK(test.labels()[0] == 3);
}
