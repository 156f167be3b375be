// Writes every record as one line of JSON, whole or not at all.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>

namespace gossip {

/// Each line reaches the file before the run goes on. Throws input_error where the file cannot be
/// opened; gossip::error where a line cannot be written (a full disk), of which nothing stays then.
class json_lines {
 public:
  explicit json_lines(std::string path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw input_error(path_ + ": cannot be written: " + std::strerror(errno));
  }

  json_lines(json_lines &&other) noexcept
      : path_(std::move(other.path_)),
        file_(std::exchange(other.file_, -1)),
        whole_(other.whole_) {}
  json_lines &operator=(json_lines &&) = delete;
  ~json_lines() {
    if (file_ >= 0) ::close(file_);
  }

  void take(record const &r) {
    std::string const line = to_json(r).dump() + '\n';
    for (std::size_t done = 0; done < line.size();) {
      ::ssize_t const count = ::write(file_, line.data() + done, line.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) give_up(errno);
      done += static_cast<std::size_t>(count);
    }
    whole_ += static_cast<::off_t>(line.size());
  }

 private:
  [[noreturn]] void give_up(int reason) const {
    [[maybe_unused]] int const ignored = ::ftruncate(file_, whole_);
    throw error(path_ + ": cannot be written: " + std::strerror(reason));
  }

  std::string path_;
  int file_;
  ::off_t whole_ = 0;  // bytes of whole lines
};

}  // namespace gossip
