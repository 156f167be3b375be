// The verbs of a plan for the training data: shares, their samples, and the share of a training. A
// node has a share of the data; an exchange may have them divided into more shares than nodes: the
// clients of federated learning, of which a round has a few, each at work on some node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planned_node.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/work.hpp>

namespace gossip {

/// A part of plan_verbs.
template <class Verbs, class Exchange>
class data_verbs {
 public:
  /// True where shares of the data are not those of the nodes, but of clients at work on them.
  bool has_population() const { return !drawn_.empty(); }
  /// Shares of the training data.
  std::size_t data_shares() const { return drawn_.empty() ? self().nodes() : drawn_.size(); }

  /// Training samples of a share; share i is that of node i, where the exchange has no more shares.
  /// 1 where a model is its own data. A plan without data, such as a dry run's, takes equal shares.
  double samples(node share) const {
    if (share >= data_shares()) [[unlikely]]
      detail::refuse_unknown("samples", share, data_shares(), 0);
    auto const &known = self().settings_.samples;
    if (share < known.size()) return static_cast<double>(known[share]);
    return static_cast<double>(self().settings_.epoch.samples) / static_cast<double>(data_shares());
  }

 protected:
  explicit data_verbs(Exchange const &exchange) : drawn_(data_shares_of(exchange)) {}

  /// A training on its batch, as the exchange names it.
  [[gnu::always_inline]] work::train training(node i, planned_node const &own,
                                              training_rows const &at) {
    bool const divided = divides_data<Exchange> && !drawn_.empty();
    if (at.share || divided) return training_on_share(i, at);
    return {.counts = at.counts,
            .share = i,
            .batch = checked_index(own.trained - own.repeated, "plan: batches of a node")};
  }

 private:
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }

  work::train training_on_share(node i, training_rows const &at) {
    if (drawn_.empty())
      self().refuse(i, "trains on share " + std::to_string(*at.share) +
                           " of the data; expected std::size_t data_shares() const with their "
                           "number");
    if (!at.share || *at.share >= drawn_.size())
      self().refuse(i, "trains on " +
                           (at.share ? "share " + std::to_string(*at.share) : "no share") +
                           " of the data; expected one of the " + std::to_string(drawn_.size()) +
                           " that data_shares() says");
    std::uint32_t &next = drawn_[*at.share];
    if (at.batch == batch_choice::again && next == 0)
      self().refuse(i, "trains on the last batch of share " + std::to_string(*at.share) +
                           " of the data, which has had no batch");
    if (at.batch == batch_choice::next)
      next = checked_index(std::size_t{next} + 1, "plan: batches of a share of the data");
    return {.counts = at.counts, .names_share = true, .share = *at.share, .batch = next - 1};
  }

  std::vector<std::uint32_t> drawn_;  // (shares) batches so far; none where nodes have their own
};

}  // namespace gossip
