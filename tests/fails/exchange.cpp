// Exchanges that the simulator refuses.
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/requirements.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include <random>
#include <string>
#include <vector>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class Exchange>
constexpr bool accepted =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, Exchange,
                         archetypes::compute_time, gossip::serial, float>::hold;

// expect: gossip::simulator: the exchange must have on_round(auto &plan, round_number k) const or
namespace exchange_without_hook {
#ifdef GOSSIP_FAILS
struct mine {
  void on_rounds(auto &plan, gossip::round_number) const { plan.train_all(); }  // misspelled
};
#else
using mine = archetypes::exchange_in_rounds;
#endif
static_assert(accepted<mine>);
}  // namespace exchange_without_hook

// expect: gossip::simulator: the exchange has on_round and on_trained; it must have one of them
namespace exchange_with_two_hooks {
#ifdef GOSSIP_FAILS
struct mine {
  void on_round(auto &plan, gossip::round_number) const { plan.train_all(); }
  void on_trained(auto &plan, gossip::node i) const { plan.train(i); }
};
#else
using mine = archetypes::exchange_in_rounds;
#endif
static_assert(accepted<mine>);
}  // namespace exchange_with_two_hooks

// expect: gossip::simulator: the exchange has a check that cannot be called as void check(graph
// const &) const
namespace exchange_check_not_const {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  void check(gossip::graph const &) {}
#else
  void check(gossip::graph const &) const {}
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_check_not_const

// expect: the exchange has an on_message that cannot be called
namespace exchange_message_not_const {
struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.send(0, 1, {{1, gossip::model_row}});
    plan.deliver();
  }
#ifdef GOSSIP_FAILS
  void on_message(auto &, gossip::node, auto const &) {}
#else
  void on_message(auto &, gossip::node, auto const &) const {}
#endif
};

void run() {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<3>{}, gossip::sgd{}, mine{}};
  network.run({});
}
}  // namespace exchange_message_not_const

// expect: gossip::exchange: properties must be exchange_properties properties() const
namespace exchange_properties_not_const {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  gossip::exchange_properties properties() { return {}; }
#else
  gossip::exchange_properties properties() const { return {}; }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_properties_not_const

// expect: gossip::exchange: gradient_waits is a property; write static constexpr
// expect: gossip::exchange: replicas_identical is a property; write static constexpr
// expect: gossip::exchange: tolerates_loss is a property; write static constexpr
// expect: gossip::exchange: tolerates_absence is a property; write static constexpr
// expect: gossip::exchange: gradients_alone is a property; write static constexpr
// expect: gossip::exchange: communicates is a property; write static constexpr
// expect: gossip::exchange: when_network_changes is a property; write static constexpr
// expect: gossip::exchange: evaluated is a property; write static constexpr
// expect: gossip::exchange: keeps is a property; write static constexpr
// expect: gossip::exchange: rounds is a property; write static constexpr
namespace exchange_property_as_member {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  static constexpr bool gradient_waits() { return false; }
  static constexpr bool replicas_identical = true;
  bool tolerates_loss = true;
  static constexpr bool tolerates_absence = true;
  static constexpr bool gradients_alone() { return true; }
  bool communicates() const { return false; }
  gossip::network_changes when_network_changes = gossip::network_changes::ignored;
  gossip::evaluated_models evaluated = gossip::evaluated_models::servers;
  static constexpr gossip::kept_sums keeps = gossip::kept_sums::rows;
  gossip::exchange_rounds rounds() const { return {.steps = 5}; }
#else
  int rounds = 3, evaluated = 1;  // hyper-parameters of these names are no properties
  bool tolerates_loss = true;     // and one that a property follows is not ignored
  constexpr gossip::exchange_properties properties() const {
    return {.tolerates_loss = tolerates_loss,
            .tolerates_absence = true,
            .keeps = gossip::kept_sums::rows,
            .communicates = false,
            .rounds = {.steps = 5}};
  }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_property_as_member

// expect: gossip::exchange_properties
namespace exchange_property_misspelled {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  static constexpr gossip::exchange_properties properties() { return {.gradients_wait = false}; }
#else
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_property_misspelled

// expect: gossip::simulator: the exchange has remarks that cannot be called as
// std::vector<std::string> remarks(graph const &) const
namespace exchange_remarks_not_const {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  std::vector<std::string> remarks(gossip::graph const &) { return {}; }
#else
  std::vector<std::string> remarks(gossip::graph const &) const { return {}; }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_remarks_not_const

// expect: gossip::simulator: the exchange has an on_round that cannot be called as on_round(auto
// &plan, round_number k) const
namespace exchange_round_not_const {
struct mine : archetypes::exchange_by_events {
#ifdef GOSSIP_FAILS
  void on_round(auto &plan, gossip::round_number) { plan.train_all(); }
#else
  void on_start(auto &plan) const { plan.train_all(); }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_round_not_const

// expect: gossip::simulator: the exchange has data_shares that cannot be called as std::size_t
// data_shares() const
namespace exchange_shares_not_const {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  std::size_t data_shares() { return 100; }
#else
  std::size_t data_shares() const { return 100; }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_shares_not_const

// expect: gossip::simulator: the exchange has an on_start that cannot be called as on_start(auto
// &plan) const
namespace exchange_start_not_const {
struct mine : archetypes::exchange_by_events {
#ifdef GOSSIP_FAILS
  void on_start(auto &plan) { plan.train_all(); }
#else
  void on_start(auto &plan) const { plan.train_all(); }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_start_not_const

// expect: gossip::simulator: the exchange has on_start, which begins events, and on_round
namespace exchange_start_of_rounds {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  void on_start(auto &plan) const { plan.train_all(); }
#else
  struct node_state {
    int rounds = 0;
  };
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_start_of_rounds

// expect: gossip::simulator: the exchange's node_state must be a struct with a default constructor
namespace exchange_state_not_a_type {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  int node_state = 0;
#else
  struct node_state {
    int rounds = 0;
  };
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_state_not_a_type

// expect: gossip::exchange: node_state holds a random engine, which would give all nodes and all
// seeds identical numbers
namespace exchange_state_with_engine {
struct mine : archetypes::exchange_in_rounds {
  struct node_state {
    int coins = 0;
#ifdef GOSSIP_FAILS
    std::mt19937 engine;
#endif
  };
};
static_assert(accepted<mine>);
}  // namespace exchange_state_with_engine

// expect: gossip::simulator: the exchange has an on_trained that cannot be called as
// on_trained(auto &plan, node i) const
namespace exchange_trained_not_const {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  void on_trained(auto &plan, gossip::node i) { plan.train(i); }
#else
  static void check(gossip::graph const &) {}
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_trained_not_const

// expect: gossip::simulator: the exchange has weights that cannot be called as mixing_matrix
// weights(graph const &) const
namespace exchange_weights_not_const {
struct mine : archetypes::exchange_in_rounds {
#ifdef GOSSIP_FAILS
  gossip::mixing_matrix weights(gossip::graph const &g) {
    return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
#else
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
#endif
};
static_assert(accepted<mine>);
}  // namespace exchange_weights_not_const

// expect: gossip::simulator: an exchange with identical replicas must plan rounds
namespace replicas_by_event {
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
#ifdef GOSSIP_FAILS
  void on_trained(auto &plan, gossip::node i) const { plan.train(i); }
#else
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.reduce_all();
  }
#endif
};
static_assert(accepted<mine>);
}  // namespace replicas_by_event

// expect: gossip::simulator: an exchange with identical replicas cannot work on rows besides the
// model
namespace rows_of_identical_replicas {
struct mine {
#ifdef GOSSIP_FAILS
  static constexpr std::size_t rows = 1;
#endif
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.reduce_all();
  }
};
static_assert(accepted<mine>);
}  // namespace rows_of_identical_replicas

// expect: gossip::simulator: the exchange's functions must be a gossip::function_list<...>
namespace exchange_lists_functions_of_a_kind {
struct mine {
#ifdef GOSSIP_FAILS
  using functions = gossip::column_functions<archetypes::halved>;
#else
  using functions = gossip::function_list<archetypes::halved>;
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
  }
};
static_assert(accepted<mine>);
}  // namespace exchange_lists_functions_of_a_kind

// expect: gossip::basic_any_exchange: holds an exchange, not a second any_exchange
namespace any_exchange_in_another {
using wider = gossip::basic_any_exchange<gossip::function_list<archetypes::halved>>;

#ifdef GOSSIP_FAILS
wider const held = gossip::any_exchange(gossip::none{});
#else
wider const held = gossip::none{};
#endif
}  // namespace any_exchange_in_another
