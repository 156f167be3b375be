// JSON of files as data and models are kept in: each member of an object once, and faults by their
// place in the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>

namespace gossip::detail {

/// A value as part of a sentence, at most 40 characters of it.
inline std::string shown(nlohmann::json const &value) {
  return value.is_structured() ? lines::quoted(value.dump(-1, ' ', true))
                               : value.dump(-1, ' ', true);
}

/// The value of a whole text. Throws input_error "where: byte 28, /user_data/f1/x/3: expected JSON,
/// got the end of the file behind '[0.5,'".
nlohmann::json parse_json(std::span<std::uint8_t const> text, std::string const &where);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/json_text.ipp>
#endif
