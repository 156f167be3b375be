// The training that an error is about, in words.
#pragma once

#include <string>

#include <gossip/plan/operation.hpp>

namespace gossip {

inline std::string training_place(operation const &o) {
  std::string const where = "node " + std::to_string(o.a);
  if (!o.names_share()) return where + ", step " + std::to_string(o.batch());
  return where + ", batch " + std::to_string(o.batch()) + " of share " + std::to_string(o.share());
}

}  // namespace gossip
