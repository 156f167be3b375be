// Nodes that take part in a round: all, some at random, or groups in turns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gossip/clock/two_state_chain.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
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
  void check() const;

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
               bool may_be_late = false);

  /// True where no node is absent from the round that has begun.
  bool are_all() const { return all_ || none_absent_; }

  /// Round k begins, for which some nodes are too late, (n) or none.
  void begin(round_number k, std::vector<std::uint8_t> late = {});

  /// True where an owner, a node or a server, takes part in the round that has begun.
  bool present(node owner) const { return owner >= present_.size() || present_[owner] != 0; }

  bool present(node one, node other) const { return present(one) && present(other); }

  /// The same of client number i, which need not be a node.
  bool takes_part(std::size_t i) const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/participation.ipp>
#endif
