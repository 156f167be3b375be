// The rows of servers as a fleet of their own, for observers, who know nodes alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

/// The size of a fleet of the models of the servers among these rows: server k is its node k.
constexpr fleet_size size_of_servers(fleet_size const &all) {
  return {all.servers, all.parameters, 0, false, all.rows_of_models() - all.rows()};
}

/// A copy of the servers' models that are here; all of them or none.
template <class Fleet>
class server_rows {
 public:
  /// Current values.
  Fleet const &copied_from(Fleet const &rows) {
    if (!copy_) copy_.emplace(size_of_servers(rows.size()));
    fleet_size const &size = copy_->size();
    std::vector<node> const owners = owners_of_models(rows);
    for (std::size_t k = 0; k < size.rows(); ++k) {
      node const server = owners[rows.size().rows() + k];
      std::copy_n(rows.whole(used_slots{1}, server).row(0, server), size.parameters,
                  copy_->parameters(static_cast<node>(k)));
    }
    return *copy_;
  }

 private:
  std::optional<Fleet> copy_;
};

/// The ranks of the servers, as if they were nodes.
inline rank_layout layout_of_servers(rank_layout const &all, std::size_t servers) {
  std::vector<std::uint32_t> owners;
  for (std::size_t k = 0; k < servers; ++k)
    owners.push_back(static_cast<std::uint32_t>(all.owner(static_cast<node>(all.nodes() + k))));
  return {owners, all.ranks(), all.rank()};
}

}  // namespace gossip
