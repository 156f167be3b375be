// A text file line by line or byte by byte, gzipped or not, in bounded memory; every fault names
// path and line.
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <zlib.h>

#include <gossip/core/error.hpp>
#include <gossip/core/files_read.hpp>

namespace gossip::detail {

/// Reads lines of any length up to 1 GiB; a byte order mark and the CR of CRLF are taken off.
class lines {
 public:
  explicit lines(std::string path) : path_(std::move(path)), buffer_(std::size_t{1} << 16) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored))
      throw input_error(path_, "a file", "a folder");
    errno = 0;
    file_.reset(gzopen(path_.c_str(), "rb"));
    if (!file_) throw input_error(path_, "a readable file", quoted(system_message()));
  }

  /// The next line without its end, valid until the next call; false at the end of the file.
  bool next(std::string_view &line) {
    std::size_t searched = begin_;
    char const *found = nullptr;
    while ((found = find_newline(searched)) == nullptr) {
      searched = end_ - begin_;
      if (!fill()) break;
    }
    if (found == nullptr && begin_ == end_) return false;
    ++number_;
    std::size_t const stop = found ? static_cast<std::size_t>(found - buffer_.data()) : end_;
    line = std::string_view(buffer_.data() + begin_, stop - begin_);
    begin_ = found ? stop + 1 : stop;
    if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

  /// The next byte where the file is not read by lines, or -1 at its end. Bytes of any number of
  /// lines are counted into lines; nothing is taken off.
  int next_byte() {
    if (begin_ == end_) {
      number_ -= within_line_;  // a fault within fill() adds it again
      bool const more = fill();
      number_ += within_line_;
      if (!more) return -1;
    }
    unsigned char const byte = static_cast<unsigned char>(buffer_[begin_++]);
    number_ += !within_line_;
    within_line_ = byte != '\n';
    return byte;
  }

  /// The bytes that are read next, without a byte order mark: some hundred, with the first that is
  /// no blank. To be called before the first line is read.
  std::string_view beginning() {
    auto const bytes_there = [&] { return std::string_view(buffer_.data(), end_).substr(begin_); };
    while (
        (end_ - begin_ < 256 || bytes_there().find_first_not_of(" \t\r\n") == bytes_there().npos) &&
        fill()) {
    }
    std::string_view const bytes(buffer_.data() + begin_, end_ - begin_);
    return bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
  }

  std::string const &path() const { return path_; }
  /// Of the line that was read last.
  std::size_t number() const { return number_; }

  /// Throws "path:line: expected ..., got ...".
  [[noreturn]] void fail(std::string const &expected, std::string const &got) const {
    throw input_error(path_ + ":" + std::to_string(number_), expected, got);
  }

  /// Text of a file as part of a sentence: in quotes, printable, at most 40 characters.
  static std::string quoted(std::string_view text) {
    std::string result = "'";
    for (char const c : text.substr(0, 40))
      result += c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : c;
    return result + (text.size() > 40 ? "...'" : "'");
  }

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
  bool fill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= std::exchange(begin_, 0);
    ++number_;  // faults from here on belong to the line that is being read
    if (end_ == longest)
      fail("lines of at most " + std::to_string(longest) + " bytes", "a longer line");
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    errno = 0;
    int const got =
        gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
    int code = Z_OK;
    gzerror(file_.get(), &code);
    if (code == Z_BUF_ERROR) fail("a complete gzip file", "a truncated file");
    if (code == Z_ERRNO) fail("a readable file", quoted(system_message()));
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) fail("gzip data", "damaged data");
    --number_;
    content_.add(buffer_.data() + end_, static_cast<std::size_t>(got));
    require_text({buffer_.data() + end_, static_cast<std::size_t>(got)});
    if (got == 0) content_.end(path_);
    end_ += static_cast<std::size_t>(got);
    return got > 0;
  }

  /// Texts have no byte 0; where one comes second or first, they are in UTF-16.
  void require_text(std::string_view bytes) {
    bool const first = !std::exchange(begun_, true);
    if (first && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")))
      throw input_error(path_, "text in UTF-8 or ASCII", "text in UTF-16");
    if (bytes.find('\0') != std::string_view::npos)
      throw input_error(path_, "text in UTF-8 or ASCII",
                        "bytes 0, as in UTF-16 or in binary files");
  }

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
inline bool is_comment(std::string_view line) {
  std::size_t const first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  return line[first] == '#' || line[first] == '%' || line.substr(first).starts_with("//");
}

/// Takes a number and the blanks and commas before it off the text; false, and the text as it was,
/// if there is none below 2^64.
inline bool take_number(std::string_view &text, std::uint64_t &value) {
  constexpr std::string_view separators = " \t,";
  std::size_t const first = std::min(text.find_first_not_of(separators), text.size());
  std::string_view const rest = text.substr(first);
  auto const [stop, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  auto const length = static_cast<std::size_t>(stop - rest.data());
  if (fault != std::errc{}) return false;
  if (length < rest.size() && separators.find(rest[length]) == std::string_view::npos) return false;
  text = rest.substr(length);
  return true;
}

/// The numbers of a line between commas, semicolons, tabs or blanks; false where one is none.
inline bool read_numbers(std::string_view line, std::vector<double> &numbers) {
  constexpr std::string_view separators = ",;\t";
  numbers.clear();
  while (true) {
    std::size_t const length = std::min(line.find_first_of(separators), line.size());
    std::string_view field = line.substr(0, length);
    while (!field.empty() && (field.front() == ' ' || field.front() == '+')) field.remove_prefix(1);
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    double value = 0;
    auto const [stop, fault] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (fault != std::errc{} || stop != field.data() + field.size()) return false;
    numbers.push_back(value);
    if (length == line.size()) return true;
    line.remove_prefix(length + 1);
  }
}

}  // namespace gossip::detail
