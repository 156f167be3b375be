// Definitions of data/cifar10.hpp.
#pragma once

#include <gossip/data/cifar10.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <tuple>

#include <gossip/core/inline.hpp>
#include <gossip/data/byte_source.hpp>

namespace gossip {

namespace detail {

inline constexpr std::size_t cifar10_record = 1 + cifar10_shape.size();

[[noreturn]] inline void fail_cifar10(std::string const &path, std::uint64_t record,
                                      std::uint64_t byte, std::string const &expected,
                                      std::string const &got) {
  throw input_error(path + ": record " + std::to_string(record) + ", byte " +
                        std::to_string(record * cifar10_record + byte),
                    expected, got);
}

/// Throws unless these are all bytes of one record or more.
GOSSIP_INLINE void check_cifar10_size(std::string const &path, std::uint64_t bytes) {
  std::uint64_t const rest = bytes % cifar10_record;
  if (bytes == 0 || rest != 0)
    fail_cifar10(path, bytes / cifar10_record, rest,
                 "records of " + std::to_string(cifar10_record) + " bytes", "the end of the file");
}

GOSSIP_INLINE std::uint16_t cifar10_label(std::string const &path, std::uint64_t record,
                                          std::uint8_t byte) {
  if (byte > 9) fail_cifar10(path, record, 0, "a label from 0 to 9", std::to_string(byte));
  return byte;
}

/// The records of the files read so far.
struct cifar10_records {
  feature_rows<std::uint8_t> features;  // (samples, 3072)
  std::vector<std::uint16_t> labels;
};

/// The features stay in the mapped file, between the labels.
GOSSIP_INLINE void add_mapped(shared_bytes const &file, std::string const &path,
                              cifar10_records &to) {
  auto const [bytes, owner] = file;
  check_cifar10_size(path, bytes.size());
  std::size_t const whole = bytes.size() / cifar10_record;
  to.labels.reserve(to.labels.size() + whole);
  for (std::size_t i = 0; i < whole; ++i)
    to.labels.push_back(cifar10_label(path, i, bytes[i * cifar10_record]));
  to.features.append({bytes.data() + 1, whole, cifar10_shape.size(), cifar10_record}, owner);
}

/// Memory grows with the records that arrive.
GOSSIP_INLINE void add_copied(byte_source &file, cifar10_records &to) {
  std::vector<std::uint8_t> features;
  std::array<std::uint8_t, cifar10_record> record;
  std::uint64_t count = 0;
  for (std::size_t size = file.read(record); size != 0 || count == 0; size = file.read(record)) {
    check_cifar10_size(file.path(), count * cifar10_record + size);
    if (count == most_cifar10_records)
      throw input_error(file.path(),
                        "at most " + std::to_string(count) +
                            " records in a gzipped file (a plain one may hold more)",
                        "more");
    to.labels.push_back(cifar10_label(file.path(), count++, record[0]));
    features.insert(features.end(), record.begin() + 1, record.end());
  }
  features.shrink_to_fit();
  feature_rows<std::uint8_t> const rows(std::move(features), cifar10_shape.size());
  to.features.append(rows.blocks()[0].rows, rows.blocks()[0].owner);
}

/// A file of a folder: data_batch_3.bin.gz has the stem "data_batch_3".
struct cifar10_file {
  std::string stem, path;
};

/// The files whose names are these first letters, anything, and .bin or .bin.gz; where there are
/// both, the plain one. Ordered by the number behind the first letters, then by name.
GOSSIP_INLINE std::vector<cifar10_file> find_cifar10(std::string const &folder,
                                                     std::string const &first_letters) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!fs::is_directory(folder, code))
    throw input_error(folder, "a folder of CIFAR-10 batches", "none");
  std::vector<cifar10_file> files;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::end(entry);
       entry.increment(code)) {
    std::string const name = entry->path().filename().string();
    for (std::string const ending : {".bin", ".bin.gz"})
      if (name.starts_with(first_letters) && name.ends_with(ending))
        files.push_back({name.substr(0, name.size() - ending.size()), entry->path().string()});
  }
  if (code) throw input_error(folder, "a readable folder", code.message());
  if (files.empty())
    throw input_error(folder, "files " + first_letters + "*.bin, plain or .gz", "none");
  auto const order = [&](cifar10_file const &file) {
    std::size_t digits = first_letters.size();
    while (digits < file.stem.size() && file.stem[digits] >= '0' && file.stem[digits] <= '9')
      ++digits;
    return std::tuple(digits, file.stem, file.path);
  };
  std::sort(files.begin(), files.end(),
            [&](cifar10_file const &a, cifar10_file const &b) { return order(a) < order(b); });
  auto const twins = std::ranges::unique(files, {}, &cifar10_file::stem);
  files.erase(twins.begin(), twins.end());
  return files;
}

GOSSIP_INLINE std::vector<std::string> cifar10_paths(std::string const &folder, bool test) {
  std::vector<std::string> paths;
  for (cifar10_file const &file : find_cifar10(folder, test ? "test_batch" : "data_batch_"))
    if (test && file.stem == "test_batch")
      return {file.path};  // all of them; others are parts
    else
      paths.push_back(file.path);
  return paths;
}

}  // namespace detail

GOSSIP_INLINE dataset cifar10_batches(std::vector<std::string> const &paths,
                                      std::vector<byte_scale> scales) {
  if (paths.empty()) throw input_error("cifar10_batches", "at least one file", "none");
  detail::cifar10_records all;
  for (std::string const &path : paths) {
    byte_source file(path);
    if (shared_bytes const mapped = file.mapped(); !mapped.bytes.empty())
      detail::add_mapped(mapped, path, all);
    else
      detail::add_copied(file, all);
  }
  return {paths.front(),           cifar10_shape,         10,
          std::move(all.features), std::move(all.labels), std::move(scales)};
}

}  // namespace gossip
