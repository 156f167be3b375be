// DivShare. S. Biswas, A.-M. Kermarrec, A. Marouani, R. Pires, R. Sharma, M. de Vos, "Boosting
// asynchronous decentralized learning with model fragmentation", WWW 2025.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// After every `local_steps` steps of its own a node sends each fragment of its model h to `peers`
/// others, drawn anew for each, and does not wait; then in each fragment it takes the mean of its
/// own and what it has heard of it since it did last: x <- (h + sum of heard) / (1 + how many). Of
/// a fragment heard twice from the same node the later counts. Fragments are nearly equal columns
/// side by side, those of the authors' code columns drawn once. A message travels alone: none is
/// given up for newer ones, as where a node's link is busy. The graph does not matter; statistics
/// of batch normalisation stay.
struct div_share {
  std::size_t fragments = 10;
  std::size_t peers = 6;
  std::uint64_t local_steps = 1;  ///< from one mean to the next

  struct node_state {
    std::uint64_t steps = 0;
    std::vector<message_header> heard{};  // since the last mean: by fragment, then by arrival
  };

  void on_trained(auto &plan, node i) const {
    check_fragments("div_share: fragments", fragments, plan.columns());
    plan.step(i);
    if (++plan.state(i).steps % local_steps == 0) {
      if (plan.nodes() > 1) send_fragments(plan, i);
      take_mean(plan, i);
    }
    plan.train(i);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    auto &heard = plan.state(i).heard;
    plan.keep(m);
    auto const before = std::ranges::find_if(heard, [&](message_header const &other) {
      return other.from == m.from && other.columns == m.columns;
    });
    if (before != heard.end()) {
      plan.drop(*before);
      *before = m;
      return;
    }
    auto const first = [](message_header const &one) { return one.columns.first; };
    heard.insert(std::ranges::upper_bound(heard, m.columns.first, {}, first), m);
  }

  static constexpr exchange_properties properties() {
    return {.when_network_changes = network_changes::ignored};
  }
  void check(graph const &g) const { check_peers("div_share: peers", peers, g.nodes()); }

  static constexpr char const *name = "div_share";
  static constexpr char const *meaning =
      "Biswas et al. 2025: asynchronous nodes send fragments of models to random nodes";
  static constexpr auto members() {
    return member_list{
        described("fragments", &div_share::fragments,
                  "number of fragments of a model, of adjacent columns", {.least = 1}),
        described("peers", &div_share::peers,
                  "number of random nodes to which a node sends each fragment", {.least = 1}),
        described("local_steps", &div_share::local_steps, "number of local steps between two means",
                  {.least = 1})};
  }

 private:
  void send_fragments(auto &plan, node i) const {
    std::vector<fragment_receiver> receivers;
    for (std::size_t p = 0; p < fragments; ++p)
      for (node const j : random_nodes(plan.nodes() - 1, peers, [&] { return plan.random(i); }))
        receivers.push_back({j >= i ? j + 1 : j, plan.fragment_of(p, fragments)});
    plan.send_fragments(i, receivers, {{1, model_row}});
  }

  void take_mean(auto &plan, node i) const {
    auto &heard = plan.state(i).heard;
    for (auto first = heard.begin(); first != heard.end();) {
      auto const last = std::find_if(
          first, heard.end(), [&](message_header const &m) { return m.columns != first->columns; });
      double const share = 1 / static_cast<double>(1 + (last - first));
      std::vector<message_term> terms;
      for (; first != last; ++first) terms.push_back({share, *first});
      plan.assign(i, model_row, {{share, model_row}}, terms);
    }
    for (message_header const &m : heard) plan.drop(m);
    heard.clear();
  }
};

static_assert(exchange<div_share>);

}  // namespace gossip
