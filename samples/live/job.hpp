// A live run that is put together at run time: the exchange, the graph and the optimizer by name,
// the model as a type.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/live/bipartition.hpp>
#include <gossip/live/run.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include "../simulate/policies.hpp"

namespace live_sample {

using method = std::variant<gossip::all_reduce, gossip::d_psgd<>, gossip::ad_psgd>;

/// One of the words, as its place among them; throws input_error, which lists them.
inline std::size_t place_of(std::string const &name, std::string const &word,
                            std::vector<std::string> const &words) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
    all += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  throw gossip::input_error(name, all, "'" + word + "'");
}

inline method method_of(std::string const &word) {
  switch (place_of("--method", word, {"all_reduce", "d_psgd", "ad_psgd"})) {
    case 0:
      return gossip::all_reduce{};
    case 1:
      return gossip::d_psgd<>{};
    default:
      return gossip::ad_psgd{};
  }
}

inline gossip::graph even_odd(std::size_t n) {
  std::vector<gossip::edge> edges;
  for (gossip::node i = 0; i < n; i += 2)
    for (gossip::node j = 1; j < n; j += 2) edges.push_back({i, j});
  return gossip::graph::undirected(n, edges);
}

inline gossip::graph chain(std::size_t n) {
  std::vector<gossip::edge> edges;
  for (gossip::node i = 1; i < n; ++i) edges.push_back({i - 1, i});
  return gossip::graph::undirected(n, edges);
}

inline gossip::graph graph_of(std::string const &word, std::size_t n) {
  switch (place_of("--topology", word, {"ring", "chain", "star", "complete", "even_odd"})) {
    case 0:
      return gossip::ring{n}.build();
    case 1:
      return chain(n);
    case 2:
      return n == 1 ? chain(1) : gossip::star{n}.build();
    case 3:
      return gossip::complete{n}.build();
    default:
      return even_odd(n);
  }
}

/// The inputs that all runs of a program share, the same on every rank.
struct job {
  method how;
  gossip::graph network;
  simulate::chosen_optimizer optimizer;
  gossip::live::options options;

  void check() const {
    optimizer.check();
    std::visit([&](auto const &m) { gossip::live::check(options, network, m); }, how);
  }
};

/// Training and test set.
using sets = std::pair<gossip::dataset, gossip::dataset>;

// quote run
template <class Model, gossip::live::channel Channel>
gossip::live::report run(Channel const &channel, job const &j, sets const &data) {
  return std::visit(
      [&](auto const &m) {
        return gossip::live::run<gossip::cpu>(channel, j.network, Model{}, j.optimizer, m,
                                              gossip::split(data.first, gossip::iid{}), data.second,
                                              j.options);
      },
      j.how);
}
// end quote

}  // namespace live_sample
