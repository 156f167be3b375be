// Files of a run's folder, and the sentences about those that are damaged.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace report {

using json = nlohmann::ordered_json;

bool is_there(std::string const &path);

/// Throws gossip::input_error where the file cannot be read.
std::string text_of(std::string const &path);

/// The text with a replacement character for each byte that is no UTF-8.
std::string in_utf8(std::string const &text);

/// Not more of a text than a sentence has room for, in quotes.
std::string beginning(std::string const &text);

/// Throws gossip::input_error where the file is no JSON object.
json object_of(std::string const &path);

/// take("path:number", object) for each line of a file. Throws gossip::input_error where a line is
/// no JSON object, or has no epoch, virtual_seconds or bytes_sent.
void each_observation(std::string const &path,
                      std::function<void(std::string const &, json const &)> const &take);

}  // namespace report
