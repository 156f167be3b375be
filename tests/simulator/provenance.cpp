// Provenance of a run in its report.
#include <gossip/simulator/provenance.hpp>

#include <gossip/backend/serial.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include <string>
#include <variant>

#include "../catch.hpp"

using gossip::detail::policy_in_words;

namespace gossip::test {

/// Without a description, and with members of several kinds.
struct undescribed {
  double share = 0.25;
  std::variant<gossip::codec::top_k, int> codec{};
  void on_round(auto &plan, round_number) const { plan.train_all(); }
};

}  // namespace gossip::test

TEST_CASE("an exchange is named with the values of its members", "[simulator]") {
  CHECK(
      policy_in_words(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine}).text() ==
      "d_psgd, order adapt_then_combine, point own, barrier neighbors, weights "
      "metropolis_hastings");
  CHECK(policy_in_words(gossip::buffered_gossip{}).text().starts_with("buffered_gossip, "));
  CHECK_THAT(policy_in_words(gossip::buffered_gossip{}).text(), gossip::test::contains("tick 1s"));
  CHECK_THAT(policy_in_words(gossip::deep_squeeze<>{}).text(),
             gossip::test::contains("codec top_k(share 0.01)"));
  CHECK(policy_in_words(gossip::test::undescribed{}).text() ==
        "gossip::test::undescribed, member 1 0.25, member 2 top_k(share 0.01)");
  gossip::any_exchange const any = gossip::fed_avg{.local_steps = 3};
  CHECK(policy_in_words(any).text() == policy_in_words(gossip::fed_avg{.local_steps = 3}).text());
}

TEST_CASE("numbers are named by arithmetic, gradients and rows", "[simulator]") {
  using gossip::detail::numbers_in_words;
  CHECK(numbers_in_words<float, float>("") == "float");
  CHECK(numbers_in_words<double, double>("") == "double");
  CHECK(numbers_in_words<float, gossip::bf16>("fp16") == "float, gradients in fp16, rows in bf16");
}

TEST_CASE("a run says where its result comes from", "[simulator]") {
  gossip::simulator network{gossip::ring{4},    gossip::quadratic<4>{}, gossip::sgd{.rate = 0.1},
                            gossip::d_psgd<>{}, gossip::serial{},       gossip::numbers<double>{}};
  auto const of = network.run({.seed = 9, .stop = gossip::rounds{2}}).provenance;
  CHECK(of.seed == 9);
  CHECK(of.exchange.name == "d_psgd");
  CHECK(of.exchange.members.size() == 4);
  CHECK(of.backend == "serial");
  CHECK(of.numbers == "double");
  CHECK_FALSE(of.processor.empty());
  CHECK(of.compiler == gossip::detail::compiler_of_program());
  CHECK(of.flags == gossip::detail::flags_of_program());
  CHECK(of.kernels == gossip::blas::kernel_name());
  CHECK_FALSE(of.blas.empty());
  if (!of.kernels.empty()) CHECK(of.blas.starts_with("OpenBLAS "));
}

// The engine of this run may be compiled in gossip::compiled, with other flags.
TEST_CASE("a run says how the file that begins it was compiled", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<4>{}, gossip::sgd{.rate = 0.1},
                            gossip::d_psgd<>{}};
  auto const of = network.run({.stop = gossip::rounds{2}}).provenance;
  CHECK(of.compiler == gossip::detail::compiler_of_program());
  CHECK(of.flags == gossip::detail::flags_of_program());
}
