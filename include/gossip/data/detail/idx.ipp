// Definitions of data/idx.hpp.
#pragma once

#include <gossip/data/idx.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/data/byte_source.hpp>

namespace gossip {

namespace detail {

GOSSIP_INLINE std::string hexadecimal(std::uint32_t word) {
  std::string text = "0x00000000";
  for (std::size_t digit = 9; digit >= 2; --digit, word >>= 4)
    text[digit] = "0123456789abcdef"[word & 15];
  return text;
}

GOSSIP_INLINE std::uint32_t idx_word(byte_source &file, std::string const &what) {
  std::array<std::uint8_t, 4> b;
  if (file.read(b) != b.size()) file.fail(file.position(), what, "the end of the file");
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}

GOSSIP_INLINE void expect_magic(byte_source &file, std::uint32_t magic, std::string const &what) {
  std::string const expected = hexadecimal(magic) + " (" + what + ")";
  std::uint32_t const word = idx_word(file, expected);
  if (word != magic) file.fail(0, expected, hexadecimal(word));
}

GOSSIP_INLINE std::uint32_t idx_extent(byte_source &file, std::string const &what) {
  std::uint64_t const at = file.position();
  std::uint32_t const extent = idx_word(file, "the number of " + what);
  if (extent == 0) file.fail(at, "at least one of " + what, "0");
  return extent;
}

/// The rest of a plain file: a part of its mapping, which must have exactly total bytes.
GOSSIP_INLINE shared_bytes idx_mapped(byte_source const &file, shared_bytes const &all,
                                      std::uint64_t total, std::string const &expected) {
  std::uint64_t const header = file.position(), size = all.bytes.size();
  if (size - header < total) file.fail(size, expected, "the end of the file");
  if (size - header > total) file.fail(header + total, "the end of the file", "more bytes");
  return {all.bytes.subspan(static_cast<std::size_t>(header)), all.owner};
}

/// The rest of any other file, copied. Memory grows as bytes arrive, so a header that promises more
/// than the file holds costs no memory.
GOSSIP_INLINE shared_bytes idx_copied(byte_source &file, std::uint64_t total,
                                      std::string const &expected) {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  auto const copy = std::make_shared<std::vector<std::uint8_t>>();
  std::vector<std::uint8_t> &bytes = *copy;
  while (bytes.size() < total) {
    std::size_t const done = bytes.size();
    bytes.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(total, done + std::max<std::uint64_t>(done, block))));
    if (file.read(std::span(bytes).subspan(done)) != bytes.size() - done)
      file.fail(file.position(), expected, "the end of the file");
  }
  file.expect_end();
  return {bytes, copy};
}

/// The rest of a file, which the header says is count items of size bytes.
GOSSIP_INLINE shared_bytes idx_body(byte_source &file, std::uint64_t count, std::uint64_t size) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t const total = count > most / size ? most : count * size;
  std::string const expected = std::to_string(count) + " items of " + std::to_string(size) +
                               (size == 1 ? " byte" : " bytes");
  if (total > file.most_bytes()) file.fail(file.position(), expected, "a file too short for them");
  if (shared_bytes const all = file.mapped(); !all.bytes.empty())
    return idx_mapped(file, all, total, expected);
  return idx_copied(file, total, expected);
}

GOSSIP_INLINE std::vector<std::uint16_t> idx_labels(byte_source &file, std::uint32_t count,
                                                    std::size_t classes) {
  std::uint64_t const header = file.position();
  shared_bytes const body = idx_body(file, count, 1);
  auto const bytes = body.bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] >= classes)
      file.fail(header + i, "a label below " + std::to_string(classes), std::to_string(bytes[i]));
  return {bytes.begin(), bytes.end()};
}

GOSSIP_INLINE std::string find_idx(std::string const &folder, std::string const &stem,
                                   std::string const &kind) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!fs::is_directory(folder, code)) throw input_error(folder, "a folder of IDX files", "none");
  for (char const *separator : {"-", "."})
    for (char const *ending : {"", ".gz"})
      if (fs::path const path = fs::path(folder) / (stem + separator + kind + ending);
          fs::exists(path, code))
        return path.string();
  throw input_error(folder, stem + "-" + kind + " or " + stem + "." + kind + ", plain or .gz",
                    "neither");
}

}  // namespace detail

GOSSIP_INLINE dataset read_idx(std::string const &images_path, std::string const &labels_path,
                               std::size_t classes, byte_scale scale) {
  byte_source images(images_path);
  detail::expect_magic(images, 0x00000803U, "images of unsigned bytes");
  std::uint32_t const count = detail::idx_extent(images, "images");
  std::uint32_t const rows = detail::idx_extent(images, "rows");
  std::uint32_t const columns = detail::idx_extent(images, "columns");

  byte_source labels(labels_path);
  detail::expect_magic(labels, 0x00000801U, "labels of unsigned bytes");
  std::uint32_t const label_count = detail::idx_extent(labels, "labels");
  if (label_count != count)
    labels.fail(4, std::to_string(count) + " labels, one for each image of " + images_path,
                std::to_string(label_count));

  auto label_values = detail::idx_labels(labels, count, classes);
  sample_shape const shape{.channels = 1, .height = rows, .width = columns};
  auto pixels = detail::idx_body(images, count, shape.size());
  feature_rows<std::uint8_t> features;
  features.append({pixels.bytes.data(), count, shape.size(), shape.size()},
                  std::move(pixels.owner));
  return {images_path, shape, classes, std::move(features), std::move(label_values), {scale}};
}

GOSSIP_INLINE std::pair<dataset, dataset> mnist(std::string const &folder) {
  auto const part = [&](std::string const &stem, std::string const &name) {
    std::string const images = detail::find_idx(folder, stem + "-images", "idx3-ubyte");
    std::string const labels = detail::find_idx(folder, stem + "-labels", "idx1-ubyte");
    return read_idx(images, labels, 10, mnist_scale).named(name);
  };
  return {part("train", "mnist train"), part("t10k", "mnist test")};
}

}  // namespace gossip
