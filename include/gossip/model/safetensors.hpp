// The header of safetensors, the file format of Hugging Face: 8 bytes with the length of a JSON
// object, little-endian, the object with name, type, shape and place of each tensor, then all
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gossip::detail {

/// A tensor of a file; begin, end: bytes behind the header.
struct safetensors_entry {
  std::string name, type;
  std::vector<std::size_t> shape;
  std::uint64_t begin, end;
};

/// The text of a header, with spaces behind it up to a multiple of 8 bytes. Names are UTF-8.
inline std::string safetensors_header(std::vector<safetensors_entry> const &entries) {
  auto const escaped = [](std::string const &name) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (char const c : name)
      if (auto const code = static_cast<unsigned char>(c); code < 0x20 || c == '"' || c == '\\')
        text.append("\\u00") += {digits[code / 16], digits[code % 16]};
      else
        text += c;
    return text;
  };
  std::string text = "{";
  for (safetensors_entry const &one : entries) {
    text += text.size() == 1 ? "\"" : ",\"";
    text += escaped(one.name) + R"(":{"dtype":")" + one.type + R"(","shape":[)";
    for (std::size_t k = 0; k < one.shape.size(); ++k)
      text.append(k == 0 ? "" : ",").append(std::to_string(one.shape[k]));
    text += R"(],"data_offsets":[)";
    text += std::to_string(one.begin) + "," + std::to_string(one.end) + "]}";
  }
  text += "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace gossip::detail
