// Kinds of machines in one network, as several generations of accelerators.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/core/random_nodes.hpp>

namespace gossip {

/// Machines of one kind: a share of the network's nodes, at random, or the nodes that are listed.
/// Their trainings take factor times as long as those of `compute`, or of the clock's own model.
template <class Compute>
struct machine_kind {
  double share = 0;           ///< of all nodes; 0: those listed
  std::vector<node> nodes{};  ///< each of one kind
  double factor = 1.0;
  std::optional<Compute> compute{};

  static constexpr char const *name = "machine_kind";
  static constexpr char const *meaning = "machines of one kind";
  static constexpr auto members() {
    return member_list{described("share", &machine_kind::share,
                                 "fraction of all nodes that are of this kind, drawn at random; "
                                 "left out: the list nodes",
                                 {.most = 1, .may_be_left_out = true}),
                       described("nodes", &machine_kind::nodes,
                                 "list of the nodes of this kind, instead of a share",
                                 {.most = node_limit - 1, .may_be_left_out = true}),
                       described("factor", &machine_kind::factor,
                                 "factor on the duration of a training; left out: 1",
                                 {.most = 1e9, .above_least = true, .may_be_left_out = true}),
                       described("compute", &machine_kind::compute,
                                 "duration of a training; left out: compute of the clock",
                                 {.may_be_left_out = true})};
  }
};

namespace detail {

template <class Compute>
void check_kind(machine_kind<Compute> const &kind, std::string const &where) {
  if (!(kind.factor > 0.0) || !std::isfinite(kind.factor))
    throw input_error(where, "a factor above 0", detail::shortest(kind.factor));
  if (!(kind.share >= 0.0 && kind.share <= 1.0))
    throw input_error(where, "a share from 0 to 1", detail::shortest(kind.share));
  if ((kind.share > 0.0) == !kind.nodes.empty())
    throw input_error(where, "either a share or a list of nodes",
                      kind.nodes.empty() ? "neither" : "both");
}

/// The listed nodes, noted as of this kind.
inline void list_nodes(std::vector<node> const &listed, std::uint32_t kind,
                       std::vector<std::uint32_t> &kind_of, std::string const &where) {
  for (node const i : listed) {
    if (i >= kind_of.size())
      throw input_error(where, "nodes below " + std::to_string(kind_of.size()), std::to_string(i));
    if (std::exchange(kind_of[i], kind) != 0)
      throw input_error(where, "nodes that no earlier kind lists",
                        "node " + std::to_string(i) + " again");
  }
}

/// So many nodes of each kind, drawn from those that no list names.
template <class Random>
void draw_nodes(std::vector<std::size_t> const &counts, Random random,
                std::vector<std::uint32_t> &kind_of) {
  std::vector<node> free;
  for (node i = 0; i < kind_of.size(); ++i)
    if (kind_of[i] == 0) free.push_back(i);
  std::size_t const all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (all > free.size())
    throw input_error("clock: kinds",
                      "shares of at most the " + std::to_string(free.size()) + " nodes of " +
                          std::to_string(kind_of.size()) + " that no kind lists",
                      std::to_string(all));
  auto const drawn = random_nodes(free.size(), all, [&] { return random.uniform(); });
  auto next = drawn.begin();
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t count = 0; count < counts[k]; ++count)
      kind_of[free[*next++]] = static_cast<std::uint32_t>(k + 1);
}

}  // namespace detail

/// The kinds of n nodes by their number from 1, and 0 for nodes that are of none; empty where there
/// are no kinds. Shares come to whole numbers of nodes, their sums to the nearest, drawn at random
/// from those that no list names. Throws input_error for a kind with a share and nodes or neither,
/// for a node of two kinds or of another network, and for shares of more nodes than there are.
template <class Compute>
std::vector<std::uint32_t> kinds_of_nodes(std::vector<machine_kind<Compute>> const &kinds,
                                          std::size_t nodes, std::uint64_t seed) {
  if (kinds.empty()) return {};
  std::vector<std::uint32_t> kind_of(nodes);
  std::vector<std::size_t> counts;
  double shares = 0.0;
  std::size_t counted = 0;
  for (machine_kind<Compute> const &kind : kinds) {
    std::string const where = "clock: kind " + std::to_string(counts.size());
    detail::check_kind(kind, where);
    detail::list_nodes(kind.nodes, static_cast<std::uint32_t>(counts.size() + 1), kind_of, where);
    shares += kind.share;
    auto const sum = static_cast<std::size_t>(shares * static_cast<double>(nodes) + 0.5);
    counts.push_back(sum - std::exchange(counted, sum));
  }
  detail::draw_nodes(counts, keyed_random(seed, purpose::machine_kind, 0, 0), kind_of);
  return kind_of;
}

}  // namespace gossip
