// IDX files: what is read from good ones, and the sentence for every bad one.
#include <gossip/data/digits.hpp>
#include <gossip/data/idx.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "../catch.hpp"
#include "temporary_folder.hpp"

using gossip::dataset;
using gossip::read_idx;
using gossip::test::byte_list;
using gossip::test::gzipped;
using gossip::test::temporary_folder;

namespace {

// Two images of 2 rows and 3 columns, and their labels.
byte_list const two_images{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2,  0,  0,
                           0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255};
byte_list const two_labels{0, 0, 8, 1, 0, 0, 0, 2, 7, 9};

byte_list changed(byte_list bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}

byte_list cut(byte_list bytes, std::size_t size) {
  bytes.resize(size);
  return bytes;
}

byte_list joined(byte_list first, byte_list const &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// The message of read_idx about these two files, without their folder.
std::string complaint(byte_list const &images, byte_list const &labels) {
  temporary_folder const folder;
  auto const images_path = folder.write("images", images);
  auto const labels_path = folder.write("labels", labels);
  try {
    read_idx(images_path, labels_path);
  } catch (gossip::input_error const &e) {
    std::string text = e.what();
    for (std::string const &path : {images_path, labels_path})
      for (auto at = text.find(path); at != std::string::npos; at = text.find(path))
        text.replace(at, path.size(), path == images_path ? "images" : "labels");
    return text;
  }
  return "nothing";
}

double mean_byte(dataset const &data) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < data.size(); ++i)
    for (std::uint8_t const byte : data.bytes()[i]) sum += byte;
  return static_cast<double>(sum) / static_cast<double>(data.size() * data.shape().size());
}

/// The folder that comes with the repository.
std::string digits_folder() {
  return GOSSIP_SOURCE_FOLDER "/samples/data/digits";
}

std::array<int, 10> histogram(dataset const &data) {
  std::array<int, 10> count{};
  for (auto const label : data.labels()) ++count[label];
  return count;
}

}  // namespace

TEST_CASE("a small IDX pair reads the same plain, gzipped and in two gzip members", "[data]") {
  auto const halves =
      joined(gzipped(cut(two_images, 11)), gzipped({two_images.begin() + 11, two_images.end()}));
  for (byte_list const &images : {two_images, gzipped(two_images), halves})
    for (byte_list const &labels : {two_labels, gzipped(two_labels)}) {
      temporary_folder const folder;
      dataset const data = read_idx(folder.write("i", images), folder.write("l", labels));
      CHECK(data.size() == 2);
      CHECK(data.shape() == gossip::sample_shape{1, 2, 3});
      CHECK(data.classes() == 10);
      CHECK(data.labels()[1] == 9);
      CHECK(data.bytes()[0][3] == 4);  // row 1, column 0 of image 0
      std::vector<float> sample(6);
      data.copy_sample(1, sample);
      CHECK(sample[5] == 1.0F);
    }
}

TEST_CASE("the images of a plain file are looked at where they are, gzipped ones are copied",
          "[data]") {
  temporary_folder const folder;
  auto const plain = folder.write("p", two_images), labels = folder.write("l", two_labels);
  dataset const mapped = read_idx(plain, labels);
  dataset const copied = read_idx(folder.write("g", gzipped(two_images)), labels);
  std::fstream(plain, std::ios::in | std::ios::out | std::ios::binary).seekp(16).put('\xc8');
  CHECK(mapped.bytes()[0][0] == 200);
  CHECK(copied.bytes()[0][0] == 1);
}

TEST_CASE("bad IDX headers are refused with file, byte, expected and found", "[data]") {
  CHECK(complaint({}, two_labels) ==
        "images: byte 0: expected 0x00000803 (images of unsigned bytes), got the end of the file");
  CHECK(complaint(two_labels, two_images) ==
        "images: byte 0: expected 0x00000803 (images of unsigned bytes), got 0x00000801");
  CHECK(complaint(two_images, two_images) ==
        "labels: byte 0: expected 0x00000801 (labels of unsigned bytes), got 0x00000803");
  CHECK(complaint(cut(two_images, 10), two_labels) ==
        "images: byte 10: expected the number of rows, got the end of the file");
  CHECK(complaint(changed(two_images, 7, 0), two_labels) ==
        "images: byte 4: expected at least one of images, got 0");
  CHECK(complaint(changed(two_images, 15, 0), two_labels) ==
        "images: byte 12: expected at least one of columns, got 0");
  CHECK(complaint(changed(two_images, 7, 3), two_labels) ==
        "labels: byte 4: expected 3 labels, one for each image of images, got 2");
}

TEST_CASE("IDX files with too little or too much in them are refused", "[data]") {
  CHECK(complaint(cut(two_images, 27), two_labels) ==
        "images: byte 27: expected 2 items of 6 bytes, got the end of the file");
  CHECK(complaint(joined(two_images, {0}), two_labels) ==
        "images: byte 28: expected the end of the file, got more bytes");
  CHECK(complaint(two_images, cut(two_labels, 9)) ==
        "labels: byte 9: expected 2 items of 1 byte, got the end of the file");
  CHECK(complaint(two_images, joined(two_labels, {1})) ==
        "labels: byte 10: expected the end of the file, got more bytes");
  CHECK(complaint(two_images, changed(two_labels, 9, 10)) ==
        "labels: byte 9: expected a label below 10, got 10");
}

TEST_CASE("damaged gzip data is refused", "[data]") {
  byte_list const packed = gzipped(two_images);
  CHECK(complaint(cut(packed, packed.size() - 1), two_labels) ==
        "images: byte 28: expected more gzip data, got the end of the file");
  CHECK(complaint(changed(packed, packed.size() - 5, packed[packed.size() - 5] ^ 1U), two_labels) ==
        "images: byte 28: expected intact gzip data, got incorrect data check");
  CHECK(complaint(joined(packed, {1, 2, 3}), two_labels) ==
        "images: byte 28: expected intact gzip data, got incorrect header check");
  CHECK(complaint(cut(packed, 2), two_labels) ==
        "images: byte 0: expected more gzip data, got the end of the file");
  CHECK(complaint(gzipped({}), two_labels) ==
        "images: byte 0: expected 0x00000803 (images of unsigned bytes), got the end of the file");
}

TEST_CASE("any single damaged byte of a gzipped file is refused or harmless", "[data]") {
  byte_list const packed = gzipped(two_images);
  temporary_folder const folder;
  auto const labels = folder.write("l", two_labels);
  for (std::size_t at = 0; at < packed.size(); ++at)
    for (unsigned const flip : {1U, 16U, 128U}) {
      auto const damaged = static_cast<std::uint8_t>(packed[at] ^ flip);
      auto const images = folder.write("i", changed(packed, at, damaged));
      try {
        dataset const data = read_idx(images, labels);
        for (std::size_t k = 0; k < 12; ++k)
          CHECK(data.bytes()[k / 6][k % 6] == two_images[16 + k]);
      } catch (gossip::input_error const &) {
        SUCCEED("refused");
      }
    }
}

TEST_CASE("a header that promises 2^96 bytes is refused before memory is taken", "[data]") {
  byte_list hostile = two_images;
  for (std::size_t at = 4; at < 16; ++at) hostile[at] = 0xff;
  byte_list labels = two_labels;
  for (std::size_t at = 4; at < 8; ++at) labels[at] = 0xff;
  CHECK(complaint(hostile, labels) ==
        "labels: byte 8: expected 4294967295 items of 1 byte, got a file too short for them");
  CHECK(complaint(gzipped(hostile), gzipped(labels)) ==
        "labels: byte 8: expected 4294967295 items of 1 byte, got a file too short for them");
  byte_list wide = two_images;
  for (std::size_t at = 8; at < 16; ++at) wide[at] = 0xff;
  CHECK(complaint(wide, two_labels) ==
        "images: byte 16: expected 2 items of 18446744065119617025 bytes, got a file too short "
        "for them");
  CHECK(complaint(changed(two_images, 10, 1), two_labels) ==
        "images: byte 16: expected 2 items of 774 bytes, got a file too short for them");
  byte_list const few =
      gzipped(changed(two_images, 10, 1));  // 774 = 258 * 3 a file could unpack to
  CHECK(complaint(few, two_labels) ==
        "images: byte 28: expected 2 items of 774 bytes, got the end of the file");
}

TEST_CASE("what is not a file is refused by name", "[data]") {
  temporary_folder const folder;
  auto const labels = folder.write("l", two_labels);
  CHECK_THROWS_WITH(read_idx(folder.path("none"), labels),
                    folder.path("none") + ": expected a file, got no file of this name");
  CHECK_THROWS_WITH(read_idx(folder.path(), labels),
                    folder.path() + ": expected a file, got a folder");
  CHECK_THROWS_WITH(
      read_idx("/dev/zero", labels),
      "/dev/zero: byte 0: expected 0x00000803 (images of unsigned bytes), got 0x00000000");
  // A regular file that cannot be read: there is nothing at address 0.
  if (std::filesystem::exists("/proc/self/mem"))
    CHECK_THROWS_WITH(read_idx("/proc/self/mem", "/proc/self/mem"),
                      gossip::test::contains("/proc/self/mem: expected a readable file"));
  CHECK_THROWS_WITH(gossip::mnist(folder.path("none")),
                    folder.path("none") + ": expected a folder of IDX files, got none");
  CHECK_THROWS_WITH(gossip::mnist(folder.path()),
                    folder.path() +
                        ": expected train-images-idx3-ubyte or train-images.idx3-ubyte, plain or "
                        ".gz, got neither");
}

TEST_CASE("an MNIST folder may use either spelling, gzipped or not", "[data]") {
  temporary_folder const folder;
  folder.write("train-images.idx3-ubyte", two_images);
  folder.write("train-labels-idx1-ubyte.gz", gzipped(two_labels));
  folder.write("t10k-images.idx3-ubyte.gz", gzipped(two_images));
  folder.write("t10k-labels-idx1-ubyte", two_labels);
  auto const [train, test] = gossip::mnist(folder.path());
  CHECK(train.size() == 2);
  CHECK(test.size() == 2);
  std::vector<float> sample(6);
  train.copy_sample(1, sample);
  CHECK(sample[5] == Approx((1.0 - 0.1307) / 0.3081).epsilon(1e-6));
}

TEST_CASE("MNIST has its published counts, pixel mean and label histogram", "[data]") {
  auto const path = gossip::test::data("mnist");
  if (!path) return;
  auto const [train, test] = gossip::mnist(path->string());
  CHECK(train.size() == 60'000);
  CHECK(test.size() == 10'000);
  CHECK(train.shape() == gossip::sample_shape{1, 28, 28});
  CHECK(mean_byte(train) == Approx(33.318421).margin(5e-7));
  CHECK(histogram(train) ==
        std::array<int, 10>{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949});
  CHECK(histogram(test) ==
        std::array<int, 10>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
  CHECK(train.labels()[0] == 5);
  CHECK(test.labels()[0] == 7);
}

TEST_CASE("the digits are 8000 and 2000 different images, drawn from all of the set", "[data]") {
  auto const folder = digits_folder();
  auto const [train, test] = gossip::digits(folder);
  CHECK(train.size() == 8000);
  CHECK(test.size() == 2000);
  CHECK(train.name() == "digits train");
  CHECK(test.shape() == gossip::sample_shape{1, 28, 28});
  std::set<std::string> images;
  for (auto const *part : {&train, &test})
    for (std::size_t i = 0; i < part->size(); ++i) {
      auto const image = part->bytes()[i];
      images.emplace(image.begin(), image.end());
    }
  CHECK(images.size() == 10'000);
  std::array<int, 10> const all{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009};
  auto const first = histogram(train), second = histogram(test);
  for (std::size_t c = 0; c < 10; ++c) {
    CHECK(first[c] + second[c] == all[c]);
    CHECK(second[c] == Approx(0.2 * all[c]).epsilon(0.25));
  }
}

TEST_CASE("the split of the digits is fixed for ever", "[data]") {
  auto const [train, test] = gossip::digits(digits_folder());
  std::vector<std::uint16_t> const first(train.labels().begin(), train.labels().begin() + 10);
  CHECK(first == std::vector<std::uint16_t>{2, 8, 5, 1, 0, 7, 4, 2, 7, 8});
  std::vector<std::uint16_t> const last(test.labels().end() - 5, test.labels().end());
  CHECK(last == std::vector<std::uint16_t>{3, 4, 0, 7, 0});
}
