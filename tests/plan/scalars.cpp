// Scalars in plans: stages, what belongs to whom, bytes and time.
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/topology/ring.hpp>

#include <functional>
#include <utility>
#include <vector>

#include "plans.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

using act = std::function<void(plan_of<struct scripted> &, round_number)>;

/// Does what it is told in every round.
struct scripted {
  static constexpr std::size_t rows = 2;
  act round;

  void on_round(auto &plan, round_number k) const {
    plan.train_all();
    plan.step_all();
    round(plan, k);
  }
};

whole_plan planned(act const &round, std::uint64_t count = 2) {
  plan_settings settings = rounds_of(4, count);
  settings.row_bytes = 800;
  return whole_plan_of(scripted{round}, ring{4}.build(), settings);
}

scalar norm(auto &plan, node i) {
  return plan.reduce(op::squared_norm{}, i, {model_row});
}
scalar apart(auto &plan, node i, node j) {
  return plan.reduce(op::squared_distance{}, i, {model_row}, j, model_row);
}
scalar between(auto &plan, node i, node j, node l) {
  return plan.reduce(op::squared_distance{}, i, j, model_row, l, model_row);
}
scalar half(auto &plan, node i, scalar const &s) {
  return plan.compute(op::scaled{}, i, {s}, {0.5});
}
void scale(auto &plan, node i, scalar const &by) {
  plan.apply(op::linear<1>{}, i, {model_row, model_row}, {by});
}

/// Levels of the operations of a kind in the first window.
std::vector<std::uint32_t> levels_of(whole_plan const &plan, operation_kind kind) {
  std::vector<std::uint32_t> found;
  for (operation const &o : plan.stream)
    if (o.kind() == kind) found.push_back(o.level);
  return found;
}

/// Reads a neighbor's row at the end of a round and at the beginning of the next.
struct reads_across_rounds {
  static constexpr std::size_t rows = 1;

  void on_round(auto &plan, round_number) const {
    apart(plan, 0, 1);
    plan.train_all();
    plan.step_all();
    apart(plan, 0, 1);
  }
};

}  // namespace

TEST_CASE("who reads a scalar is a stage behind it, and who overwrites what it is made of",
          "[plan]") {
  row_list const gradient{{0}}, own{{0, false, true, true}};
  row_list const both{{0}, {0, true}};
  depths depth(4);
  depth.train(0, gradient);
  depth.begin_stages();
  CHECK(depth.reduce(0, 0, {{0}}) == 256);
  CHECK(depth.touch(0, 0, own) == 257);
  CHECK(depth.reduce(0, 1, both) == 257);
  CHECK(depth.touch(1, 1, own) == 258);  // node 0 has read it
  CHECK(depth.reduce(1, 1, {{0}}) == 258);
  CHECK(depth.train(1, own) == 512);
  CHECK(depth.touch_from(300, 2, 2, own) == 300);
  CHECK(depth.touch_all() == 512);
  CHECK(depth.reduce(3, 3, {{0}}) == 512);
  CHECK(depth.touch_all() == 513);
  depth.clear();
  CHECK(depth.train(2, gradient) == 1);
}

TEST_CASE("a training that moves a row waits for those who read it at the end of a stage",
          "[plan]") {
  row_list const gradient{{0}}, own{{0, false, true, true}};
  depths depth(2);
  depth.begin_stages();
  depth.train(0, gradient);
  SECTION("for a sum of its columns") {
    CHECK(depth.reduce(0, 1, {{0}, {0, true}}) == 256);
    CHECK(depth.train(1, own) == 512);
  }
  SECTION("for a function of the whole row") {
    CHECK(depth.change(0, 0, 1, {{1, false, true, true}, {0, true}}) == 256);
    CHECK(depth.train(1, own) == 512);
  }
  SECTION("but not one that leaves it alone") {
    CHECK(depth.change(0, 0, 1, {{1, false, true, true}, {0, true}}) == 256);
    CHECK(depth.train(1, gradient) == 256);
  }
}

TEST_CASE("stages are levels of a window, scalars behind the columns of theirs", "[plan]") {
  auto const plan = planned([](auto &p, round_number) { scale(p, 0, half(p, 0, norm(p, 0))); }, 1);
  // Level 1 trains, then steps; behind come the norm, its half, and the columns scaled by it.
  CHECK(levels_of(plan, operation_kind::step) == std::vector<std::uint32_t>(4, 1));
  auto const reduced = levels_of(plan, operation_kind::reduce_rows),
             computed = levels_of(plan, operation_kind::compute),
             scaled = levels_of(plan, operation_kind::columns);
  REQUIRE(scaled.size() == 1);
  for (operation const &o : plan.stream) {
    if (o.kind() == operation_kind::reduce_rows) CHECK(o.scalar() == 0);
    if (o.kind() == operation_kind::compute) CHECK(o.scalar() == 1);
  }
  CHECK(reduced[0] == 2);
  CHECK(computed[0] > reduced[0]);
  CHECK(scaled[0] > computed[0]);
  CHECK(scaled[0] <= 6);
}

TEST_CASE("more stages than a level has do not end a plan", "[plan]") {
  auto const plan = planned([](auto &p, round_number) {
    for (node const i : {0U, 2U}) {
      scalar s = norm(p, i);
      for (int stage = 0; stage < 700; ++stage) s = half(p, i, s);
      scale(p, i, s);
    }
  });
  CHECK(plan.trainings == 8);
  CHECK(plan.end.node_iterations == 8);
  auto const computed = levels_of(plan, operation_kind::compute);
  for (std::size_t k = 1; k < 700; ++k) CHECK(computed[k - 1] < computed[k]);
}

TEST_CASE("a round of clipped gossip is one cohort, and its scalars are made at once", "[plan]") {
  virtual_clock const clock{.compute = constant_time{}, .network = instant()};
  std::size_t cohorts = 0, passes = 0;
  auto const count = [&](plan_window const &window) {
    for (std::size_t l = 0; l < window.levels(); ++l) {
      cohorts += !window.level(l).cohort.empty();
      passes += !window.level(l).last.empty();
    }
  };
  auto const plan =
      whole_plan_of(clipped_gossip<>{}, ring{16}.build(), clock, rounds_of(16, 9), count);
  CHECK(plan.mean_cohort() == 16);
  CHECK(cohorts == 9);
  CHECK(passes == 2 * 9);
}

TEST_CASE("a row that operations read one after another is sent once", "[plan]") {
  auto const bytes = [](act const &round) { return planned(round, 1).end.bytes_sent; };
  CHECK(bytes([](auto &p, round_number) { apart(p, 0, 1); }) == 1000);
  auto const pull = [](auto &p, node i, node j, scalar const &s) {
    p.apply(op::interpolation{}, i, {exchange_row(0)}, j, model_row, {s});
  };
  CHECK(bytes([=](auto &p, round_number) { pull(p, 0, 1, half(p, 0, apart(p, 0, 1))); }) == 1000);
  CHECK(bytes([=](auto &p, round_number) {
          scalar const first = apart(p, 0, 1), second = apart(p, 1, 0);
          pull(p, 0, 1, first);
          pull(p, 1, 0, second);
          pull(p, 0, 3, first);
        }) == 3000);
  // After another operation, or one that writes such a row, it is sent again.
  CHECK(bytes([=](auto &p, round_number) {
          scalar const s = apart(p, 0, 1);
          p.assign(2, exchange_row(1), {{1, model_row}});
          pull(p, 0, 1, s);
        }) == 2000);
  CHECK(bytes([=](auto &p, round_number) {
          scalar const s = apart(p, 0, 1);
          scale(p, 1, half(p, 1, norm(p, 1)));
          pull(p, 0, 1, s);
        }) == 2000);
  CHECK(bytes([](auto &p, round_number) {
          auto const look = [&] {
            p.reduce(op::squared_distance{}, 1, {model_row}, 0, exchange_row(0));
          };
          look();                                                                   // 800
          p.apply(op::interpolation{}, 0, {exchange_row(0)}, 1, model_row, {0.5});  // 1000
          look();
        }) == 2600);
  auto const clipped = whole_plan_of(clipped_gossip<>{}, ring{8}.build(), rounds_of(8, 5));
  CHECK(clipped.end.bytes_sent == 5 * 8 * 2 * 1000);  // as D-PSGD
}

TEST_CASE("a row that a node has received stays with it from window to window", "[plan]") {
  auto const plan = whole_plan_of(reads_across_rounds{}, ring{4}.build(), rounds_of(4, 9));
  CHECK(plan.windows == 3);
  CHECK(plan.end.bytes_sent == (9 + 1) * 1000);
}

TEST_CASE("a node reduces rows of two others, which are sent to it once", "[plan]") {
  auto const plan = planned(
      [](auto &p, round_number) {
        scalar const across = between(p, 0, 1, 3);
        between(p, 0, 0, 1);
        between(p, 0, 3, 0);
        scale(p, 0, across);
      },
      1);
  CHECK(plan.end.bytes_sent == 2000);
  std::vector<operation> made;
  for (operation const &o : plan.stream)
    if (o.kind() == operation_kind::reduce_rows) made.push_back(o);
  REQUIRE(made.size() == 3);
  std::vector<std::pair<node, node>> const of{{1, 3}, {0, 1}, {3, 0}};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(made[k].reduces_others());
    CHECK(made[k].owner_of_scalar() == 0);
    CHECK(std::pair(made[k].a, made[k].b()) == of[k]);
  }
  CHECK_THROWS_WITH(
      planned([](auto &p, round_number) { between(p, 0, 1, 1); }),
      contains("node 0 reduces two rows of node 1; expected rows of two different nodes"));
  CHECK_THROWS_WITH(planned([](auto &p, round_number) { scale(p, 1, between(p, 0, 1, 3)); }),
                    contains("node 1"));
}

TEST_CASE("a node waits for a row that its reduction reads", "[plan]") {
  auto const end = [](bool reads) {
    virtual_clock const clock{.compute = constant_time{.mean = virtual_time(1'000'000)},
                              .network = {.latency = virtual_time(5000), .bandwidth = 1e9}};
    act const round = [=](auto &p, round_number) {
      if (reads) apart(p, 0, 1);
    };
    return whole_plan_of(scripted{round}, ring{4}.build(), clock, rounds_of(4, 1)).end.time.count();
  };
  CHECK(end(false) == 1'000'000);
  CHECK(end(true) == 1'006'000);
}

TEST_CASE("scalars of others and of earlier windows are refused in a sentence", "[plan]") {
  auto const refused = [](act const &round, std::string const &sentence) {
    CHECK_THROWS_WITH(planned(round, 9), contains(sentence));
  };
  refused([](auto &p, round_number) { scale(p, 0, norm(p, 1)); },
          "node 0 reads a scalar of node 1; expected a scalar of its own");
  refused([](auto &p, round_number) { half(p, 2, apart(p, 1, 2)); },
          "node 2 reads a scalar of node 1");
  refused([](auto &p, round_number) { scale(p, 0, {}); }, "node 0 reads a scalar that nothing");
  scalar kept;
  refused(
      [&](auto &p, round_number k) {
        if (k == 0) kept = norm(p, 0);
        scale(p, 0, kept);
      },
      "node 0 reads a scalar of an earlier window");
  refused([](auto &p, round_number) { apart(p, 1, 1); }, "cannot exchange with itself");
  refused([](auto &p, round_number) { apart(p, 1, 4); },
          "plan.apply or reduce: expected a node below 4, got 4");
  refused([](auto &p, round_number) { norm(p, 4); },
          "plan.apply, reduce or compute: expected a node below 4, got 4");
}

TEST_CASE("SAM trains twice a round, which its node-iterations do not count", "[plan]") {
  auto const plan = whole_plan_of(sam_d_psgd<>{}, ring{8}.build(), rounds_of(8, 5));
  CHECK(plan.trainings == 2 * 5 * 8);
  CHECK(plan.end.node_iterations == 5 * 8);
  CHECK(plan.mean_cohort() == 8);
  CHECK(plan.end.bytes_sent == 5 * 8 * 2 * 1000);
}
