// The members of a zip file, stored or deflated, as NumPy writes them. PKWARE, APPNOTE.TXT 6.3,
// sections 4.3.12 (central directory) and 4.3.16 (its end).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
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
  explicit zip_file(std::string path) : path_(std::move(path)), all_(all_bytes(path_)) {
    std::size_t const end = find_end();
    std::size_t at = number(end + 16, 4);
    std::size_t const count = number(end + 10, 2);
    for (std::size_t k = 0; k < count; ++k) {
      require(at, 46, "an entry of the directory");
      if (number(at, 4) != 0x02014b50U) fail(at, "an entry of the directory", "other bytes");
      std::size_t const name = number(at + 28, 2);
      require(at, 46 + name, "a name");
      auto const text = all_.bytes.subspan(at + 46, name);
      if (has({text.begin(), text.end()}))
        fail(at, "each member once", std::string(text.begin(), text.end()) + " twice");
      members_.push_back({std::string(text.begin(), text.end()), number(at + 10, 2),
                          number(at + 16, 4), number(at + 20, 4), number(at + 24, 4),
                          number(at + 42, 4), at});
      at += 46 + name + number(at + 30, 2) + number(at + 32, 2);
    }
  }

  std::string const &path() const { return path_; }

  bool has(std::string const &name) const { return find(name) != nullptr; }

  /// The names of all members, in a sentence.
  std::string names() const {
    std::string text;
    for (member const &m : members_) text += (text.empty() ? "" : ", ") + m.name;
    return text.empty() ? "none" : text;
  }

  /// A member's bytes: a part of the file where it is stored, else unpacked.
  shared_bytes operator[](std::string const &name) const {
    member const *const m = find(name);
    if (m == nullptr) throw input_error(path_, "a member " + name, names());
    if (m->packed == 0xffffffffU || m->size == 0xffffffffU)
      fail(m->entry, "members below 4 GiB", name);
    require(m->header, 30, "the header of " + name);
    std::size_t const data = m->header + 30 + number(m->header + 26, 2) + number(m->header + 28, 2);
    require(data, m->packed, "the bytes of " + name);
    auto const packed = all_.bytes.subspan(data, m->packed);
    shared_bytes made{packed, all_.owner};
    if (m->method == 8)
      made = unpacked(*m, packed);
    else if (m->method != 0 || m->packed != m->size)
      fail(m->entry, name + " stored or deflated", "method " + std::to_string(m->method));
    if (checksum(made.bytes) != m->checksum) fail(data, "intact bytes of " + name, "damaged bytes");
    return made;
  }

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
  std::size_t find_end() const {
    std::size_t const size = all_.bytes.size();
    for (std::size_t back = 22; back <= std::min<std::size_t>(size, 22 + 65535); ++back)
      if (number(size - back, 4) == 0x06054b50U) return size - back;
    throw input_error(path_, "a zip file, as numpy.savez writes it",
                      std::to_string(size) + " bytes without the end record of a zip file");
  }

  shared_bytes unpacked(member const &m, std::span<std::uint8_t const> packed) const {
    if (m.size / 1032 > m.packed) fail(m.entry, "a possible size", std::to_string(m.size));
    auto const copy = std::make_shared<std::vector<std::uint8_t>>(m.size);
    z_stream stream{};
    stream.next_in = const_cast<Bytef *>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = copy->data();
    stream.avail_out = static_cast<uInt>(copy->size());
    if (inflateInit2(&stream, -15) != Z_OK) throw error(path_ + ": zlib could not be started");
    int const code = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (code != Z_STREAM_END || stream.avail_out != 0)
      fail(m.header, "intact deflated bytes of " + m.name, "damaged bytes");
    return {*copy, copy};
  }

  static std::size_t checksum(std::span<std::uint8_t const> bytes) {
    return crc32_z(0, bytes.data(), bytes.size());
  }

  std::string path_;
  shared_bytes all_;
  std::vector<member> members_;
};

}  // namespace gossip::detail
