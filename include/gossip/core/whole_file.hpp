// Files of the system that are written whole or not at all, and stay when the machine fails.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <gossip/core/error.hpp>

namespace gossip::detail {

/// call() of the system, again where a signal has cut it off.
template <class Call>
auto uncut(Call call) {
  for (;;)
    if (auto const result = call(); result != -1 || errno != EINTR) return result;
}

/// An open file, closed when this ends.
class file_handle {
 public:
  /// To read. Throws error.
  explicit file_handle(std::string path) : file_handle(std::move(path), O_RDONLY) {
    if (file_ < 0) refuse_reading();
  }
  /// To write to a new file, or over an earlier one. Throws write_error.
  static file_handle to_write(std::string path) {
    file_handle made(std::move(path), O_WRONLY | O_CREAT | O_TRUNC);
    if (made.file_ < 0) throw write_error(made.path_, errno);
    return made;
  }
  file_handle(file_handle &&other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  file_handle &operator=(file_handle &&) = delete;
  ~file_handle() {
    if (file_ >= 0) ::close(file_);
  }

  std::string const &path() const { return path_; }

  /// Throws write_error.
  void write(void const *data, std::size_t bytes) const;
  /// Waits until the disk has all bytes; some file systems have no such call for folders. Throws
  /// write_error.
  void settle() const {
    if (uncut([&] { return ::fsync(file_); }) != 0 && errno != EINVAL && errno != ENOTSUP)
      throw write_error(path_, errno);
  }

  /// Bytes from `place` on. Throws error, also where the file ends before.
  void read(std::uint64_t place, void *to, std::size_t bytes) const;
  /// Size of the file, bytes.
  std::uint64_t bytes() const {
    auto const end = ::lseek(file_, 0, SEEK_END);
    if (end < 0) refuse_reading();
    return static_cast<std::uint64_t>(end);
  }

 private:
  file_handle(std::string path, int how)
      : path_(std::move(path)),
        file_(uncut([&] { return ::open(path_.c_str(), how | O_CLOEXEC, 0666); })) {}

  [[noreturn]] void refuse_reading() const {
    throw error(path_ + ": cannot be read: " + std::generic_category().message(errno));
  }

  std::string path_;
  int file_;
};

/// Waits until the disk has the name of a file or folder.
inline void settle_name(std::string const &path) {
  auto const end = path.find_last_of('/');
  file_handle(end == std::string::npos ? "." : path.substr(0, end + 1)).settle();
}

/// Writes a file under another name first: under its own it is there whole or not at all.
/// write(file): all bytes. Throws write_error.
template <class Write>
void write_whole(std::string const &path, Write write) {
  std::string const beside = path + ".part";
  try {
    file_handle const file = file_handle::to_write(beside);
    write(file);
    file.settle();
    if (std::rename(beside.c_str(), path.c_str()) != 0) throw write_error(path, errno);
  } catch (...) {
    std::remove(beside.c_str());
    throw;
  }
  settle_name(path);
}

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/whole_file.ipp>
#endif
