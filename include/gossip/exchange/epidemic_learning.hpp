// Epidemic learning, EL-Oracle and EL-Local. M. de Vos, S. Farhadkhani, R. Guerraoui,
// A.-M. Kermarrec, R. Pires, R. Sharma, "Epidemic learning: boosting decentralized learning with
// randomized communication", NeurIPS 2023, Algorithm 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/topology/random_regular.hpp>

namespace gossip {

/// Peers of a round: each node's own draw of receivers, or an oracle's random regular graph, in
/// which all hear as many as they tell.
enum class peer_sampling { local, oracle };

template <>
struct value_names<peer_sampling> {
  static constexpr std::array<char const *, 2> names{"local", "oracle"};
};

/// After `local_steps` rounds of training each node sends its model to `peers` others, drawn anew,
/// and takes the mean of its own and what it hears: x_i <- (h_i + sum of heard) / (1 + how many).
/// An oracle's rounds keep the mean of the network, those of local draws keep it on average. The
/// graph does not matter.
struct epidemic_learning {
  std::size_t peers = 2;
  peer_sampling sampling = peer_sampling::local;
  std::uint64_t local_steps = 1;

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    if (mixes(plan, k)) plan.mix_all(drawn(plan));
  }
  constexpr exchange_properties properties() const {
    return {.gradient_waits = false,
            .tolerates_loss = true,
            .tolerates_absence = true,
            .keeps = sampling == peer_sampling::local ? kept_sums::rows : kept_sums::both,
            .rounds = {.period = local_steps, .act = "mixture"},
            .when_network_changes = network_changes::ignored};
  }
  void check(graph const &g) const {
    check_peers("epidemic_learning: peers", peers, g.nodes());
    if (sampling == peer_sampling::oracle && g.nodes() > 1)
      regular_weights(g.nodes(), 0);  // says what it cannot do
  }

  static constexpr char const *name = "epidemic_learning";
  static constexpr char const *meaning =
      "de Vos et al. 2023: in every round, each node sends its model to random nodes";
  static constexpr auto members() {
    return member_list{
        described("peers", &epidemic_learning::peers,
                  "number of random nodes to which a node sends its model", {.least = 1}),
        described("sampling", &epidemic_learning::sampling,
                  "sampling of peers: by each node (local), or as a random regular graph (oracle)"),
        described("local_steps", &epidemic_learning::local_steps,
                  "number of local steps between two mixing steps", {.least = 1})};
  }

 protected:
  bool mixes(auto &plan, round_number k) const {
    return (k + 1) % local_steps == 0 && plan.nodes() > 1;
  }

  /// The weights of a mixture among peers drawn anew.
  mixing_matrix drawn(auto &plan) const {
    if (sampling == peer_sampling::local) return drawn_weights(plan);
    return regular_weights(plan.nodes(), static_cast<std::uint64_t>(plan.random(0) * 0x1p53));
  }

 private:
  mixing_matrix regular_weights(std::size_t n, std::uint64_t seed) const {
    graph const drawn = random_regular{n, peers}.build(seed);
    return metropolis_hastings{}.weights(drawn);
  }

  mixing_matrix drawn_weights(auto &plan) const {
    std::size_t const n = plan.nodes();
    std::vector<std::vector<node>> heard(n);  // by receiver, ascending
    for (node i = 0; i < n; ++i)
      for (node const j : receivers(plan, i)) heard[j].push_back(i);
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    std::vector<double> values;
    for (node i = 0; i < n; ++i) {
      heard[i].insert(std::ranges::lower_bound(heard[i], i), i);
      columns.insert(columns.end(), heard[i].begin(), heard[i].end());
      values.resize(columns.size(), 1 / static_cast<double>(heard[i].size()));
      offsets.push_back(columns.size());
    }
    return {std::move(offsets), std::move(columns), std::move(values)};
  }

  /// Nodes but i, each set of so many with the same chance (R. Floyd 1987).
  std::vector<node> receivers(auto &plan, node i) const {
    std::size_t const others = plan.nodes() - 1;
    std::vector<node> drawn;
    for (std::size_t last = others - peers; last < others; ++last) {
      auto const pick = static_cast<node>(plan.random(i) * static_cast<double>(last + 1));
      bool const taken = std::ranges::find(drawn, pick) != drawn.end();
      drawn.push_back(taken ? static_cast<node>(last) : pick);
    }
    for (node &j : drawn) j += j >= i;
    return drawn;
  }
};

static_assert(exchange<epidemic_learning>);

}  // namespace gossip
