// A text file line by line or byte by byte, gzipped or not, in bounded memory; every fault names
// path and line.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <zlib.h>

#include <gossip/core/error.hpp>
#include <gossip/core/files_read.hpp>

namespace gossip::detail {

/// Reads lines of any length up to 1 GiB; a byte order mark and the CR of CRLF are taken off.
class lines {
 public:
  explicit lines(std::string path);

  /// The next line without its end, valid until the next call; false at the end of the file.
  bool next(std::string_view &line);

  /// The next byte where the file is not read by lines, or -1 at its end. Bytes of any number of
  /// lines are counted into lines; nothing is taken off.
  int next_byte();

  /// The bytes that are read next, without a byte order mark: some hundred, with the first that is
  /// no blank. To be called before the first line is read.
  std::string_view beginning();

  std::string const &path() const { return path_; }
  /// Of the line that was read last.
  std::size_t number() const { return number_; }

  /// Throws "path:line: expected ..., got ...".
  [[noreturn]] void fail(std::string const &expected, std::string const &got) const {
    throw input_error(path_ + ":" + std::to_string(number_), expected, got);
  }

  /// Text of a file as part of a sentence: in quotes, printable, at most 40 characters.
  static std::string quoted(std::string_view text);

 private:
  static constexpr std::size_t longest = std::size_t{1} << 30;
  struct closer {
    void operator()(gzFile_s *file) const { gzclose(file); }
  };

  static std::string system_message() {
    return errno == 0 ? "out of memory" : std::generic_category().message(errno);
  }

  char const *find_newline(std::size_t from) const {
    if (from >= end_) return nullptr;
    return static_cast<char const *>(std::memchr(buffer_.data() + from, '\n', end_ - from));
  }

  /// Moves what is left to the front and reads behind it; false at the end of the file.
  bool fill();

  /// Texts have no byte 0; where one comes second or first, they are in UTF-16.
  void require_text(std::string_view bytes);

  std::string path_;
  content_of_file content_;
  std::unique_ptr<gzFile_s, closer> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t number_ = 0;
  bool begun_ = false;
  bool within_line_ = false;  // of next_byte: the last one was no end of a line
};

/// An empty line, or one that begins with #, % or //.
bool is_comment(std::string_view line);

/// Takes a number and the blanks and commas before it off the text; false, and the text as it was,
/// if there is none below 2^64.
bool take_number(std::string_view &text, std::uint64_t &value);

/// The numbers of a line between commas, semicolons, tabs or blanks; false where one is none.
bool read_numbers(std::string_view line, std::vector<double> &numbers);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/lines.ipp>
#endif
