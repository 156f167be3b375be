#include "whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <gossip/core/error.hpp>

namespace simulate {

void refuse_to_write(std::string const &path, int code) {
  std::string const sentence = path + ": cannot be written: " + std::strerror(code);
  if (code == ENOSPC || code == EDQUOT || code == EIO) throw gossip::error(sentence);
  throw gossip::input_error(sentence);
}

void write_whole(std::string const &path, std::string const &text) {
  std::string const beside = path + ".part";
  int const file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) refuse_to_write(path, errno);
  std::size_t done = 0;
  int code = 0;
  while (done < text.size() && code == 0) {
    ssize_t const count = write(file, text.data() + done, text.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      code = errno;
  }
  if (code == 0 && fsync(file) != 0 && errno != EINVAL && errno != EINTR) code = errno;
  if (close(file) != 0 && code == 0 && errno != EINTR) code = errno;
  if (code == 0 && std::rename(beside.c_str(), path.c_str()) != 0) code = errno;
  if (code == 0) return;
  unlink(beside.c_str());
  refuse_to_write(path, code);
}

void make_folder(std::string const &path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) refuse_to_write(path, code.value());
}

}  // namespace simulate
