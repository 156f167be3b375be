// Definitions of core/whole_file.hpp.
#pragma once

#include <gossip/core/whole_file.hpp>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void file_handle::write(void const *data, std::size_t bytes) const {
  auto const *at = static_cast<std::byte const *>(data);
  while (bytes > 0) {
    auto const done = uncut([&] { return ::write(file_, at, bytes); });
    if (done <= 0) throw write_error(path_, errno);
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
}

GOSSIP_INLINE void file_handle::read(std::uint64_t place, void *to, std::size_t bytes) const {
  auto *at = static_cast<std::byte *>(to);
  while (bytes > 0) {
    auto const done = uncut([&] { return ::pread(file_, at, bytes, static_cast<off_t>(place)); });
    if (done < 0) refuse_reading();
    if (done == 0) throw error(path_ + ": ends at byte " + std::to_string(place));
    at += done;
    place += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
}

}  // namespace gossip::detail
