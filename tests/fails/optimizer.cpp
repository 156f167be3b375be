// Optimizers and schedules that are refused.
#include <gossip/backend/serial.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class Optimizer>
constexpr bool accepted =
    gossip::requirements<archetypes::topology, archetypes::model, Optimizer,
                         archetypes::exchange_in_rounds, archetypes::compute_time, gossip::serial,
                         float>::hold;

// expect: gossip::simulator: the optimizer has a factor that cannot be called as double
// factor(double epoch) const
namespace optimizer_factor_not_const {
struct mine : archetypes::optimizer {
#ifdef GOSSIP_FAILS
  double factor(double) { return 1.0; }
#else
  double factor(double) const { return 1.0; }
#endif
};
static_assert(accepted<mine>);
}  // namespace optimizer_factor_not_const

// expect: gossip::simulator: the optimizer's keeps_squares must be a static constexpr bool
namespace optimizer_squares_not_constant {
struct mine : archetypes::optimizer {
#ifdef GOSSIP_FAILS
  bool keeps_squares = true;
#else
  static constexpr bool keeps_squares = true;
#endif
};
static_assert(accepted<mine>);
}  // namespace optimizer_squares_not_constant

// expect: gossip::simulator: step of the optimizer takes the parameter by value, so that
namespace optimizer_steps_a_copy {
struct mine {
  double rate = 0.1;
  static constexpr std::size_t rows = 1;
  static constexpr void absorb(auto gradient, auto, auto *row) { row[0] = gradient; }
#ifdef GOSSIP_FAILS
  static constexpr void step(auto scale, auto p, auto const *row) { p -= scale * row[0]; }
#else
  static constexpr void step(auto scale, auto &p, auto const *row) { p -= scale * row[0]; }
#endif
};
static_assert(accepted<mine>);
}  // namespace optimizer_steps_a_copy

// expect: gossip::simulator: step of the optimizer takes the parameter by value, so that
namespace optimizer_steps_a_number {
struct mine {
  double rate = 0.1;
  static constexpr std::size_t rows = 1;
  template <class T>
  void absorb(T gradient, T, T *row) const {
    row[0] = gradient;
  }
  template <class T>
#ifdef GOSSIP_FAILS
  void step(T scale, T parameter, T const *row) const {
    parameter -= scale * row[0];
  }
#else
  void step(T scale, T &parameter, T const *row) const {
    parameter -= scale * row[0];
  }
#endif
};
static_assert(accepted<mine>);
}  // namespace optimizer_steps_a_number

// expect: gossip::simulator: the optimizer has the form of a rule, with step and a constant rows,
// and no absorb
namespace optimizer_without_absorb {
#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t rows = 1;
  double rate = 0.1;
  void step(auto scale, auto &parameter, auto const *row) const { parameter -= scale * row[0]; }
};
#else
using mine = archetypes::optimizer;
#endif
static_assert(accepted<mine>);
}  // namespace optimizer_without_absorb

// expect: gossip::simulator: the optimizer must have void check() const
namespace optimizer_without_check {
#ifdef GOSSIP_FAILS
struct mine {
  double rate = 0.1;
  std::size_t rows(bool) const { return 0; }
};
#else
using mine = archetypes::optimizer;
#endif
static_assert(accepted<mine>);
}  // namespace optimizer_without_check

// expect: gossip::simulator: the optimizer has the form of a rule, with absorb and step
namespace optimizer_without_constant_rows {
#ifdef GOSSIP_FAILS
struct mine {
  double rate = 0.1;
  void absorb(auto gradient, auto, auto *row) const { row[0] = gradient; }
  void step(auto scale, auto &parameter, auto const *row) const { parameter -= scale * row[0]; }
};
#else
using mine = archetypes::optimizer;
#endif
static_assert(accepted<mine>);
}  // namespace optimizer_without_constant_rows

// expect: gossip::simulator: the optimizer must have a member rate
namespace optimizer_without_rate {
#ifdef GOSSIP_FAILS
struct mine {
  std::size_t rows(bool) const { return 0; }
  void check() const {}
};
#else
using mine = archetypes::optimizer;
#endif
static_assert(accepted<mine>);
}  // namespace optimizer_without_rate

// expect: gossip::simulator: the optimizer must have size_t rows(bool waits) const
namespace optimizer_without_rows {
#ifdef GOSSIP_FAILS
struct mine {
  double rate = 0.1;
  void check() const {}
};
#else
using mine = archetypes::optimizer;
#endif
static_assert(accepted<mine>);
}  // namespace optimizer_without_rows

// expect: gossip::simulator: the optimizer has the form of a rule, with absorb and a constant rows,
// and no step
namespace optimizer_without_step {
#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t rows = 1;
  double rate = 0.1;
  void absorb(auto gradient, auto, auto *row) const { row[0] = gradient; }
};
#else
using mine = archetypes::optimizer;
#endif
static_assert(accepted<mine>);
}  // namespace optimizer_without_step

// expect: gossip::schedule: the schedule has a check that cannot be called as void check() const
namespace schedule_check_not_const {
struct mine {
  double factor(double) const { return 1.0; }
#ifdef GOSSIP_FAILS
  void check() {}
#else
  void check() const {}
#endif
};

void check() {
  gossip::scheduled{gossip::sgd{}, mine{}}.check();
}
}  // namespace schedule_check_not_const

// expect: gossip::scheduled: the schedule must have double factor(double epoch) const
namespace schedule_factor_not_const {
struct mine {
#ifdef GOSSIP_FAILS
  double factor(double) { return 1.0; }
#else
  double factor(double) const { return 1.0; }
#endif
};
auto const bytes = sizeof(gossip::scheduled<gossip::sgd, mine>);
}  // namespace schedule_factor_not_const
