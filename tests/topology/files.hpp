// A folder for one test: gone with everything in it when the test ends.
#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>
#include <zlib.h>

#include <gossip/core/error.hpp>

#include "../catch.hpp"

namespace gossip::test {

class temporary_folder {
 public:
  temporary_folder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("gossip_graph_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(temporary_folder const &) = delete;
  temporary_folder &operator=(temporary_folder const &) = delete;

  std::string path(std::string const &name) const { return (path_ / name).string(); }

  /// Writes a file and gives its path.
  std::string write(std::string const &name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  /// The same, gzipped.
  std::string write_gzip(std::string const &name, std::string_view content) const {
    gzFile const file = gzopen(path(name).c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

/// The sentence of what building this topology throws; empty if it does not.
template <class Topology>
std::string refusal(Topology const &made, std::uint64_t seed = 1) {
  try {
    made.build(seed);
  } catch (input_error const &refused) {
    return refused.what();
  }
  return "";
}

}  // namespace gossip::test
