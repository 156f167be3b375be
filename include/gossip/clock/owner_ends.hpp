// The last activities of owners, nodes and then servers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/clock/activity_graph.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// The last activity of every owner, and that in which it last wrote its model.
class owner_ends {
 public:
  /// Both, (owners) each.
  struct place {
    std::vector<activity> last, written;
  };

  /// The graph outlives it.
  owner_ends(activity_graph &graph, std::size_t nodes, std::size_t owners)
      : graph_(graph),
        nodes_(nodes),
        at_{std::vector<activity>(owners), std::vector<activity>(owners)},
        idle_(nodes),
        is_touched_(owners) {}

  activity last(node i) const { return at_.last[i]; }
  activity written(node i) const { return at_.written[i]; }
  std::span<activity const> last_of_nodes() const { return std::span(at_.last).first(nodes_); }
  std::span<activity const> written_by_nodes() const {
    return std::span(at_.written).first(nodes_);
  }

  void set_last(node i, activity a) {
    if (i < nodes_) {
      if (graph_.over(at_.last[i]))
        --idle_;
      else
        --graph_[at_.last[i]].lasts;
      if (graph_.over(a))
        ++idle_;
      else
        ++graph_[a].lasts;
    }
    at_.last[i] = a;
    if (!std::exchange(is_touched_[i], std::uint8_t{1})) touched_.push_back(i);
  }
  void set_last_of_nodes(activity a) {
    for (node i = 0; i < nodes_; ++i) set_last(i, a);
  }

  /// Owner i, or every node, has written its model at the end of what it has to do.
  void write(node i) { at_.written[i] = at_.last[i]; }
  void write_all() { std::copy_n(at_.last.begin(), nodes_, at_.written.begin()); }

  place const &here() const { return at_; }
  void restore(place const &before) {
    for (node i = 0; i < at_.last.size(); ++i) set_last(i, before.last[i]);
    at_.written = before.written;
  }

  /// Nodes that have nothing to do. The end of an activity tells it whose last it was.
  std::size_t idle() const { return idle_; }
  void end(activity_graph::record const &a) { idle_ += a.lasts; }

  /// The last activities of owners that have another one since the last call.
  std::vector<activity> take_changed() {
    std::vector<activity> changed;
    for (node const i : touched_) {
      changed.push_back(at_.last[i]);
      is_touched_[i] = 0;
    }
    touched_.clear();
    return changed;
  }

 private:
  activity_graph &graph_;
  std::size_t nodes_;
  place at_;
  std::size_t idle_;
  std::vector<node> touched_;             // each once
  std::vector<std::uint8_t> is_touched_;  // (owners)
};

}  // namespace gossip
