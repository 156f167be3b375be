#include "run_files.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <gossip/core/error.hpp>

namespace report {

bool is_there(std::string const &path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string text_of(std::string const &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()) || file.bad()) {
    std::error_code ignored;
    bool const empty = file && std::filesystem::file_size(path, ignored) == 0 && !ignored;
    if (!empty)
      throw gossip::input_error(path, "a readable file",
                                is_there(path) ? "a file that cannot be read" : "none");
  }
  return std::move(text).str();
}

std::string in_utf8(std::string const &text) {
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

std::string beginning(std::string const &text) {
  std::string shown;
  for (char const c : text.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
  return "'" + shown + (text.size() > 40 ? "...'" : "'");
}

namespace {

/// Without exceptions, for the caller's sentence; nothing where it is no object.
std::optional<json> object_in(std::string const &text) {
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded() || !value.is_object()) return std::nullopt;
  return value;
}

}  // namespace

json object_of(std::string const &path) {
  std::string const text = text_of(path);
  if (auto value = object_in(text)) return *std::move(value);
  throw gossip::input_error(path, "a JSON object",
                            text.empty() ? "an empty file" : beginning(text));
}

void each_observation(std::string const &path,
                      std::function<void(std::string const &, json const &)> const &take) {
  std::istringstream text(text_of(path));
  std::string line;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    std::string const where = path + ":" + std::to_string(number);
    auto const observation = object_in(line);
    if (!observation)
      throw gossip::input_error(where, "a JSON object, an observation of the run",
                                line.empty() ? "an empty line" : beginning(line));
    for (char const *name : {"epoch", "virtual_seconds", "bytes_sent"})
      if (auto const found = observation->find(name);
          found == observation->end() || !found->is_number())
        throw gossip::input_error(where, "a number '" + std::string(name) + "'",
                                  found == observation->end() ? "none" : found->dump());
    take(where, *observation);
  }
}

}  // namespace report
