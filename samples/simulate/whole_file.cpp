#include "whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>

namespace simulate {

void refuse_to_write(std::string const &path, int code) {
  if (code == ENOSPC || code == EDQUOT || code == EIO) throw gossip::write_error(path, code);
  throw gossip::input_error(path + ": cannot be written: " + std::strerror(code));
}

namespace {

/// Writes the text from the beginning of a file on, cuts off what is behind it and forces it to the
/// disk; the system's reason where that fails, else 0.
int filled(int file, std::string const &text) {
  for (std::size_t done = 0; done < text.size();) {
    ssize_t const count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  if (ftruncate(file, static_cast<off_t>(text.size())) != 0) return errno;
  return fsync(file) != 0 && errno != EINVAL && errno != EINTR ? errno : 0;
}

int opened(std::string const &beside, std::string const &path) {
  int const file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) refuse_to_write(path, errno);
  return file;
}

std::string beside(std::string const &path) {
  return path + ".part";
}

/// Writes a file beside its place and forces it to the disk.
void stage(std::string const &path, std::string const &text) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse_to_write(path, EISDIR);
  int const file = opened(beside(path), path);
  int code = filled(file, text);
  if (close(file) != 0 && code == 0 && errno != EINTR) code = errno;
  if (code == 0) return;
  unlink(beside(path).c_str());
  refuse_to_write(path, code);
}

void take_place(std::string const &path) {
  if (std::rename(beside(path).c_str(), path.c_str()) != 0) refuse_to_write(path, errno);
}

}  // namespace

void write_whole(std::string const &path, std::string const &text) {
  stage(path, text);
  try {
    take_place(path);
  } catch (...) {
    unlink(beside(path).c_str());
    throw;
  }
}

void write_all(std::vector<std::pair<std::string, std::string>> const &files) {
  std::size_t staged = 0;
  try {
    for (auto const &[path, text] : files) stage(path, text), ++staged;
    for (auto const &[path, text] : files) take_place(path);
  } catch (...) {
    for (std::size_t i = 0; i < staged; ++i) unlink(beside(files[i].first).c_str());
    throw;
  }
}

reserved_file::reserved_file(std::string path, std::size_t bytes) : path_(std::move(path)) {
  std::string const folder = std::filesystem::path(path_).parent_path().string();
  file_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file_ < 0) {  // a file system without files that have no name
    beside_ = path_ + ".part";
    file_ = opened(beside_, path_);
  }
  int const code = posix_fallocate(file_, 0, static_cast<off_t>(bytes));
  if (code != ENOSPC && code != EDQUOT) return;  // others: a file system that cannot reserve
  close(file_);
  if (!beside_.empty()) unlink(beside_.c_str());
  refuse_to_write(path_, code);
}

reserved_file::~reserved_file() {
  if (file_ < 0) return;
  close(file_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

void reserved_file::write(std::string const &text) {
  int const file = std::exchange(file_, -1);
  if (int const code = filled(file, text); code != 0) {
    close(file);
    if (!beside_.empty()) unlink(beside_.c_str());
    refuse_to_write(path_, code);
  }
  std::string const unnamed = "/proc/self/fd/" + std::to_string(file);
  bool const named = beside_.empty() ? linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path_.c_str(),
                                              AT_SYMLINK_FOLLOW) == 0
                                     : std::rename(beside_.c_str(), path_.c_str()) == 0;
  int const code = errno;
  close(file);
  if (!named) refuse_to_write(path_, code);
}

std::string existing_part(std::string const &path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path at = fs::absolute(path, ignored).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  while (!fs::exists(fs::status(at, ignored)) && at.has_parent_path() && at != at.parent_path())
    at = at.parent_path();
  return at.string();
}

void require_writable(std::string const &folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  std::string const at = existing_part(folder);
  if (!fs::is_directory(at, code)) refuse_to_write(folder, ENOTDIR);
  if (access(at.c_str(), W_OK | X_OK) != 0) refuse_to_write(folder, errno);
}

void make_folder(std::string const &path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) refuse_to_write(path, code.value());
}

}  // namespace simulate
