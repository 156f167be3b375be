// Arrays of NumPy: files that NumPy wrote, byte by byte, and what is refused.
#include <gossip/data/numpy.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "../catch.hpp"
#include "features.hpp"
#include "temporary_folder.hpp"

using gossip::channel_order;
using gossip::numpy_sets;
using gossip::test::temporary_folder;

namespace {

std::string written(temporary_folder const &folder, std::string const &name,
                    std::string const &bytes) {
  std::ofstream(folder.path(name), std::ios::binary) << bytes;
  return folder.path(name);
}

template <class V>
std::string bytes_of(std::vector<V> const &values) {
  return {reinterpret_cast<char const *>(values.data()), values.size() * sizeof(V)};
}

// An .npy file of version 1 as numpy.save writes it: the header ends at a multiple of 64.
template <class V>
std::string npy(std::string const &kind, std::string const &shape, std::vector<V> const &values,
                std::string const &fortran = "False") {
  std::string header =
      "{'descr': '" + kind + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  header.append(64 - (10 + header.size() + 1) % 64, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 255);
  file += static_cast<char>(header.size() >> 8);
  return file + header + bytes_of(values);
}

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k) text += static_cast<char>(value >> (8 * k) & 255);
  return text;
}

std::string deflated(std::string const &bytes) {
  std::string packed(bytes.size() + 1000, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// A zip file of these members, as zipfile writes it.
std::string zip(std::vector<std::pair<std::string, std::string>> const &members, bool pack) {
  std::string file, directory;
  for (auto const &[name, bytes] : members) {
    std::string const body = pack ? deflated(bytes) : bytes;
    auto const sum = crc32_z(0, reinterpret_cast<Bytef const *>(bytes.data()), bytes.size());
    std::string const facts = little(20, 2) + little(0, 2) + little(pack ? 8 : 0, 2) +
                              little(0, 4) + little(sum, 4) + little(body.size(), 4) +
                              little(bytes.size(), 4) + little(name.size(), 2) + little(0, 2);
    directory += little(0x02014b50, 4) + little(20, 2) + facts + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(file.size(), 4) + name;
    file += little(0x04034b50, 4) + facts + name + body;
  }
  return file + directory + little(0x06054b50, 4) + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) + little(file.size(), 4) +
         little(0, 2);
}

using member_list = std::vector<std::pair<std::string, std::string>>;

member_list small_set() {
  return {{"x_train.npy", npy<float>("<f4", "(3, 2)", {1, 2, 3, 4, 5, 6.5F})},
          {"y_train.npy", npy<std::int64_t>("<i8", "(3,)", {0, 2, 1})},
          {"x_test.npy", npy<double>("<f8", "(1, 2)", {-7, 0.25})},
          {"y_test.npy", npy<std::uint8_t>("|u1", "(1,)", {1})}};
}

std::vector<float> features(gossip::dataset const &set, std::size_t sample) {
  return gossip::test::features_of(set, sample);
}

std::string refusal(std::string const &path) {
  try {
    numpy_sets(path);
  } catch (gossip::input_error const &refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an .npz file has the arrays that were saved, stored and compressed", "[data]") {
  temporary_folder const folder;
  for (bool const pack : {false, true}) {
    auto const [train, test] = numpy_sets(written(folder, "set.npz", zip(small_set(), pack)));
    CHECK(train.size() == 3);
    CHECK(train.classes() == 3);
    CHECK(train.shape() == gossip::sample_shape{1, 1, 2});
    CHECK(features(train, 2) == std::vector<float>{5, 6.5F});
    CHECK(train.labels()[1] == 2);
    CHECK(features(test, 0) == std::vector<float>{-7, 0.25F});
    CHECK(test.classes() == 3);
  }
}

TEST_CASE("an .npz file is read once, so that it may be a pipe", "[data]") {
  temporary_folder const folder;
  temporary_folder::once const pipe(folder.path("set.npz"), zip(small_set(), true));
  auto const [train, test] = numpy_sets(pipe.path());
  CHECK(features(train, 2) == std::vector<float>{5, 6.5F});
  CHECK(features(test, 0) == std::vector<float>{-7, 0.25F});
}

TEST_CASE("a folder of .npy files is a set", "[data]") {
  temporary_folder const folder;
  for (auto const &[name, bytes] : small_set()) written(folder, name, bytes);
  auto const [train, test] = numpy_sets(folder.path(""));
  CHECK(features(train, 0) == std::vector<float>{1, 2});
  CHECK(test.labels()[0] == 1);
}

TEST_CASE("bytes stay bytes, and channels may come last", "[data]") {
  temporary_folder const folder;
  // Two samples of 1 row, 2 columns and 3 channels: 10 c + column.
  std::vector<std::uint8_t> const last{0, 10, 20, 1, 11, 21, 5, 15, 25, 6, 16, 26};
  std::vector<std::uint8_t> const first{0, 1, 10, 11, 20, 21, 5, 6, 15, 16, 25, 26};
  auto const made = [&](char const *shape, std::vector<std::uint8_t> const &x) {
    auto const array = npy<std::uint8_t>("|u1", shape, x);
    auto const y = npy<std::int32_t>("<i4", "(2, 1)", {0, 1});
    return written(
        folder, "set.npz",
        zip({{"x_train.npy", array}, {"y_train.npy", y}, {"x_test.npy", array}, {"y_test.npy", y}},
            true));
  };
  auto const a = numpy_sets(made("(2, 1, 2, 3)", last), channel_order::last).first;
  auto const b = numpy_sets(made("(2, 3, 1, 2)", first)).first;
  CHECK(a.stored_as_bytes());
  CHECK(b.stored_as_bytes());
  CHECK(a.shape() == gossip::sample_shape{3, 1, 2});
  for (std::size_t k = 0; k < 2; ++k) CHECK(features(a, k) == features(b, k));
  CHECK(features(a, 1)[3] == Approx(16.0 / 255));
}

TEST_CASE("a class that only the test labels have is one of both sets", "[data]") {
  temporary_folder const folder;
  auto members = small_set();
  members[3].second = npy<std::int64_t>("<i8", "(1,)", {7});
  auto const [train, test] = numpy_sets(written(folder, "set.npz", zip(members, false)));
  CHECK(train.classes() == 8);
  CHECK(test.classes() == 8);
}

TEST_CASE("faults of arrays are named by file and array", "[data]") {
  temporary_folder const folder;
  auto const with = [&](std::size_t at, std::string const &bytes) {
    auto members = small_set();
    members[at].second = bytes;
    return refusal(written(folder, "bad.npz", zip(members, true)));
  };
  std::string const path = folder.path("bad.npz");
  CHECK(with(0, "no array") ==
        path + ": x_train.npy: expected an array of NumPy (.npy), got other bytes");
  CHECK(with(0, npy<float>("<f4", "(3, 2)", {1, 2})) ==
        path + ": x_train.npy: expected 24 bytes of numbers, got 8");
  CHECK(with(0, npy<float>("<f4", "(3, 2)", {1, 2, 3, 4, 5, 6}, "True")) ==
        path +
            ": x_train.npy: expected rows in consecutive places (numpy.ascontiguousarray), got "
            "columns in consecutive places");
  CHECK(with(0, npy<float>(">f4", "(3, 2)", {1, 2, 3, 4, 5, 6})) ==
        path +
            ": x_train.npy: expected numbers in the byte order of this machine (f4 f8 u1 b1 i1 u2 "
            "i2 u4 i4 u8 i8), got '>f4'");
  CHECK(with(0, npy<float>("<f4", "(6,)", {1, 2, 3, 4, 5, 6})) ==
        path +
            ": x_train.npy: expected an array of 2 to 4 dimensions, samples first, got 1 "
            "dimensions");
  CHECK(with(1, npy<std::int64_t>("<i8", "(2,)", {0, 2})) ==
        path + ": y_train.npy: expected 3 labels, one for each sample, got 2");
  CHECK(with(1, npy<float>("<f4", "(3,)", {0, 0.5F, 1})) ==
        path + ": y_train.npy: place 1: expected a whole label from 0 to 65534, got 0.5");
  CHECK(with(2, npy<double>("<f8", "(1, 3)", {1, 2, 3})) ==
        path + ": x_test.npy: expected samples of 1x1x2, as in the training set, got 1x1x3");
  CHECK(with(2, npy<std::uint8_t>("|u1", "(1, 2)", {1, 2})) ==
        path +
            ": x_test.npy: expected numbers (f4), which are not scaled, as in the training set, "
            "got bytes (u1), which are scaled to 0..1");
  CHECK(refusal(written(folder, "bad.npz", "nothing of the kind")) ==
        path +
            ": expected a zip file, as numpy.savez writes it, got 19 bytes without the end record "
            "of a zip file");
  auto twice = small_set();
  twice.push_back(twice[1]);
  CHECK(refusal(written(folder, "bad.npz", zip(twice, false)))
            .ends_with("expected each member once, got y_train.npy twice"));
  CHECK(refusal(written(folder, "bad.npz", zip({{"images.npy", ""}}, false))) ==
        path + ": expected a member x_train.npy, got images.npy");
  auto whole = zip(small_set(), false);
  whole[180] = static_cast<char>(whole[180] ^ 1);
  CHECK(refusal(written(folder, "bad.npz", whole)).find("expected intact bytes of x_train.npy") !=
        std::string::npos);
}
