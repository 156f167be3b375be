// Duration of a plan on the virtual clock: closed forms.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::constant_time;
using gossip::node;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

virtual_clock<constant_time> clock_with(gossip::link const &network, double factor = 1.0) {
  return {.compute = constant_time{compute}, .network = network, .slow = {{0, factor}}};
}

template <class Exchange>
virtual_time time_of(Exchange const &exchange, gossip::graph const &g, std::uint64_t rounds,
                     gossip::link const &network, double factor = 1.0) {
  return whole_plan_of(exchange, g, clock_with(network, factor), rounds_of(g.nodes(), rounds))
      .end.time;
}

gossip::d_psgd<> mixing(gossip::mixing_order order,
                        gossip::barrier wait = gossip::barrier::neighbors) {
  return {.order = order, .wait = wait};
}

// In every round another node takes ten times as long, three nodes further on.
struct wandering_slowness {
  virtual_time duration(std::uint64_t, node i, std::uint64_t step) const {
    return i == 3 * step ? 10 * compute : compute;
  }
};

/// Copies the models to a row, or to themselves, between training and mixing.
struct copies_and_mixes {
  static constexpr std::size_t rows = 1;
  gossip::row_name to;
  gossip::mixing_matrix by;
  bool in_a_fragment = false;

  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    for (node i = 0; i < plan.nodes(); ++i)
      if (in_a_fragment)
        plan.assign(i, to, {{1, gossip::model_row}}, plan.fragment_of(0, 1));
      else
        plan.assign(i, to, {{1, gossip::model_row}});
    plan.mix_all(by);
    plan.step_all();
  }
};

}  // namespace

TEST_CASE("a straggler that comes and goes delays what begins or goes on meanwhile", "[plan]") {
  // Node 0 takes three times as long from 15 to 60 ms: its trainings one after the other end at 10,
  // 30 (5 ms, and 5 ms in 15), 60 and 70 ms.
  virtual_clock<constant_time> const clock{
      .compute = {compute},
      .network = instant(),
      .slow = {{.which = 0, .factor = 3, .from = 15ms, .until = 60ms}}};
  gossip::graph const pair = gossip::complete{2}.build();
  for (auto const &[rounds, end] :
       {std::pair{1, 10ms}, {2, 30ms}, {3, 60ms}, {4, 70ms}, {9, 120ms}})
    CHECK(whole_plan_of(gossip::all_reduce{}, pair, clock,
                        rounds_of(2, static_cast<std::uint64_t>(rounds)))
              .end.time == end);
  // Without waiting node 1 begins five of the first eight by 40 ms, and the last to end is node 0's
  // third.
  CHECK(whole_plan_of(gossip::ad_psgd{}, pair, clock, rounds_of(2, 4)).end.time == 60ms);
}

TEST_CASE("the seed of a run draws the machines of each kind", "[plan]") {
  // Node 0 is slow; where it is of the slow kind as well, both factors hold.
  virtual_clock<constant_time> const clock{.compute = {compute},
                                           .network = instant(),
                                           .slow = {{.which = 0, .factor = 3}},
                                           .kinds = {{.share = 0.5, .factor = 2}}};
  gossip::graph const g = gossip::complete{4}.build();
  int both = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto settings = rounds_of(4, 1);
    settings.seed = seed;
    bool const is_of_kind = gossip::kinds_of_nodes(clock.kinds, 4, seed)[0] == 1;
    CHECK(whole_plan_of(gossip::all_reduce{}, g, clock, settings).end.time ==
          (is_of_kind ? 60ms : 30ms));
    both += is_of_kind;
  }
  CHECK((both > 0 && both < 20));
}

TEST_CASE("all-reduce takes the slowest training and a ring's messages a round", "[plan]") {
  // 2 (n - 1) latencies and twice 1,000 bytes but two of n parts, the least: 333 of 3, 58 of 17; 10
  // ns a byte.
  for (auto const &[n, bytes] :
       {std::pair<std::size_t, int>{1, 0}, {2, 1000}, {3, 2000 - 2 * 333}, {17, 2000 - 2 * 58}})
    for (double const factor : {1.0, 2.0, 10.0}) {
      virtual_time const transfer = static_cast<int>(2 * n - 2) * 20us + bytes * 10ns;
      virtual_time const slowest = static_cast<int>(factor) * compute;
      CHECK(time_of(gossip::all_reduce{}, gossip::complete{n}.build(), 7, slow_link, factor) ==
            7 * (slowest + transfer));
    }
}

TEST_CASE("nodes alone take as long as the slowest of them", "[plan]") {
  CHECK(time_of(gossip::none{}, gossip::ring{5}.build(), 9, slow_link) == 9 * compute);
  CHECK(time_of(gossip::none{}, gossip::ring{5}.build(), 9, slow_link, 4.0) == 36 * compute);
}

TEST_CASE("AD-PSGD loses one node's share to a slow node, not its factor", "[plan]") {
  // n - 1 + 1/k trainings in the time of one, until those at work at the end have finished too.
  constexpr std::size_t n = 16;
  for (double const k : {1.0, 2.0, 10.0, 100.0}) {
    std::uint64_t const rounds = 2000;
    auto const seconds = std::chrono::duration<double>(
        time_of(gossip::ad_psgd{}, gossip::complete{n}.build(), rounds, instant(), k));
    double const law =
        static_cast<double>(n * rounds) * 0.01 / (static_cast<double>(n - 1) + 1 / k);
    CHECK(seconds.count() == Approx(law).margin(0.01 * (k + 1)));
  }
}

TEST_CASE("a node of AD-PSGD waits for its own messages only", "[plan]") {
  // 1,000 bytes over the slow link: 30 us after each training, the last too.
  auto const time = time_of(gossip::ad_psgd{}, gossip::ring{8}.build(), 100, slow_link);
  CHECK(time == 100 * (compute + 30us));
}

TEST_CASE("combine-then-adapt hides the shorter of computing and communicating", "[plan]") {
  auto const cta = mixing(gossip::mixing_order::combine_then_adapt);
  auto const atc = mixing(gossip::mixing_order::adapt_then_combine);
  auto const ring = gossip::ring{8}.build();
  virtual_time const two_messages = 20us + 2 * 10us;
  CHECK(time_of(cta, ring, 9, slow_link) == 9 * compute);
  CHECK(time_of(atc, ring, 9, slow_link) == 9 * (compute + two_messages));
  gossip::d_psgd<> const mixed{.point = gossip::gradient_point::mixed};
  CHECK(time_of(mixed, ring, 9, slow_link) == 9 * (compute + two_messages));
  gossip::link const crawl{.latency = 0ns, .bandwidth = 1e5};  // 20 ms for two messages
  CHECK(time_of(cta, ring, 9, crawl) == 9 * 20ms);
  CHECK(time_of(atc, ring, 9, crawl) == 9 * 30ms);
}

TEST_CASE("a mixture waits for who has written a model, not for who has read it", "[plan]") {
  auto const ring = gossip::ring{8}.build();
  for (bool const in_a_fragment : {false, true}) {
    auto const time = [&](gossip::row_name to) {
      auto const by = gossip::metropolis_hastings{}.weights(ring);
      return time_of(copies_and_mixes{to, by, in_a_fragment}, ring, 9, slow_link);
    };
    CHECK(time(gossip::exchange_row(0)) == 9 * compute);  // messages travel while nodes compute
    CHECK(time(gossip::model_row) == 9 * (compute + 20us + 2 * 10us));
  }
}

TEST_CASE("a neighbors' barrier lets slow rounds of distant nodes overlap", "[plan]") {
  // A wait spreads by one node a round, the slow one moves on by three: no chain of waits meets
  // two.
  constexpr std::size_t n = 64, rounds = 10;
  auto const ring = gossip::ring{n}.build();
  auto const time = [&](gossip::mixing_order order, gossip::barrier wait) {
    return whole_plan_of(mixing(order, wait), ring,
                         virtual_clock{.compute = wandering_slowness{}, .network = instant()},
                         rounds_of(n, rounds))
        .end.time;
  };
  for (auto const order :
       {gossip::mixing_order::combine_then_adapt, gossip::mixing_order::adapt_then_combine}) {
    CHECK(time(order, gossip::barrier::neighbors) == (rounds - 1 + 10) * compute);
    CHECK(time(order, gossip::barrier::global) == rounds * 10 * compute);
  }
}

TEST_CASE("a permanently slow node holds up a synchronous network by its factor", "[plan]") {
  auto const ring = gossip::ring{8}.build();
  for (auto const order :
       {gossip::mixing_order::combine_then_adapt, gossip::mixing_order::adapt_then_combine})
    for (auto const wait : {gossip::barrier::neighbors, gossip::barrier::global})
      CHECK(time_of(mixing(order, wait), ring, 20, instant(), 10.0) == 200 * compute);
}

TEST_CASE("virtual time does not depend on how a plan is cut into windows or observed", "[plan]") {
  auto const g = gossip::complete{6}.build();
  virtual_clock const clock{.compute = gossip::lognormal_time{}, .network = slow_link};
  auto const plain = whole_plan_of(gossip::ad_psgd{}, g, clock, rounds_of(6, 50));
  auto settings = rounds_of(6, 50);
  settings.cadences = {{1}, {15, 2}};
  auto const observed = whole_plan_of(gossip::ad_psgd{}, g, clock, settings);
  CHECK(observed.end.time == plain.end.time);
  CHECK(observed.end.bytes_sent == plain.end.bytes_sent);
  CHECK(plain.windows == 13);  // 4 rounds a window
}
