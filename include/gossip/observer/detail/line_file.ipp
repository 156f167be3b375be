// Definitions of observer/detail/line_file.hpp.
#pragma once

#include <gossip/observer/detail/line_file.hpp>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void line_file::append(std::string_view line) {
  if (std::exchange(has_more_, false) && ::ftruncate(file_, whole_) != 0) give_up(errno);
  for (std::size_t done = 0; done < line.size();) {
    auto const count =
        uncut([&] { return ::write(file_, line.data() + done, line.size() - done); });
    if (count < 0) give_up(errno);
    done += static_cast<std::size_t>(count);
  }
  whole_ += static_cast<::off_t>(line.size());
}

GOSSIP_INLINE void line_file::name_state(state_visitor const &visit, std::string const &keeper) {
  std::int64_t bytes = whole_;
  visit.value("bytes", bytes);
  if (bytes == whole_) {
    bool const fails = uncut([&] { return ::fsync(file_); }) != 0;
    if (fails && errno != EINVAL && errno != ENOTSUP) give_up(errno);
    return;
  }
  if (auto const there = ::lseek(file_, 0, SEEK_END); there < bytes)
    throw input_error(path_, "the " + std::to_string(bytes) + " bytes before the state" + keeper,
                      std::to_string(there));
  has_more_ = true;
  whole_ = bytes;
}

}  // namespace gossip::detail
