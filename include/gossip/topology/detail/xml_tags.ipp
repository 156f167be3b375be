// Definitions of topology/detail/xml_tags.hpp.
#pragma once

#include <gossip/topology/detail/xml_tags.hpp>

#include <charconv>
#include <system_error>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE bool xml_tags::next(xml_tag &tag) {
  if (empty_) open_.pop_back();
  empty_ = false;
  while (find_tag()) {
    line_ = file_.number();
    int const first = required_byte();
    if (first == '?') {
      pass("?>");
    } else if (first == '!') {
      pass_declaration();
    } else if (first == '/') {
      close(markup(required_byte()));
    } else {
      open(markup(first), tag);
      return true;
    }
  }
  if (!open_.empty()) file_.fail("</" + open_.back() + ">", "the end of the file");
  return false;
}

GOSSIP_INLINE bool xml_tags::find_tag() {
  for (int byte = file_.next_byte(); byte >= 0; byte = file_.next_byte()) {
    if (byte == '<') return true;
    bool const mark = !begun_ && byte == 0xEF;  // a byte order mark: EF BB BF
    if (mark && file_.next_byte() == 0xBB && file_.next_byte() == 0xBF) continue;
    char const c = static_cast<char>(byte);
    if (open_.empty() && (mark || blanks.find(c) == std::string_view::npos))
      file_.fail("an XML file", "text outside of its elements");
  }
  return false;
}

GOSSIP_INLINE void xml_tags::pass_declaration() {
  std::string begin;
  while (begin != "--" && begin != "[CDATA[") {
    int const byte = required_byte();
    if (byte == '>') return;
    if (byte == '[' && !begin.empty() && begin != "[CDATA")
      fail("a document type without an internal subset", "an internal subset");
    begin += static_cast<char>(byte);
    if (begin.size() > longest) fail("tags of at most 65536 bytes", "a longer tag");
  }
  pass(begin == "--" ? "-->" : "]]>");
}

GOSSIP_INLINE std::string xml_tags::markup(int first) {
  std::string text;
  char quote = 0;
  for (int byte = first; quote != 0 || byte != '>'; byte = required_byte()) {
    char const c = static_cast<char>(byte);
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '<')
      fail("the end of a tag", "'<'");
    text += c;
    if (text.size() > longest) fail("tags of at most 65536 bytes", "a longer tag");
  }
  return text;
}

GOSSIP_INLINE void xml_tags::close(std::string_view text) {
  std::string_view const name = without_prefix(text.substr(0, text.find_first_of(blanks)));
  if (open_.empty() || name != open_.back())
    fail(open_.empty() ? "the end of the file" : "</" + open_.back() + ">",
         lines::quoted("</" + std::string(name) + ">"));
  open_.pop_back();
}

GOSSIP_INLINE void xml_tags::open(std::string_view text, xml_tag &tag) {
  if (open_.empty() && begun_) fail("one root element", "a second root element");
  begun_ = true;
  empty_ = text.ends_with('/');
  if (empty_) text.remove_suffix(1);
  std::size_t const end = std::min(text.find_first_of(blanks), text.size());
  tag.name = without_prefix(text.substr(0, end));
  if (tag.name.empty()) fail("the name of an element", lines::quoted(text));
  tag.attributes.clear();
  text.remove_prefix(end);
  while (take_attribute(text, tag)) {
  }
  open_.push_back(tag.name);
}

GOSSIP_INLINE bool xml_tags::take_attribute(std::string_view &text, xml_tag &tag) const {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  if (text.empty()) return false;
  std::size_t const name_end = text.find_first_of(" \t\r\n=");
  std::size_t const equals = text.find('=');
  std::size_t const begin =
      equals == std::string_view::npos ? equals : text.find_first_not_of(blanks, equals + 1);
  bool const quoted =
      begin != std::string_view::npos && (text[begin] == '"' || text[begin] == '\'');
  std::size_t const end = quoted ? text.find(text[begin], begin + 1) : std::string_view::npos;
  if (end == std::string_view::npos) fail("attributes as name=\"value\"", lines::quoted(text));
  tag.attributes.emplace_back(without_prefix(text.substr(0, name_end)),
                              plain(text.substr(begin + 1, end - begin - 1)));
  text.remove_prefix(end + 1);
  return true;
}

GOSSIP_INLINE std::string xml_tags::plain(std::string_view text) const {
  std::string result;
  while (!text.empty()) {
    std::size_t const at = std::min(text.find('&'), text.size());
    result += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    std::size_t const end = text.find(';');
    std::string_view const name = text.substr(1, end == std::string_view::npos ? 0 : end - 1);
    if (!append_reference(result, name))
      fail("a character or one of &lt; &gt; &amp; &quot; &apos;", lines::quoted(text));
    text.remove_prefix(end + 1);
  }
  return result;
}

GOSSIP_INLINE bool xml_tags::append_reference(std::string &to, std::string_view name) {
  for (auto const &[known, c] : {std::pair("lt", '<'), std::pair("gt", '>'), std::pair("amp", '&'),
                                 std::pair("quot", '"'), std::pair("apos", '\'')})
    if (name == known) return to += c, true;
  if (!name.starts_with('#')) return false;
  bool const hex = name.starts_with("#x");
  std::string_view const digits = name.substr(hex ? 2 : 1);
  std::uint32_t code = 0;
  auto const [stop, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  if (fault != std::errc() || stop != digits.data() + digits.size() || code > 0x10FFFF)
    return false;
  append_character(to, code);
  return true;
}

GOSSIP_INLINE void xml_tags::append_character(std::string &to, std::uint32_t code) {
  int const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes behind
  std::uint32_t const marks[]{0x00, 0xC0, 0xE0, 0xF0};
  to += static_cast<char>(marks[more] | code >> 6 * more);
  for (int k = more - 1; k >= 0; --k) to += static_cast<char>(0x80 | (code >> 6 * k & 0x3F));
}

}  // namespace gossip::detail
