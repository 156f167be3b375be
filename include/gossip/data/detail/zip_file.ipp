// Definitions of data/detail/zip_file.hpp.
#pragma once

#include <gossip/data/detail/zip_file.hpp>

#include <memory>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE zip_file::zip_file(std::string path)
    : path_(std::move(path)), all_(all_bytes(path_)) {
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

GOSSIP_INLINE shared_bytes zip_file::operator[](std::string const &name) const {
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

GOSSIP_INLINE std::size_t zip_file::find_end() const {
  std::size_t const size = all_.bytes.size();
  for (std::size_t back = 22; back <= std::min<std::size_t>(size, 22 + 65535); ++back)
    if (number(size - back, 4) == 0x06054b50U) return size - back;
  throw input_error(path_, "a zip file, as numpy.savez writes it",
                    std::to_string(size) + " bytes without the end record of a zip file");
}

GOSSIP_INLINE shared_bytes zip_file::unpacked(member const &m,
                                              std::span<std::uint8_t const> packed) const {
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

}  // namespace gossip::detail
