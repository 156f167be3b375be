#include "run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>

namespace simulate {

namespace {

/// A full or broken disk is no fault of the input.
[[noreturn]] void refuse(std::string const &path, int code) {
  std::string const sentence = path + ": cannot be written: " + std::strerror(code);
  if (code == ENOSPC || code == EDQUOT || code == EIO) throw gossip::error(sentence);
  throw gossip::input_error(sentence);
}

/// All of it or nothing: written beside the file, forced to the disk, renamed.
void write_whole(std::string const &path, std::string const &text) {
  std::string const beside = path + ".part";
  int const file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) refuse(path, errno);
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
  refuse(path, code);
}

}  // namespace

run_folder::run_folder(std::string path, json const &config) : path_(std::move(path)) {
  std::error_code code;
  std::filesystem::create_directories(path_, code);
  if (code) refuse(path_, code.value());
  for (char const *name : {"summary.json", "metrics.jsonl"})
    std::filesystem::remove(path_ + "/" + name, code);
  write_whole(path_ + "/config.json", config.dump(2) + "\n");
  metrics_.emplace(path_ + "/metrics.jsonl");
}

void run_folder::finish(gossip::run_report const &report) const {
  write_whole(path_ + "/summary.json", gossip::to_json(report).dump(2) + "\n");
}

}  // namespace simulate
