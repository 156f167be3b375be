// What is wrong with JSON, in the words of the parser.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace simulate {

/// The reason without what names the parser's types: "key 'seconds' not found".
inline std::string reason(nlohmann::json::exception const &fault) {
  std::string const words = fault.what();
  for (std::string const mark : {" - ", "parse error: ", "] "})
    if (std::size_t const at = words.find(mark); at != std::string::npos)
      return words.substr(at + mark.size());
  return words;
}

}  // namespace simulate
