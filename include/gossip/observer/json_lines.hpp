// Writes every record as one line of JSON, whole or not at all.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/observer/json.hpp>

namespace gossip {

/// Each line reaches the file before the run goes on. Throws input_error where the file cannot be
/// opened; gossip::error where a line cannot be written (a full disk), of which nothing stays then.
class json_lines {
 public:
  explicit json_lines(std::string path) : json_lines(std::move(path), O_TRUNC) {}

  /// Behind the lines that are there: for a run that goes on from a state, after which lines are
  /// cut off.
  static json_lines resumed(std::string path) { return json_lines(std::move(path), O_APPEND); }

  json_lines(json_lines &&other) noexcept
      : path_(std::move(other.path_)),
        file_(std::exchange(other.file_, -1)),
        whole_(other.whole_) {}
  json_lines &operator=(json_lines &&) = delete;
  ~json_lines() {
    if (file_ >= 0) ::close(file_);
  }

  /// A template, as to_json.
  template <std::same_as<record> Record>
  void take(Record const &r) {
    std::string const line = to_json(r).dump() + '\n';
    for (std::size_t done = 0; done < line.size();) {
      ::ssize_t const count = ::write(file_, line.data() + done, line.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) give_up(errno);
      done += static_cast<std::size_t>(count);
    }
    whole_ += static_cast<::off_t>(line.size());
  }

  /// Throws input_error where the lines before the state are not there.
  void name_state(state_visitor const &visit) {
    std::int64_t bytes = whole_;
    visit.value("bytes", bytes);
    if (bytes == whole_) return;
    ::off_t const there = ::lseek(file_, 0, SEEK_END);
    if (there < bytes)
      throw input_error(path_,
                        "the " + std::to_string(bytes) +
                            " bytes before the state, kept by "
                            "json_lines::resumed",
                        std::to_string(there));
    if (::ftruncate(file_, bytes) != 0) give_up(errno);
    whole_ = bytes;
  }

 private:
  /// how: flag of open.
  json_lines(std::string path, int how)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | how | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw input_error(path_ + ": cannot be written: " + std::strerror(errno));
    whole_ = ::lseek(file_, 0, SEEK_END);
  }

  [[noreturn]] void give_up(int reason) const {
    [[maybe_unused]] int const ignored = ::ftruncate(file_, whole_);
    throw error(path_ + ": cannot be written: " + std::strerror(reason));
  }

  std::string path_;
  int file_;
  ::off_t whole_ = 0;  // bytes of whole lines
};

}  // namespace gossip
