// Streaming DiLoCo. A. Douillard, Y. Donchev, K. Rush, S. Kale, Z. Charles, Z. Garrett, G. Teston,
// D. Lacey, R. McIlroy, J. Shen, A. Rame, A. Szlam, M. Ranzato, P. Barham, "Streaming DiLoCo with
// overlapping communication: towards a distributed free lunch", arXiv 2501.18512 (2025),
// Algorithm 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/exchange/diloco.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// DiLoCo by fragments of nearly equal columns side by side. Every `local_steps` rounds, fragment p
/// of P from round p local_steps / P on, all begin to take the mean of a fragment, and train on
/// while it travels. `delay` rounds later they make the outer step of diloco with it, from the
/// common fragment y to y+, and x <- own_share x + (1 - own_share) y+. One fragment without delay
/// and share is diloco, up to statistics of batch normalisation, which stay. Numbers travel in all
/// digits. The graph does not matter; three rows a node.
struct streaming_diloco : diloco {
  std::size_t fragments = 4;
  std::uint64_t delay = 1;  ///< rounds from a mean's begin to its outer step; tau in the paper
  double own_share = 0.5;   ///< alpha in the paper

  struct node_state {
    std::vector<completion> done{};  ///< (fragments) the end of each one's last mean
  };
  static constexpr std::size_t rows = diloco::rows + 1;
  static constexpr row_name mean = exchange_row(diloco::rows);
  // Of the rounds after the last outer step some fragments have had theirs: no period is told.
  static constexpr exchange_properties properties() {
    return {.gradient_waits = false, .when_network_changes = network_changes::ignored};
  }

  void on_round(auto &plan, round_number k) const {
    if (k == 0) begin(plan);
    plan.train_all();
    plan.step_all();
    for (std::size_t p = 0; p < fragments; ++p) {
      fragment const part = plan.fragment_of(p, fragments);
      if (is_turn(k + 1, p)) send(plan, p, part);
      if (k + 1 > delay && is_turn(k + 1 - delay, p)) receive(plan, p, part);
    }
  }
  void check(graph const &) const {
    if (delay >= local_steps)
      throw input_error("streaming_diloco: delay",
                        "fewer rounds than " + std::to_string(local_steps) + ", the local steps",
                        std::to_string(delay));
  }

  static constexpr char const *name = "streaming_diloco";
  static constexpr char const *meaning =
      "Douillard et al. 2025: DiLoCo by fragments, with means that overlap with training";
  static constexpr auto members() {
    return diloco::members().followed_by(
        described("fragments", &streaming_diloco::fragments,
                  "number of fragments of a model, of adjacent columns", {.least = 1}),
        described("delay", &streaming_diloco::delay,
                  "number of rounds from the beginning of a mean to its outer step"),
        described("own_share", &streaming_diloco::own_share,
                  "weight of the node's own model in the result of an outer step", {.most = 1}));
  }

 private:
  /// The mean of fragment p begins after so many rounds.
  bool is_turn(std::uint64_t rounds, std::size_t p) const {
    return rounds % local_steps == p * local_steps / fragments;
  }

  void begin(auto &plan) const {
    check_fragments("streaming_diloco: fragments", fragments, plan.columns());
    plan.assign_all(start, {{1, model_row}});
    for (node i = 0; i < plan.nodes(); ++i) plan.state(i).done.resize(fragments);
  }

  static void send(auto &plan, std::size_t p, fragment const &part) {
    plan.assign_all(mean, {{1, model_row}}, part);
    auto const done = plan.in_background([&] { plan.average_all(mean, part); });
    for (node i = 0; i < plan.nodes(); ++i) plan.state(i).done[p] = done[i];
  }

  void receive(auto &plan, std::size_t p, fragment const &part) const {
    for (node i = 0; i < plan.nodes(); ++i) plan.wait_until(i, plan.state(i).done[p]);
    plan.assign_all(outer, {{outer_momentum, outer}, {1, start}, {-1, mean}}, part);
    plan.assign_all(
        start, {{1 - outer_rate, start}, {outer_rate, mean}, {-outer_rate * outer_momentum, outer}},
        part);
    plan.assign_all(model_row, {{own_share, model_row}, {1 - own_share, start}}, part);
  }
};

static_assert(exchange<streaming_diloco>);

}  // namespace gossip
