// A simulator's requirements on its policies, a sentence each.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <gossip/backend/backend.hpp>
#include <gossip/clock/clock.hpp>
#include <gossip/mixing/weights.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

namespace detail {

template <class M>
concept scales_loss = requires { requires M::scales_loss; };
template <class B>
concept on_a_device = requires { requires B::on_device; };
template <class O>
concept has_rate = requires(O const &o) {
  { o.rate } -> std::convertible_to<double>;
};
template <class O>
concept counts_rows = requires(O const &o) {
  { o.rows(true) } -> std::convertible_to<std::size_t>;
};
template <class O>
concept has_constant_rows = requires { typename std::integral_constant<std::size_t, O::rows>; };
template <class O>
concept absorbs =
    requires(O const &o, double number, double *row) { o.absorb(number, number, row); };
template <class O>
concept steps =
    requires(O const &o, double number, double const *row) { o.step(number, number, row); };
/// Meant to be an optimizer_rule.
template <class O>
concept begins_a_rule = has_constant_rows<O> || absorbs<O> || steps<O>;
template <class O>
concept checks_itself = requires(O const &o) { o.check(); };
template <class O>
concept has_factor = requires(O const &o) {
  { o.factor(1.0) } -> std::convertible_to<double>;
};
template <class O>
concept declares_keeps_squares = requires { typename std::bool_constant<O::keeps_squares>; };
template <class M>
concept can_be_checked = requires(M const &m) { m.check(); };
template <class X, class Plan>
concept starts_events = requires(X const &x, Plan &plan) { x.on_start(plan); };
template <class X>
concept checks_graph = requires(X const &x, graph const &g) { x.check(g); };

}  // namespace detail

/// Requirements on an exchange, whatever it runs with.
template <class Exchange>
struct exchange_requirements {
  using plan = plan_of<Exchange>;
  static constexpr bool by_round = plans_rounds<Exchange, plan>;
  static constexpr bool by_event = plans_events<Exchange, plan>;

  static_assert(
      by_round || by_event,
      "gossip::simulator: the exchange must have on_round(auto &plan, round_number k) const or "
      "on_trained(auto &plan, node i) const. See docs/policies/exchange.md");
  static_assert(!(by_round && by_event),
                "gossip::simulator: the exchange has on_round and on_trained; it must have one of "
                "them. See docs/policies/exchange.md");
  static_assert(by_round || !detail::mentions_on_round<Exchange>,
                "gossip::simulator: the exchange has an on_round that cannot be called as "
                "on_round(auto &plan, round_number k) const. See docs/policies/exchange.md");
  static_assert(by_event || !detail::mentions_on_trained<Exchange>,
                "gossip::simulator: the exchange has an on_trained that cannot be called as "
                "on_trained(auto &plan, node i) const. See docs/policies/exchange.md");
  static_assert(detail::starts_events<Exchange, plan> || !detail::mentions_on_start<Exchange>,
                "gossip::simulator: the exchange has an on_start that cannot be called as "
                "on_start(auto &plan) const. See docs/policies/exchange.md");
  static_assert(!(detail::starts_events<Exchange, plan> && by_round),
                "gossip::simulator: the exchange has on_start, which begins events, and on_round; "
                "on_start needs on_trained. See docs/policies/exchange.md");
  static_assert(takes_messages<Exchange, plan> || !detail::mentions_on_message<Exchange>,
                "gossip::simulator: the exchange has an on_message that cannot be called as "
                "on_message(auto &plan, node i, auto const &message) const. See "
                "docs/policies/exchange.md");
  static_assert(takes_timers<Exchange, plan> || !detail::mentions_on_timer<Exchange>,
                "gossip::simulator: the exchange has an on_timer that cannot be called as "
                "on_timer(auto &plan, node i, std::uint32_t tag) const. See "
                "docs/policies/exchange.md");
  static_assert(!(takes_timers<Exchange, plan> && by_round),
                "gossip::simulator: the exchange has on_timer, which belongs to events, and "
                "on_round; on_timer needs on_trained. See docs/policies/exchange.md");
  static_assert(takes_answers<Exchange, plan> || !detail::mentions_on_answer<Exchange>,
                "gossip::simulator: the exchange has an on_answer that cannot be called as "
                "on_answer(auto &plan, double answer) const. See docs/policies/exchange.md");
  static_assert(divides_data<Exchange> || !detail::mentions_data_shares<Exchange>,
                "gossip::simulator: the exchange has data_shares that cannot be called as "
                "std::size_t data_shares() const. See docs/policies/exchange.md");
  static_assert(prepares<Exchange> || !detail::mentions_prepare<Exchange>,
                "gossip::simulator: the exchange has a prepare that cannot be called as "
                "prepare(graph const &) const. See docs/policies/exchange.md");
  static_assert(!((takes_messages<Exchange, plan> || exchange_servers<Exchange> > 0 ||
                   exchange_edge_rows<Exchange> > 0) &&
                  replicas_identical<Exchange>),
                "gossip::simulator: an exchange with identical replicas cannot have messages, "
                "servers or rows of edges. See docs/policies/exchange.md");
  static_assert(!detail::mentions_check<Exchange> || detail::checks_graph<Exchange>,
                "gossip::simulator: the exchange has a check that cannot be called as void "
                "check(graph const &) const. See docs/policies/exchange.md");
  static_assert(!detail::mentions_remarks<Exchange> || makes_remarks<Exchange>,
                "gossip::simulator: the exchange has remarks that cannot be called as "
                "std::vector<std::string> remarks(graph const &) const. See "
                "docs/policies/exchange.md");
  static_assert(!detail::mentions_weights<Exchange> || has_weights<Exchange>,
                "gossip::simulator: the exchange has weights that cannot be called as "
                "mixing_matrix weights(graph const &) const. See docs/policies/exchange.md");
  static_assert(!detail::mentions_node_state<Exchange> ||
                    (declares_node_state<Exchange> &&
                     std::default_initializable<node_state_of<Exchange>>),
                "gossip::simulator: the exchange's node_state must be a struct with a default "
                "constructor. See docs/policies/exchange.md");
  static_assert(
      detail::is_function_list<typename detail::own_functions<Exchange>::type>,
      "gossip::simulator: the exchange's functions must be a gossip::function_list<...> of those "
      "that a device is to know. See docs/policies/exchange.md");
  static_assert(!(replicas_identical<Exchange> && by_event),
                "gossip::simulator: an exchange with identical replicas must plan rounds. See "
                "docs/policies/exchange.md");
  static_assert(
      !declares_rows<Exchange> || !replicas_identical<Exchange>,
      "gossip::simulator: an exchange with identical replicas cannot work on rows besides "
      "the model. See docs/policies/exchange.md");
  static constexpr bool hold = true;
};

/// One that was chosen at run time met them where it was made.
template <class Exchange>
  requires erased_exchange<Exchange>
struct exchange_requirements<Exchange> {
  static constexpr bool hold = true;
};

/// Requirements on a model for numbers T and gradients of a precision.
template <class Model, class T, class Precision = full_precision>
struct model_requirements {
  static_assert(detail::declares_parameters<Model>,
                "gossip::simulator: the model must declare static constexpr size_t parameters. See "
                "docs/policies/model.md");
  static_assert(detail::declares_samples<Model>,
                "gossip::simulator: the model must declare static constexpr bool "
                "learns_from_samples. See docs/policies/model.md");
  static_assert(detail::initialises_rows<Model, T>,
                "gossip::simulator: the model must have initialise(span<T> row, uint64_t seed) "
                "const. See docs/policies/model.md");
  static_assert(detail::sizes_workspace<Model, T>,
                "gossip::simulator: the model must have workspace_bytes<T>(size_t batch). See "
                "docs/policies/model.md");
  static_assert(!Precision::scales_loss || detail::scales_loss<Model>,
                "gossip::simulator: fp16 needs a model that multiplies its gradient by the task's "
                "loss_scale and says so with scales_loss. See docs/policies/model.md");
  static_assert(!detail::mentions_check<Model> || detail::can_be_checked<Model>,
                "gossip::simulator: the model has a check that cannot be called as void check() "
                "const. See docs/policies/model.md");
  static constexpr bool hold = true;
};

/// One that was chosen at run time met them where it was made.
template <class Model, class T, class Precision>
  requires erased_model<Model>
struct model_requirements<Model, T, Precision> {
  static constexpr bool hold = true;
};

/// Instantiated once for every simulator; each failure is one sentence of the compiler's output.
template <class Topology, class Model, class Optimizer, class Exchange, class Compute,
          class Backend, class T, class Precision = full_precision, class Row = T>
struct requirements {
  static_assert(exchange_requirements<Exchange>::hold);
  static_assert(model_requirements<Model, T, Precision>::hold);
  static_assert(std::floating_point<T>,
                "gossip::simulator: numbers must be float or double. See docs/policies/model.md");
  static_assert(std::same_as<Row, T> || (std::same_as<T, float> &&
                                         (std::same_as<Row, fp16> || std::same_as<Row, bf16>)),
                "gossip::simulator: rows must have the type of the arithmetic, or fp16 or bf16 for "
                "arithmetic in float. See docs/policies/backend.md");
  static_assert(!(std::same_as<Row, fp16> && keeps_squares<Optimizer>),
                "gossip::simulator: the optimizer keeps squares of gradients, which are too small "
                "for rows in fp16; use bf16. See docs/policies/backend.md");
  static_assert(topology<Topology>,
                "gossip::simulator: the topology must have graph build(uint64_t seed) const. See "
                "docs/policies/topology.md");
  static_assert(detail::has_rate<Optimizer>,
                "gossip::simulator: the optimizer must have a member rate. See "
                "docs/policies/optimizer.md");
  static_assert(!detail::steps_a_copy<Optimizer>,
                "gossip::simulator: step of the optimizer takes the parameter by value, so that "
                "nothing would be trained; expected void step(auto scale, auto &parameter, auto "
                "const *row) const. See docs/policies/optimizer.md");
  static_assert(!detail::begins_a_rule<Optimizer> || detail::absorbs<Optimizer>,
                "gossip::simulator: the optimizer has the form of a rule, with step and a constant "
                "rows, and no absorb; expected void absorb(auto gradient, auto parameter, auto "
                "*row) const. See docs/policies/optimizer.md");
  static_assert(!detail::begins_a_rule<Optimizer> || detail::steps<Optimizer>,
                "gossip::simulator: the optimizer has the form of a rule, with absorb and a "
                "constant rows, and no step; expected void step(auto scale, auto &parameter, auto "
                "const *row) const. See docs/policies/optimizer.md");
  static_assert(!(detail::absorbs<Optimizer> && detail::steps<Optimizer>) ||
                    detail::has_constant_rows<Optimizer>,
                "gossip::simulator: the optimizer has the form of a rule, with absorb and step; "
                "expected static constexpr std::size_t rows, the numbers that a column keeps. See "
                "docs/policies/optimizer.md");
  static_assert(detail::begins_a_rule<Optimizer> || optimizer_rule<Optimizer> ||
                    detail::counts_rows<Optimizer>,
                "gossip::simulator: the optimizer must have size_t rows(bool waits) const. See "
                "docs/policies/optimizer.md");
  static_assert(detail::begins_a_rule<Optimizer> || optimizer_rule<Optimizer> ||
                    detail::checks_itself<Optimizer>,
                "gossip::simulator: the optimizer must have void check() const. See "
                "docs/policies/optimizer.md");
  static_assert(!detail::mentions_factor<Optimizer> || detail::has_factor<Optimizer>,
                "gossip::simulator: the optimizer has a factor that cannot be called as double "
                "factor(double epoch) const. See docs/policies/optimizer.md");
  static_assert(!detail::mentions_keeps_squares<Optimizer> ||
                    detail::declares_keeps_squares<Optimizer>,
                "gossip::simulator: the optimizer's keeps_squares must be a static constexpr bool. "
                "See docs/policies/optimizer.md");
  static_assert(!Precision::scales_loss || exchange_rows<Exchange> == 0,
                "gossip::simulator: an exchange with rows of its own needs gradients that cannot "
                "overflow: fp16 has a scaled loss, use bf16. See docs/policies/exchange.md");
  static_assert(!(detail::on_a_device<Backend> && Precision::scales_loss) || std::same_as<Row, T>,
                "gossip::simulator: on a device gradients in fp16 need rows in float; bf16 does "
                "not. See docs/policies/backend.md");
  static_assert(compute_model<Compute>,
                "gossip::simulator: the compute times must have virtual_time duration(uint64_t "
                "seed, node i, uint64_t step) const. See docs/policies/clock.md");
  static_assert(backend<Backend>,
                "gossip::simulator: the backend must be serial, cpu, onednn or cuda. See "
                "docs/policies/backend.md");
  static constexpr bool hold = true;
};

}  // namespace gossip
