// Definitions of core/error.hpp.
#pragma once

#include <gossip/core/error.hpp>

#include <string>
#include <system_error>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE write_error::write_error(std::string const &path, int code)
    : error(path + ": cannot be written: " + std::generic_category().message(code)), code_(code) {}

GOSSIP_INLINE input_error::input_error(std::string const &where, std::string const &expected,
                                       std::string const &got)
    : error(where + ": expected " + expected + ", got " + got),
      where_(where),
      expected_(expected),
      got_(got) {}

}  // namespace gossip
