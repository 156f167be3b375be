// Gossip learning. R. Ormandi, I. Hegedus, M. Jelasity, "Gossip learning with linear models on
// fully distributed data", Concurrency and Computation: Practice and Experience 25 (2013),
// Algorithms 1 and 2; merging by age I. Hegedus, G. Danner, M. Jelasity, "Gossip learning as a
// decentralized alternative to federated learning", DAIS 2019; accounts of tokens G. Danner,
// M. Jelasity, "Token account algorithms: the best of the proactive and reactive worlds", ICDCS
// 2018.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A node's new model from what it has received and what it received before: update(m);
/// update(merge(m, last)); or merge(update(m), update(last)).
enum class model_creation { random_walk, merge_update, update_merge };
/// The weights of a merger: both the same, or by the updates that the models have had.
enum class merge_weights { equal, age };
/// When models are sent: every period; or, with an account of tokens a, at most `capacity` C, by
/// the simple, generalized and randomized functions of the paper.
enum class token_account { none, simple, generalized, randomized };

template <>
struct value_names<model_creation> {
  static constexpr std::array<char const *, 3> names{"random_walk", "merge_update", "update_merge"};
};
template <>
struct value_names<merge_weights> {
  static constexpr std::array<char const *, 2> names{"equal", "age"};
};

template <>
struct value_names<token_account> {
  static constexpr std::array<char const *, 4> names{"none", "simple", "generalized", "randomized"};
};

/// Every `period`, from a random moment of its first on, a node sends its model to a random
/// neighbor. Who receives one makes it, and the one received before, at first the model that all
/// begin with, into its new model by an update, a step by one batch; update_merge takes two,
/// between which the node has the first. Of what is received during an update the last is kept for
/// later. A merger is as old as its older model. A node without a neighbor updates its own model
/// every period. Models are sent, not exchanged: mergers do not keep the mean of the network. With
/// an account a node sends every period with the probability proactive(), and else gains a token;
/// after an update by a model that it has received it spends reactive() tokens for as many models:
/// there are never more than periods, nor more than C saved up. Useful is a model that has had as
/// many updates as the node's own, or more. Three rows a node; statistics of batch normalisation
/// stay. Nobody misses a message that is lost.
struct gossip_learning {
  virtual_time period{100'000'000};  ///< of sending
  model_creation creation = model_creation::merge_update;
  merge_weights merging = merge_weights::age;
  token_account account = token_account::none;
  std::uint64_t capacity = 20;    ///< of an account; C in the paper
  std::uint64_t reactivity = 10;  ///< tokens for a model, at most C; A in the paper

  static constexpr std::size_t rows = 3;
  struct message_state {
    std::uint64_t age;  ///< updates that the model has had
  };
  struct node_state {
    std::uint64_t age = 0, next_age = 0, last_age = 0;
    bool updates = false, updates_last = false, received = false, useful = false;
    std::uint64_t tokens = 0;
    std::optional<message<message_state>> waiting{};
  };

  void on_start(auto &plan) const {
    plan.assign_all(last, {{1, model_row}});
    for (node i = 0; i < plan.nodes(); ++i) {
      double const phase = plan.random(i) * static_cast<double>(period.count());
      plan.set_timer(i, virtual_time(static_cast<virtual_time::rep>(phase)));
    }
  }

  void on_timer(auto &plan, node i, std::uint32_t) const {
    auto &own = plan.state(i);
    if (plan.has_neighbor(i)) {
      if (account == token_account::none || plan.chance(i, proactive(own.tokens)))
        send(plan, i);
      else
        ++own.tokens;
    } else if (!own.updates) {
      plan.assign(i, next, {{1, model_row}});
      begin(plan, i, own.age);
    }
    plan.set_timer(i, period);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    auto &own = plan.state(i);
    if (!own.updates) return receive(plan, i, m);
    if (own.waiting) plan.drop(*own.waiting);
    plan.keep(m);
    own.waiting = m;
  }

  void on_trained(auto &plan, node i) const {
    auto &own = plan.state(i);
    if (own.updates_last) {
      plan.assign(i, first, {{1, model_row}});
      plan.assign(i, model_row, {{1, last}});
      plan.step(i);
      double const share = share_of(own.age, own.last_age + 1);
      plan.assign(i, model_row, {{share, first}, {1 - share, model_row}});
      own.age = std::max(own.age, own.last_age + 1);
      plan.assign(i, last, {{1, next}});
      own.last_age = own.next_age;
      own.updates_last = false;
    } else {
      plan.assign(i, model_row, {{1, next}});
      plan.step(i);
      own.age = own.next_age + 1;
      if (creation == model_creation::update_merge) {
        own.updates_last = true;
        return plan.train(i, {.at = last});
      }
    }
    own.updates = false;
    if (std::exchange(own.received, false)) react(plan, i);
    if (!own.waiting) return;
    auto const m = *own.waiting;
    own.waiting.reset();
    receive(plan, i, m);
    plan.drop(m);
  }

  static constexpr exchange_properties properties() { return {.tolerates_loss = true}; }
  void check(graph const &) const {
    if (reactivity > capacity)
      throw input_error("gossip_learning: reactivity",
                        "1 to " + std::to_string(capacity) + ", the capacity",
                        std::to_string(reactivity));
  }

  /// The probability that a node with so many tokens sends when a period ends.
  double proactive(std::uint64_t tokens) const {
    if (account != token_account::randomized) return tokens >= capacity ? 1.0 : 0.0;
    if (tokens + 1 < reactivity) return 0.0;
    return std::min(1.0, static_cast<double>(tokens + 1 - reactivity) /
                             static_cast<double>(capacity + 1 - reactivity));
  }
  /// The models that it sends after an update, of which a fraction is a chance of one.
  double reactive(std::uint64_t tokens, bool useful) const {
    std::uint64_t const begun = reactivity - 1 + tokens;
    if (account == token_account::simple) return tokens > 0 ? 1.0 : 0.0;
    if (account == token_account::generalized)
      return static_cast<double>(begun / (useful ? reactivity : 2 * reactivity));
    return useful ? static_cast<double>(tokens) / static_cast<double>(reactivity) : 0.0;
  }

  static constexpr char const *name = "gossip_learning";
  static constexpr char const *meaning =
      "Ormandi et al. 2013: models walk through the network at random, and nodes merge and update "
      "them";
  static constexpr auto members() {
    return member_list{
        described("period", &gossip_learning::period, "period of sending", {.least = 1}),
        described("creation", &gossip_learning::creation,
                  "creation of a model from the last two received models"),
        described("merging", &gossip_learning::merging,
                  "weights of two merged models: equal, or by their numbers of updates"),
        described("account", &gossip_learning::account,
                  "token account that decides when models are sent; none: every period"),
        described("capacity", &gossip_learning::capacity, "capacity of a token account",
                  {.least = 1}),
        described("reactivity", &gossip_learning::reactivity,
                  "number of tokens for an answer to a received model, at most the capacity",
                  {.least = 1})};
  }

 private:
  // The model to be updated, or the one received; the one received before; update(m).
  static constexpr row_name next = exchange_row(0), last = exchange_row(1), first = exchange_row(2);

  double share_of(std::uint64_t age, std::uint64_t other) const {
    if (merging == merge_weights::equal || age + other == 0) return 0.5;
    return static_cast<double>(age) / static_cast<double>(age + other);
  }

  /// The received model, or its merger with the last, is updated.
  void receive(auto &plan, node i, auto const &m) const {
    auto &own = plan.state(i);
    std::uint64_t age = m.state.age;
    own.received = true;
    own.useful = age >= own.age;
    if (creation == model_creation::merge_update) {
      double const share = share_of(age, own.last_age);
      plan.assign(i, next, {{1 - share, last}}, {{share, m}});
      plan.assign(i, last, {}, {{1, m}});
      age = std::max(age, std::exchange(own.last_age, age));
    } else {
      plan.assign(i, next, {}, {{1, m}});
    }
    begin(plan, i, age);
  }

  static void send(auto &plan, node i) {
    plan.send(i, plan.random_neighbor(i), {{1, model_row}}, {}, {plan.state(i).age});
  }

  void react(auto &plan, node i) const {
    if (account == token_account::none || !plan.has_neighbor(i)) return;
    auto &own = plan.state(i);
    double const wanted = reactive(own.tokens, own.useful);
    auto models = static_cast<std::uint64_t>(wanted);
    models += plan.chance(i, wanted - static_cast<double>(models));
    models = std::min(models, own.tokens);
    own.tokens -= models;
    for (; models > 0; --models) send(plan, i);
  }

  void begin(auto &plan, node i, std::uint64_t age) const {
    plan.state(i).updates = true;
    plan.state(i).next_age = age;
    plan.train(i, {.at = next});
  }
};

static_assert(exchange<gossip_learning>);

}  // namespace gossip
