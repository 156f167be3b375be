// Levels: executing level after level must be as good as executing the stream.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include <vector>

#include "exchanges.hpp"
#include "plans.hpp"

using namespace gossip::test;
using gossip::node;
using gossip::operation;
using gossip::operation_kind;
using gossip::plan_window;
using gossip::row_list;
using gossip::virtual_clock;

namespace {

// Slots of a node that an operation reads or writes, as bits.
std::uint32_t slots(operation const &o, node i, bool written) {
  std::uint32_t bits = 0;
  for (bool const second : {false, true})
    if ((second ? o.b() : o.a) == i) {
      bits |= o.rows.written(second);
      if (!written) bits |= o.rows.read(second);
    }
  return bits;
}

bool on_all_nodes(operation const &o) {
  return o.kind() == operation_kind::mix || o.kind() == operation_kind::reduce ||
         o.kind() == operation_kind::observe || o.kind() == operation_kind::sum;
}

// Whether they share a row that one of them writes. A training writes its optimizer's rows too, of
// which the lists here say nothing.
bool conflict(operation const &a, operation const &b) {
  if (on_all_nodes(a) || on_all_nodes(b)) return true;
  if (a.a == b.a && a.kind() == operation_kind::train && b.kind() == operation_kind::train)
    return true;
  for (node const i : {a.a, a.b()})
    if ((slots(a, i, true) & slots(b, i, false)) != 0 ||
        (slots(a, i, false) & slots(b, i, true)) != 0)
      return true;
  return false;
}

bool same(operation const &a, operation const &b) {
  return a.does_as(b) && a.level == b.level;
}

// Place of each operation of the stream in the execution: position in the order of levels, and for
// trainings the number of their cohort. Operations that look the same keep their order.
struct place {
  std::size_t position, cohort;
};

std::vector<place> places(plan_window const &window) {
  std::vector<place> found(window.stream.size());
  std::vector<bool> taken(window.stream.size(), false);
  std::size_t position = 0;
  auto const put = [&](operation const &o, std::size_t cohort) {
    for (std::size_t k = 0; k < window.stream.size(); ++k)
      if (!taken[k] && same(window.stream[k], o)) {
        taken[k] = true;
        found[k] = {position++, cohort};
        return;
      }
    FAIL("an operation of a level is not in the stream");
  };
  for (std::size_t l = 0; l < window.levels(); ++l) {
    for (operation const &o : window.level(l).cohort) put(o, l);
    for (operation const &o : window.level(l).row_operations) put(o, 0);
  }
  REQUIRE(position == window.stream.size());
  return found;
}

void check_order(plan_window const &window) {
  auto const at = places(window);
  std::size_t overtaken = 0, joint = 0;
  for (std::size_t later = 0; later < at.size(); ++later)
    for (std::size_t first = 0; first < later; ++first) {
      operation const &a = window.stream[first], &b = window.stream[later];
      if (!conflict(a, b)) continue;
      overtaken += at[first].position > at[later].position;
      joint += at[first].cohort != 0 && at[first].cohort == at[later].cohort;
    }
  CHECK(overtaken == 0);
  CHECK(joint == 0);  // two of a cohort run at the same time
}

template <class Exchange>
void check_levels(Exchange const &exchange) {
  virtual_clock const clock{.compute = gossip::lognormal_time{.cv = 0.5}};
  for (std::size_t const n : {1, 2, 3, 17})
    for (auto const &g :
         {gossip::ring{n}.build(), gossip::star{n}.build(), gossip::complete{n}.build()}) {
      auto settings = rounds_of(n, 10);
      settings.cadences = {{17 * n, 10}};
      whole_plan_of(exchange, g, clock, settings, check_order);
    }
}

double mean_cohort(std::size_t n) {
  auto const g = gossip::random_regular{.nodes = n, .degree = 8}.build(1);
  virtual_clock const clock{.compute = gossip::lognormal_time{.cv = 0.1}};
  return whole_plan_of(gossip::ad_psgd{}, g, clock, rounds_of(n, 40)).mean_cohort();
}

}  // namespace

TEST_CASE("no level overtakes an operation that touches the same rows", "[plan]") {
  check_levels(gossip::none{});
  check_levels(gossip::all_reduce{});
  check_levels(gossip::ad_psgd{});
  check_levels(gossip::d_psgd<>{});
  check_levels(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine});
  check_levels(pull_twice{});
  check_levels(read_round{});
}

TEST_CASE("depth rises with trainings and spreads by contact", "[plan]") {
  row_list const gradient{{0}}, own{{0, false, true, true}};
  row_list const pull{{0, false, true, true}, {0, true}};
  row_list const both{{0, false, true, true}, {0, true, true, true}};
  gossip::depths depth(4);
  CHECK(depth.train(0, gradient) == 1);
  CHECK(depth.train(0, gradient) == 2);
  CHECK(depth.touch(1, 1, own) == 0);
  CHECK(depth.touch(1, 0, both) == 2);  // both
  CHECK(depth.train(1, gradient) == 3);
  CHECK(depth.touch(0, 0, own) == 2);
  CHECK(depth.touch_all() == 3);
  CHECK(depth.touch(2, 2, own) == 3);
  depth.clear();
  CHECK(depth.train(2, gradient) == 1);
  CHECK(depth.touch(2, 3, pull) == 1);
}

TEST_CASE("a node that is only read is not lifted, but its next write is", "[plan]") {
  row_list const gradient{{0}}, own{{0, false, true, true}};
  row_list const pull{{0, false, true, true}, {0, true}};
  gossip::depths depth(3);
  depth.train(0, gradient);
  depth.train(0, gradient);
  CHECK(depth.touch(0, 1, pull) == 2);
  SECTION("a training that leaves the model alone does not wait for the read") {
    CHECK(depth.train(1, gradient) == 1);
  }
  SECTION("a training that may move the model does") {
    CHECK(depth.train(1, own) == 3);
  }
  SECTION("nor does another reader") {
    CHECK(depth.touch(2, 1, pull) == 0);
  }
  SECTION("a write does") {
    CHECK(depth.touch(1, 1, own) == 2);
    CHECK(depth.train(1, gradient) == 3);
  }
}

TEST_CASE("synchronous methods train everybody in one cohort a round", "[plan]") {
  for (std::size_t const n : {1, 2, 3, 17}) {
    auto const g = gossip::ring{n}.build();
    auto const all = static_cast<double>(n);
    CHECK(whole_plan_of(gossip::d_psgd<>{}, g, rounds_of(n, 9)).mean_cohort() == all);
    CHECK(whole_plan_of(gossip::all_reduce{}, g, rounds_of(n, 9)).mean_cohort() == all);
    CHECK(whole_plan_of(gossip::none{}, g, rounds_of(n, 9)).mean_cohort() == all);
  }
}

TEST_CASE("AD-PSGD on random 8-regular graphs trains in cohorts of 6.6, 33 and 290", "[plan]") {
  CHECK(mean_cohort(16) == Approx(6.6).epsilon(0.1));
  CHECK(mean_cohort(100) == Approx(33).epsilon(0.1));
  CHECK(mean_cohort(1000) == Approx(290).epsilon(0.1));
}
