// The tags of an XML file one after another, gzipped or not, in bounded memory: as much of XML 1.0
// as files of data use. Text between tags is passed over; every fault names path and line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>

namespace gossip::detail {

/// The beginning of an element. Names are without the prefix of a namespace.
struct xml_tag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;

  /// Null where there is none of this name.
  std::string const *attribute(std::string_view wanted) const {
    for (auto const &[known, value] : attributes)
      if (known == wanted) return &value;
    return nullptr;
  }
};

class xml_tags {
 public:
  explicit xml_tags(lines file) : file_(std::move(file)) {}

  /// The next beginning of an element; false at the end of a file whose elements are all closed.
  bool next(xml_tag &tag);

  /// The element around the last tag, or "".
  std::string_view parent() const {
    return open_.size() < 2 ? std::string_view() : open_[open_.size() - 2];
  }

  std::string const &path() const { return file_.path(); }
  /// That the last tag begins in.
  std::size_t line() const { return line_; }
  /// Throws "path:line: expected ..., got ...".
  [[noreturn]] void fail(std::string const &expected, std::string const &got) const {
    throw input_error(path() + ":" + std::to_string(line_), expected, got);
  }

 private:
  static constexpr std::size_t longest = std::size_t{1} << 16;  // bytes of a tag
  static constexpr std::string_view blanks = " \t\r\n";

  int required_byte() {
    int const byte = file_.next_byte();
    if (byte < 0) file_.fail("the end of a tag", "the end of the file");
    return byte;
  }

  /// Passes over text to behind the next '<'; false at the end of the file.
  bool find_tag();

  void pass(std::string_view end) {
    std::string last;
    while (last != end) {
      last += static_cast<char>(required_byte());
      if (last.size() > end.size()) last.erase(0, 1);
    }
  }

  /// A comment, a section of text or a document type.
  void pass_declaration();

  /// A tag from its first byte to '>', which is left out.
  std::string markup(int first);

  static std::string_view without_prefix(std::string_view name) {
    return name.substr(name.find(':') + 1);
  }

  void close(std::string_view text);

  void open(std::string_view text, xml_tag &tag);

  /// name="value", with blanks before it; false where none is left.
  bool take_attribute(std::string_view &text, xml_tag &tag) const;

  /// With its references replaced: &amp; and the other four, &#65; and &#x41; in UTF-8.
  std::string plain(std::string_view text) const;

  static bool append_reference(std::string &to, std::string_view name);

  static void append_character(std::string &to, std::uint32_t code);

  lines file_;
  std::vector<std::string> open_;  // elements, the outermost first
  bool empty_ = false;             // the last of them has no content: <node id="0"/>
  bool begun_ = false;
  std::size_t line_ = 0;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/xml_tags.ipp>
#endif
