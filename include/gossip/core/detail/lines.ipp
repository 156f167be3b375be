// Definitions of core/lines.hpp.
#pragma once

#include <gossip/core/lines.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE lines::lines(std::string path)
    : path_(std::move(path)), buffer_(std::size_t{1} << 16) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) throw input_error(path_, "a file", "a folder");
  errno = 0;
  file_.reset(gzopen(path_.c_str(), "rb"));
  if (!file_) throw input_error(path_, "a readable file", quoted(system_message()));
}

GOSSIP_INLINE bool lines::next(std::string_view &line) {
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

GOSSIP_INLINE int lines::next_byte() {
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

GOSSIP_INLINE std::string_view lines::beginning() {
  auto const bytes_there = [&] { return std::string_view(buffer_.data(), end_).substr(begin_); };
  while (
      (end_ - begin_ < 256 || bytes_there().find_first_not_of(" \t\r\n") == bytes_there().npos) &&
      fill()) {
  }
  std::string_view const bytes(buffer_.data() + begin_, end_ - begin_);
  return bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
}

GOSSIP_INLINE std::string lines::quoted(std::string_view text) {
  std::string result = "'";
  for (char const c : text.substr(0, 40)) result += c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : c;
  return result + (text.size() > 40 ? "...'" : "'");
}

GOSSIP_INLINE bool lines::fill() {
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

GOSSIP_INLINE void lines::require_text(std::string_view bytes) {
  bool const first = !std::exchange(begun_, true);
  if (first && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")))
    throw input_error(path_, "text in UTF-8 or ASCII", "text in UTF-16");
  if (bytes.find('\0') != std::string_view::npos)
    throw input_error(path_, "text in UTF-8 or ASCII", "bytes 0, as in UTF-16 or in binary files");
}

GOSSIP_INLINE bool is_comment(std::string_view line) {
  std::size_t const first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  return line[first] == '#' || line[first] == '%' || line.substr(first).starts_with("//");
}

GOSSIP_INLINE bool take_number(std::string_view &text, std::uint64_t &value) {
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

GOSSIP_INLINE bool read_numbers(std::string_view line, std::vector<double> &numbers) {
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
