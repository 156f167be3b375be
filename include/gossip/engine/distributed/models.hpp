// The models of nodes and servers of all ranks, for observers of one.
#pragma once

#include <optional>

#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/server_rows.hpp>

namespace gossip {

/// Executor: as distributed_engine's, whose rows these are.
template <class Executor>
class rank_models {
  using Ranks = typename Executor::ranks_type;

 public:
  using rows_type =
      ranked_rows<typename Executor::types::storage, typename Executor::host_fleet, Ranks>;

  /// Everything outlives it. whole: the size of the network's fleet.
  rank_models(Executor &share, rank_layout const &layout, Ranks const &ranks,
              fleet_size const &whole)
      : executor_(share),
        ranks_(ranks),
        whole_(whole),
        nodes_(share.host_rows(), layout, ranks, whole),
        layout_of_servers_(layout_of_servers(layout, whole.servers)) {}

  /// Current values.
  rows_type const &of_nodes() {
    executor_.bring_rows();
    nodes_.renew();
    return nodes_;
  }
  rows_type const &of_servers() {
    auto const &own = executor_.host_rows_of_servers();
    if (!servers_) servers_.emplace(own, layout_of_servers_, ranks_, size_of_servers(whole_));
    servers_->renew();
    return *servers_;
  }

 private:
  Executor &executor_;
  Ranks const &ranks_;
  fleet_size whole_;
  rows_type nodes_;
  rank_layout layout_of_servers_;  // as if they were nodes
  std::optional<rows_type> servers_;
};

}  // namespace gossip
