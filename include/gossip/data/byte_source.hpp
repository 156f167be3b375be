// The bytes of a file in order, unpacked if the file is gzipped; or all of a plain file, mapped.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/files_read.hpp>

namespace gossip {

/// Bytes that nobody writes to, and what keeps them in memory.
struct shared_bytes {
  std::span<std::uint8_t const> bytes;
  std::shared_ptr<void const> owner;
};

/// Reads a plain or gzipped file, or a pipe, told apart by content. Positions count unpacked bytes.
/// Throws input_error for what cannot be read, for damaged gzip data and for what follows it.
class byte_source {
 public:
  explicit byte_source(std::string path) : path_(std::move(path)) {
    open();
    refill();
    gzipped_ = input_.avail_in >= 2 && buffer_[0] == 0x1f && buffer_[1] == 0x8b;
    if (gzipped_ && inflateInit2(&input_, 15 + 16) != Z_OK)
      throw error(path_ + ": zlib could not be started");
  }

  ~byte_source() {
    if (gzipped_) inflateEnd(&input_);
  }

  byte_source(byte_source const &) = delete;  // zlib keeps a pointer to its stream
  byte_source &operator=(byte_source const &) = delete;

  std::string const &path() const { return path_; }

  /// Unpacked bytes read so far.
  std::uint64_t position() const { return position_; }

  /// No file of this length unpacks to more bytes than this: deflate makes at most 1032 of one.
  std::uint64_t most_bytes() const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (is_stream_) return most;
    if (!gzipped_) return file_size_;
    return file_size_ > most / 1032 ? most : file_size_ * 1032;
  }

  /// Fills out; fewer bytes come back only at the end of the file.
  std::size_t read(std::span<std::uint8_t> out) {
    std::size_t const count = gzipped_ ? read_gzip(out) : read_plain(out);
    content_.add(out.data(), count);
    if (count < out.size()) content_.end(path_);
    return count;
  }

  /// All of a plain file, mapped read-only: processes that map it share one copy in memory, and
  /// nothing is read before it is used. No bytes where the file is gzipped or cannot be mapped. The
  /// file must stay as it is while it is mapped: where it shrinks, the system ends the process.
  shared_bytes mapped() const {
    std::size_t const size = static_cast<std::size_t>(file_size_);
    struct stat now{};
    int const file = ::fileno(file_.get());
    if (gzipped_ || is_stream_ || size == 0 || size != file_size_) return {};
    if (::fstat(file, &now) != 0 || static_cast<std::uint64_t>(now.st_size) != file_size_)
      throw input_error(path_, std::to_string(file_size_) + " bytes as a moment ago",
                        std::to_string(now.st_size) + " bytes");
    void *const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    if (address == MAP_FAILED) return {};
    std::shared_ptr<void const> owner(
        address, [size](void const *all) { ::munmap(const_cast<void *>(all), size); });
    detail::content_of_file content;
    content.add(address, size);
    content.end(path_);
    return {{static_cast<std::uint8_t const *>(address), size}, std::move(owner)};
  }

  /// Throws "path: byte position: expected ..., got ...".
  [[noreturn]] void fail(std::uint64_t at, std::string const &expected,
                         std::string const &got) const {
    throw input_error(path_ + ": byte " + std::to_string(at), expected, got);
  }

  /// Throws unless the file ends here; unpacks to the check sum of a gzipped file.
  void expect_end() {
    std::array<std::uint8_t, 1> more;
    std::uint64_t const here = position_;
    if (read(more) != 0) fail(here, "the end of the file", "more bytes");
  }

 private:
  struct closer {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };

  void open() {
    namespace fs = std::filesystem;
    std::error_code code;
    fs::file_status const status = fs::status(path_, code);
    if (fs::is_directory(status)) throw input_error(path_, "a file", "a folder");
    if (!fs::exists(status)) throw input_error(path_, "a file", "no file of this name");
    file_.reset(std::fopen(path_.c_str(), "rb"));
    if (!file_) throw input_error(path_, "a readable file", std::generic_category().message(errno));
    is_stream_ = !fs::is_regular_file(status);
    if (is_stream_) return;
    file_size_ = fs::file_size(path_, code);
    if (code) throw input_error(path_, "a readable file", code.message());
  }

  void refill() {
    std::size_t const count = std::fread(buffer_.get(), 1, buffer_bytes, file_.get());
    if (count == 0 && std::ferror(file_.get()))
      throw input_error(path_, "a readable file", "a read error");
    input_.next_in = buffer_.get();
    input_.avail_in = static_cast<uInt>(count);
  }

  std::size_t read_plain(std::span<std::uint8_t> out) {
    std::size_t done = 0;
    while (done < out.size()) {
      if (input_.avail_in == 0) refill();
      if (input_.avail_in == 0) break;
      std::size_t const count = std::min<std::size_t>(out.size() - done, input_.avail_in);
      std::copy_n(input_.next_in, count, out.data() + done);
      input_.next_in += count;
      input_.avail_in -= static_cast<uInt>(count);
      done += count;
    }
    position_ += done;
    return done;
  }

  std::size_t read_gzip(std::span<std::uint8_t> out) {
    std::size_t done = 0;
    while (done < out.size()) {
      if (input_.avail_in == 0) refill();
      if (member_ended_) {
        if (input_.avail_in == 0) break;
        inflateReset(&input_);  // gzip members may follow one another
        member_ended_ = false;
      }
      std::size_t const room = std::min(out.size() - done, buffer_bytes);
      input_.next_out = out.data() + done;
      input_.avail_out = static_cast<uInt>(room);
      bool const at_end = input_.avail_in == 0;
      int const code = inflate(&input_, Z_NO_FLUSH);
      std::size_t const count = room - input_.avail_out;
      done += count;
      position_ += count;
      judge(code, at_end && count == 0);
    }
    return done;
  }

  void judge(int code, bool starved) {
    if (code == Z_STREAM_END) {
      member_ended_ = true;
    } else if (code == Z_MEM_ERROR) {
      throw error(path_ + ": not enough memory to unpack");
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      fail(position_, "intact gzip data", input_.msg ? input_.msg : "damaged data");
    } else if (starved) {
      fail(position_, "more gzip data", "the end of the file");
    }
  }

  std::string path_;
  detail::content_of_file content_;
  std::unique_ptr<std::FILE, closer> file_;
  std::uint64_t file_size_ = 0;  // of no stream
  bool is_stream_ = false;       // a pipe or a device, of which nobody knows the size
  std::uint64_t position_ = 0;
  bool gzipped_ = false;
  bool member_ended_ = false;
  z_stream input_{};  // of a plain file, only next_in and avail_in are used
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;  // more than a stack may have
  std::unique_ptr<std::uint8_t[]> const buffer_ =
      std::make_unique_for_overwrite<std::uint8_t[]>(buffer_bytes);
};

/// All bytes of a file: mapped where it is a plain one, else unpacked into memory. Throws as
/// byte_source does.
inline shared_bytes all_bytes(std::string const &path) {
  byte_source file(path);
  if (shared_bytes all = file.mapped(); !all.bytes.empty()) return all;
  auto const copy = std::make_shared<std::vector<std::uint8_t>>();
  constexpr std::size_t block = std::size_t{1} << 20;
  for (std::size_t got = block; got == block;) {
    copy->resize(copy->size() + block);
    got = file.read(std::span(*copy).last(block));
    copy->resize(copy->size() - block + got);
  }
  return {*copy, copy};
}

}  // namespace gossip
