// What an exchange cannot ask of its plan.
#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/planner.hpp>

/// The handlers of an exchange are compiled where it is planned.
template <class Exchange>
bool plan_first_window(gossip::graph const &g) {
  gossip::planner<Exchange> source(Exchange{}, g, gossip::virtual_clock<gossip::constant_time>{},
                                   gossip::plan_settings{});
  gossip::plan_window window;
  return source.next(window);
}

// expect: gossip::plan: apply changes rows of one node
namespace plan_applies_to_two_nodes {
struct both {
  static constexpr std::size_t rows = 2, coefficients = 0;
#ifdef GOSSIP_FAILS
  static constexpr std::uint32_t reads = 0b11, writes = 0b11;
#else
  static constexpr std::uint32_t reads = 0b11, writes = 0b01;
#endif
  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = x[1] = x[0] + x[1];
  }
};

struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.apply(both{}, 0, {gossip::model_row}, 1, gossip::model_row);
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_applies_to_two_nodes

// expect: gossip::plan: a function must be of one kind: of columns, neighborhoods, rows, scalars
namespace plan_names_function_of_two_kinds {
struct negated {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = -x[0];
  }
#ifdef GOSSIP_FAILS
  template <class T>
  constexpr double operator()(T const *x) const {
    return static_cast<double>(-x[0]);
  }
#endif
};

struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.apply(negated{}, 0, {gossip::model_row});
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_names_function_of_two_kinds

// expect: gossip::plan: a function is its type, without members
namespace plan_names_function_with_members {
struct shifted {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;
#ifdef GOSSIP_FAILS
  double by = 1;
#else
  static constexpr double by = 1;
#endif

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] += static_cast<T>(by);
  }
};

struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.apply(shifted{}, 0, {gossip::model_row});
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_names_function_with_members

// expect: gossip::plan: ask needs an exchange with on_answer
namespace plan_asks_without_handler {
struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.ask(gossip::measured::accuracy);
  }
#ifndef GOSSIP_FAILS
  void on_answer(auto &plan, double) const { plan.stop(); }
#endif
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_asks_without_handler

// expect: gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows
namespace plan_edge_without_rows {
struct mine {
#ifndef GOSSIP_FAILS
  static constexpr std::size_t edge_rows = 1;
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.assign(plan.edge(0, 1), {{1, gossip::model_row}});
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_edge_without_rows

// expect: gossip::plan: reduce_all needs an exchange whose properties() have replicas_identical
namespace plan_reduces_unlike_models {
struct mine {
#ifndef GOSSIP_FAILS
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.reduce_all();
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_reduces_unlike_models

// expect: gossip::plan: send needs an exchange with on_message
namespace plan_sends_without_handler {
struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.send(0, 1, {{1, gossip::model_row}});
  }
#ifndef GOSSIP_FAILS
  void on_message(auto &, gossip::node, auto const &) const {}
#endif
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_sends_without_handler

// expect: gossip::plan: an exchange with identical replicas has train and reduce_all; step,
namespace plan_steps_a_replica {
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
#ifdef GOSSIP_FAILS
    plan.step_all();
#else
    plan.reduce_all();
#endif
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_steps_a_replica

// expect: gossip::plan: an exchange with identical replicas has train and reduce_all; step,
namespace plan_assigns_to_a_replica {
struct mine {
  static constexpr gossip::exchange_properties properties() { return {.replicas_identical = true}; }
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
#ifdef GOSSIP_FAILS
    plan.assign(0, gossip::model_row, {{2, gossip::model_row}});
#else
    plan.reduce_all();
#endif
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_assigns_to_a_replica

// expect: gossip::plan: an exchange needs on_round(auto &plan, round_number k) const or on_trained
namespace plan_of_no_handler {
struct mine {
#ifdef GOSSIP_FAILS
  void on_rounds(auto &plan, gossip::round_number) const {
#else
  void on_round(auto &plan, gossip::round_number) const {
#endif
      plan.train_all();
}
};  // namespace plan_of_no_handler
auto const made = &plan_first_window<mine>;
}  // namespace plan_of_no_handler

// expect: gossip::plan: deliver needs an exchange with on_message
namespace plan_delivers_without_handler {
struct mine {
#ifndef GOSSIP_FAILS
  void on_message(auto &, gossip::node, auto const &) const {}
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.deliver();
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_delivers_without_handler

// expect: gossip::plan: timers belong to event exchanges
namespace plan_timer_of_rounds {
struct mine {
#ifdef GOSSIP_FAILS
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.set_timer(0, gossip::virtual_time(1));
  }
#else
  void on_trained(auto &plan, gossip::node i) const {
    plan.step(i);
    plan.set_timer(i, gossip::virtual_time(1));
  }
#endif
  void on_timer(auto &plan, gossip::node i, std::uint32_t) const { plan.train(i); }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_timer_of_rounds

// expect: gossip::plan: state needs an exchange with struct node_state
namespace plan_without_state {
struct mine {
#ifndef GOSSIP_FAILS
  struct node_state {
    int count = 0;
  };
#endif
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    ++plan.state(0).count;
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_without_state

// expect: gossip::plan: weights needs an exchange with mixing_matrix weights(graph const &) const
namespace plan_without_weights {
struct mine {
#ifndef GOSSIP_FAILS
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
#endif
  void on_round(auto &plan, gossip::round_number k) const {
    plan.train_all();
    plan.mix_all(plan.weights(k));
  }
};
auto const made = &plan_first_window<mine>;
}  // namespace plan_without_weights
