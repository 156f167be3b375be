// A file of lines, each of which is there whole or not at all.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/whole_file.hpp>

namespace gossip::detail {

/// Each line reaches the file before its writer goes on.
class line_file {
 public:
  /// how: O_TRUNC or O_APPEND. Throws input_error where the file cannot be opened.
  line_file(std::string path, int how)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | how | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw input_error(path_ + ": cannot be written: " + std::strerror(errno));
    whole_ = ::lseek(file_, 0, SEEK_END);
  }
  line_file(line_file &&other) noexcept
      : path_(std::move(other.path_)),
        file_(std::exchange(other.file_, -1)),
        whole_(other.whole_),
        has_more_(other.has_more_) {}
  line_file &operator=(line_file &&) = delete;
  ~line_file() {
    if (file_ >= 0) ::close(file_);
  }

  std::string const &path() const { return path_; }

  /// line: with its end. Throws write_error where it cannot be written (a full disk); nothing of it
  /// stays then.
  void append(std::string_view line);

  /// The length of the file as a part of a run's state, before which the disk has all lines. Where
  /// a run goes on from there, lines behind it are cut off by the first new one. Throws input_error
  /// where the lines before are not there, which `keeper` keeps; write_error.
  void name_state(state_visitor const &visit, std::string const &keeper = "");

 private:
  [[noreturn]] void give_up(int reason) const {
    [[maybe_unused]] int const ignored = ::ftruncate(file_, whole_);
    throw write_error(path_, reason);
  }

  std::string path_;
  int file_;
  ::off_t whole_ = 0;
  bool has_more_ = false;  // lines behind the whole ones
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/line_file.ipp>
#endif
