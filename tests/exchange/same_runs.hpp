// Comparison of two runs whose bits are to be the same.
#pragma once

#include <gossip/core/named_state.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/observer/report.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "laws.hpp"

namespace gossip::test {

/// Of runs of any engines, but for times of the wall clock.
inline void check_same(named_state const &a, named_state const &b) {
  std::vector<std::string> differ;
  for (auto const &[name, part] : a.parts()) {
    auto const other = b.parts().find(name);
    bool const same = other != b.parts().end() && other->second == part;
    if (!same && name.find("wall seconds") == std::string::npos) differ.push_back(name);
  }
  CHECK(differ == std::vector<std::string>{});
  CHECK(a.parts().size() == b.parts().size());
}

inline void check_same(watched_run const &a, watched_run const &b) {
  CHECK(hex(a.report.digest) == hex(b.report.digest));
  CHECK(a.seen.size() == b.seen.size());
  for (std::size_t k = 0; k < std::min(a.seen.size(), b.seen.size()); ++k)
    CHECK(a.seen[k].at.loss == b.seen[k].at.loss);
  CHECK(a.report.node_iterations == b.report.node_iterations);
  CHECK(a.report.bytes_sent == b.report.bytes_sent);
  CHECK(a.report.virtual_seconds == b.report.virtual_seconds);
  CHECK(a.report.answers == b.report.answers);
  REQUIRE(a.report.skipped.has_value() == b.report.skipped.has_value());
  if (a.report.skipped) CHECK(a.report.skipped->steps == b.report.skipped->steps);
  CHECK(a.seen.back().rows == b.seen.back().rows);
}

}  // namespace gossip::test
