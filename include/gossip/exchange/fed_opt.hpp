// FedOpt: FedAvgM, FedAdagrad, FedYogi, FedAdam. S. J. Reddi, Z. Charles, M. Zaheer, Z. Garrett,
// K. Rush, J. Konecny, S. Kumar, H. B. McMahan, "Adaptive federated optimization", ICLR 2021,
// Algorithm 2; with momentum T.-M. H. Hsu, H. Qi, M. Brown, "Measuring the effects of non-identical
// data distribution for federated visual classification", arXiv 1909.06335 (2019).
#pragma once

#include <array>
#include <cstddef>

#include <gossip/core/described.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/op/adaptive_step.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The step of a server by the mean displacement of its clients.
enum class server_step { momentum, adagrad, yogi, adam };

template <>
struct value_names<server_step> {
  static constexpr std::array<char const *, 4> names{"momentum", "adagrad", "yogi", "adam"};
};

/// Another exchange in rounds whose server takes the mean of its clients, fed_avg or fed_prox; the
/// server takes its displacement d, from x to that mean, for the direction of a step. momentum:
/// m <- first_decay m + d, x <- x + rate m. The others: m <- first_decay m + (1 - first_decay) d,
/// x <- x + rate m / (sqrt(v) + floor), with v = floor^2 at first and without correction of the
/// bias; adagrad adds d^2 to v, adam takes the running mean of d^2, and yogi moves v towards d^2 by
/// (1 - second_decay) d^2. Three rows beside those of the base.
template <exchange Base = fed_avg>
struct fed_opt : Base {
  server_step by = server_step::adam;
  double rate = 0.01;
  double first_decay = 0.9;
  double second_decay = 0.99;
  double floor = 1e-3;  ///< beside the root in the divisor; tau in the paper

  static constexpr std::size_t rows = exchange_rows<Base> + 3;

  void on_round(auto &plan, round_number k) const {
    row_name const before = exchange_row(rows - 3), first = exchange_row(rows - 2),
                   second = exchange_row(rows - 1);
    node const server = plan.server(0);
    plan.assign(server, before, {{1, model_row}});
    Base::on_round(plan, k);
    if (!plan.state(server).reached) return;  // nothing has arrived
    if (by == server_step::momentum) {
      plan.assign(server, first, {{first_decay, first}, {1, model_row}, {-1, before}});
      plan.assign(server, model_row, {{1, before}, {rate, first}});
      return;
    }
    double const kept = by == server_step::adam ? second_decay : 1;
    double const added = by == server_step::adagrad ? 1 : 1 - kept;
    double const towards = by == server_step::yogi ? 1 - second_decay : 0;
    plan.apply(op::adaptive_step{}, server, {model_row, before, first, second},
               {first_decay, 1 - first_decay, kept, added, towards, rate, floor});
  }

  static constexpr char const *name = "fed_opt";
  static constexpr char const *meaning =
      "Reddi et al. 2021: federated averaging with an optimizer at the server";
  static constexpr auto members()
    requires describes_itself<Base>
  {
    return Base::members().followed_by(
        described("by", &fed_opt::by, "optimizer of the server"),
        described("rate", &fed_opt::rate, "learning rate of the server", {.most = 1e6}),
        described("first_decay", &fed_opt::first_decay,
                  "decay rate of the first moment of displacements, or the momentum",
                  {.most = 1, .below_most = true}),
        described("second_decay", &fed_opt::second_decay,
                  "decay rate of the second moment of displacements",
                  {.most = 1, .below_most = true}),
        described("floor", &fed_opt::floor, "constant added to the root of the second moment",
                  {.most = 1e6, .above_least = true}));
  }
};

static_assert(exchange<fed_opt<>>);

}  // namespace gossip
