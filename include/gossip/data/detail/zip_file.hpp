// The members of a zip file, stored or deflated, as NumPy writes them. PKWARE, APPNOTE.TXT 6.3,
// sections 4.3.12 (central directory) and 4.3.16 (its end).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zlib.h>

#include <gossip/core/error.hpp>
#include <gossip/data/byte_source.hpp>

namespace gossip::detail {

/// A little-endian number of so many bytes.
inline std::uint64_t little_endian(std::span<std::uint8_t const> bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | bytes[k];
  return value;
}

/// A zip file of members below 4 GiB; throws input_error "path: byte 12: expected ..., got ...".
class zip_file {
 public:
  explicit zip_file(std::string path);

  std::string const &path() const { return path_; }

  bool has(std::string const &name) const { return find(name) != nullptr; }

  /// The names of all members, in a sentence.
  std::string names() const {
    std::string text;
    for (member const &m : members_) text += (text.empty() ? "" : ", ") + m.name;
    return text.empty() ? "none" : text;
  }

  /// A member's bytes: a part of the file where it is stored, else unpacked.
  shared_bytes operator[](std::string const &name) const;

 private:
  struct member {
    std::string name;
    std::size_t method, checksum, packed, size, header, entry;
  };

  [[noreturn]] void fail(std::size_t at, std::string const &expected,
                         std::string const &got) const {
    throw input_error(path_ + ": byte " + std::to_string(at), expected, got);
  }

  void require(std::size_t at, std::size_t count, std::string const &what) const {
    std::size_t const size = all_.bytes.size();
    if (at > size || count > size - at) fail(std::min(at, size), what, "the end of the file");
  }

  std::size_t number(std::size_t at, std::size_t count) const {
    return little_endian(all_.bytes.subspan(at, count));
  }

  member const *find(std::string const &name) const {
    auto const found = std::ranges::find(members_, name, &member::name);
    return found == members_.end() ? nullptr : &*found;
  }

  /// The record that ends a zip file; a comment of up to 64 KiB may follow it.
  std::size_t find_end() const;

  shared_bytes unpacked(member const &m, std::span<std::uint8_t const> packed) const;

  static std::size_t checksum(std::span<std::uint8_t const> bytes) {
    return crc32_z(0, bytes.data(), bytes.size());
  }

  std::string path_;
  shared_bytes all_;
  std::vector<member> members_;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/zip_file.ipp>
#endif
