// The bytes of a file in order, unpacked if the file is gzipped; or all of a plain file, mapped.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <string>

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
  explicit byte_source(std::string path);

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
  shared_bytes mapped() const;

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

  void open();

  void refill();

  std::size_t read_plain(std::span<std::uint8_t> out);

  std::size_t read_gzip(std::span<std::uint8_t> out);

  void judge(int code, bool starved);

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
shared_bytes all_bytes(std::string const &path);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/byte_source.ipp>
#endif
