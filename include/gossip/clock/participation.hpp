// Nodes that take part in a round: all, some at random, or groups in turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/two_state_chain.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// always: all nodes in every round. uniform: each by itself, anew in every round. markov: each by
/// itself, for spells of rounds. cyclic: group k modulo their number in round k.
enum class participation_scheme { always, uniform, markov, cyclic };

template <>
struct value_names<participation_scheme> {
  static constexpr std::array<char const *, 4> names{"always", "uniform", "markov", "cyclic"};
};

/// Participation in rounds. A Poisson process of r events a round and node, of which a round needs
/// one, is uniform with a share of 1 - e^-r.
struct participation {
  participation_scheme scheme = participation_scheme::always;
  double share = 1;        ///< uniform and markov: of rounds that a node takes part in
  double absence = 10;     ///< markov: mean rounds from leaving to coming back
  std::size_t groups = 2;  ///< cyclic: node i belongs to group i modulo their number

  /// Throws input_error for shares, spells and groups that cannot be.
  void check() const {
    bool const drawn =
        scheme == participation_scheme::uniform || scheme == participation_scheme::markov;
    if (drawn && !(share > 0 && share <= 1))
      throw input_error("clock: participation: share", "a number above 0 and at most 1",
                        detail::shortest(share));
    if (scheme == participation_scheme::markov && !(absence * share >= 1 && absence <= 1e6))
      throw input_error("clock: participation: absence", "1 / share to 1000000 rounds",
                        detail::shortest(absence));
    if (scheme == participation_scheme::cyclic && groups == 0)
      throw input_error("clock: participation: groups", "at least 1", "0");
  }

  /// markov: the probability that a node leaves after a round.
  double leaves() const { return (1 - share) / share / absence; }

  static constexpr char const *name = "participation";
  static constexpr char const *meaning = "participation of nodes in rounds";
  static constexpr auto members() {
    return member_list{
        described("scheme", &participation::scheme, "rule that selects the nodes of a round"),
        described("share", &participation::share, "fraction of rounds in which a node takes part",
                  {.most = 1, .above_least = true}),
        described("absence", &participation::absence, "mean number of rounds that a node is absent",
                  {.least = 1}),
        described("groups", &participation::groups, "number of groups of nodes that take turns",
                  {.least = 1})};
  }
};

/// The participants of a run's rounds. Draws are keyed by (seed, purpose::participation, node,
/// round), or block of rounds.
class participants {
 public:
  /// nodes: those that may be absent; may_be_late: for other reasons too. Throws input_error for
  /// what participation::check refuses.
  participants(participation const &of, std::size_t nodes, std::uint64_t seed,
               bool may_be_late = false)
      : of_(of), seed_(seed) {
    of.check();
    if (of.scheme == participation_scheme::cyclic && nodes > 0 && of.groups > nodes)
      throw input_error("clock: participation: groups",
                        "at most the " + std::to_string(nodes) + " nodes",
                        std::to_string(of.groups));
    if (of.scheme == participation_scheme::markov && of.share < 1)
      spells_.emplace(of.leaves(), 1 / of.absence, purpose::participation);
    bool const drawn = of.scheme == participation_scheme::uniform && of.share < 1;
    all_ = !drawn && !spells_ && (of.scheme != participation_scheme::cyclic || of.groups == 1);
    all_ = all_ && !(may_be_late && nodes > 0);
    if (!all_) present_.resize(nodes, 1);
  }

  /// True where no node is absent from the round that has begun.
  bool are_all() const { return all_ || none_absent_; }

  /// Round k begins, for which some nodes are too late, (n) or none.
  void begin(round_number k, std::vector<std::uint8_t> late = {}) {
    round_ = k;
    late_ = std::move(late);
    for (std::size_t i = 0; i < present_.size(); ++i) present_[i] = takes_part(i);
    none_absent_ = !present_.empty() && std::ranges::find(present_, 0) == present_.end();
  }

  /// True where an owner, a node or a server, takes part in the round that has begun.
  bool present(node owner) const { return owner >= present_.size() || present_[owner] != 0; }

  bool present(node one, node other) const { return present(one) && present(other); }

  /// The same of client number i, which need not be a node.
  bool takes_part(std::size_t i) const {
    if (i < late_.size() && i < present_.size() && late_[i] != 0) return false;
    auto const owner = static_cast<node>(i);
    switch (of_.scheme) {
      case participation_scheme::always:
        return true;
      case participation_scheme::uniform:
        return keyed_random(seed_, purpose::participation, owner, round_).uniform() < of_.share;
      case participation_scheme::markov:
        return !spells_ || !spells_->slow(seed_, owner, round_);
      case participation_scheme::cyclic:
        return i % of_.groups == round_ % of_.groups;
    }
    return true;
  }

 private:
  participation of_;
  std::uint64_t seed_;
  round_number round_ = 0;
  bool all_;                               // in every round
  bool none_absent_ = false;               // from this one
  std::optional<two_state_chain> spells_;  // slow: absent
  std::vector<std::uint8_t> present_;      // (n), or empty: all
  std::vector<std::uint8_t> late_;         // (n), or empty: none
};

}  // namespace gossip
