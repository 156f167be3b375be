// A folder of its own for a test's files, removed at the end; and how to write plain and gzipped
// ones.
#pragma once

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace gossip::test {

using byte_list = std::vector<std::uint8_t>;

class temporary_folder {
 public:
  temporary_folder() {
    auto name = (std::filesystem::temp_directory_path() / "gossip-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(temporary_folder const &) = delete;
  temporary_folder &operator=(temporary_folder const &) = delete;

  std::string path(std::string const &name = "") const { return (path_ / name).string(); }

  /// Writes a file and gives its path.
  std::string write(std::string const &name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
  }
  std::string write(std::string const &name, byte_list const &bytes) const {
    return write(name,
                 std::string_view(reinterpret_cast<char const *>(bytes.data()), bytes.size()));
  }

  /// The same, gzipped.
  std::string write_gzip(std::string const &name, std::string_view content) const {
    gzFile const file = gzopen(path(name).c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path(name);
  }

  /// A pipe that has these bytes once, for one reader; its path. To be kept while it is read.
  class once {
   public:
    once(std::string path, std::string content) : path_(std::move(path)) {
      ::mkfifo(path_.c_str(), 0600);
      writer_ = std::jthread([path = path_, content = std::move(content)] {
        std::ofstream(path, std::ios::binary)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
      });
    }
    std::string const &path() const { return path_; }

   private:
    std::string path_;
    std::jthread writer_;
  };

 private:
  std::filesystem::path path_;
};

/// The bytes as one gzip member.
inline byte_list gzipped(byte_list const &bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  byte_list packed(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = const_cast<std::uint8_t *>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace gossip::test
