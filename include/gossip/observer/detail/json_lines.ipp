// Definitions of observer/json_lines.hpp.
#pragma once

#include <gossip/observer/json_lines.hpp>

#include <gossip/core/inline.hpp>
#include <gossip/observer/json.hpp>

namespace gossip {

GOSSIP_INLINE void json_lines::take(record const &r) {
  file_.append(to_json(r).dump() + '\n');
}

}  // namespace gossip
