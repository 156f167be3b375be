// Writes every record as one line of JSON, whole or not at all.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>

namespace gossip {

/// Each line reaches the file before the run goes on. Throws input_error where the file cannot be
/// opened, gossip::error where it cannot be written (a full disk).
class json_lines {
 public:
  explicit json_lines(std::string path)
      : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w"), &close) {
    if (!file_) throw input_error(path_ + ": cannot be written: " + std::strerror(errno));
  }

  void take(record const &r) {
    std::string const line = to_json(r).dump() + '\n';
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() ||
        std::fflush(file_.get()) != 0)
      throw error(path_ + ": cannot be written: " + std::strerror(errno));
  }

 private:
  static void close(std::FILE *file) {
    if (file) std::fclose(file);
  }

  std::string path_;
  std::unique_ptr<std::FILE, decltype(&close)> file_;
};

}  // namespace gossip
