// Definitions of core/processor.hpp.
#pragma once

#include <gossip/core/processor.hpp>

#include <array>
#include <cstdio>
#include <memory>
#include <string_view>

#include <gossip/core/inline.hpp>

namespace gossip {

namespace detail {

/// The value of "name : value", or nothing where the line has another name.
GOSSIP_INLINE std::string_view value_after(std::string_view line, std::string_view name) {
  if (!line.starts_with(name)) return {};
  line.remove_prefix(name.size());
  std::size_t const at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != ':') return {};
  line.remove_prefix(at + 1);
  std::size_t const first = line.find_first_not_of(" \t");
  std::size_t const last = line.find_last_not_of(" \t\r\n");
  if (first == std::string_view::npos || last < first) return {};
  return line.substr(first, last - first + 1);
}

}  // namespace detail

GOSSIP_INLINE std::string processor_of(char const *path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> const file(std::fopen(path, "r"), &std::fclose);
  if (!file) return "unknown";
  std::string name, family, model, implementer, part;
  auto const take = [](std::string &to, std::string_view value) {
    if (to.empty()) to = value;
  };
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), file.get())) {
    std::string_view const text(line.data());
    if (text == "\n" && (!name.empty() || !part.empty()))
      break;  // the next processor's lines follow
    take(name, detail::value_after(text, "model name"));
    take(family, detail::value_after(text, "cpu family"));
    take(model, detail::value_after(text, "model"));
    take(implementer, detail::value_after(text, "CPU implementer"));
    take(part, detail::value_after(text, "CPU part"));
  }
  if (!name.empty() && !family.empty() && !model.empty())
    return name + " (family " + family + ", model " + model + ')';
  if (!name.empty()) return name;
  if (!part.empty()) return "implementer " + implementer + ", part " + part;
  return "unknown";
}

}  // namespace gossip
