// Rows besides the models: their slots, what operations list of them, and what is refused.
#include <gossip/op/whole_row.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/planned_rows.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/topology/ring.hpp>

#include <cstdint>
#include <functional>
#include <vector>

#include "plans.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

using act = std::function<void(plan_of<struct scripted> &)>;

/// Does what it is told in every round.
struct scripted {
  static constexpr std::size_t rows = 2;
  act round;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    round(plan);
    plan.step_all();
  }
};

whole_plan planned(act const &round) {
  plan_settings settings = rounds_of(3, 2);
  settings.optimizer_rows = 2;
  settings.row_bytes = 800;
  return whole_plan_of(scripted{round}, ring{3}.build(), settings);
}

/// The first operation of a kind.
operation first(whole_plan const &plan, operation_kind kind) {
  for (operation const &o : plan.stream)
    if (o.kind() == kind) return o;
  FAIL("no operation of this kind");
  return {};
}

}  // namespace

TEST_CASE("accesses of a list are what was put in, in order", "[plan]") {
  row_list const list{{0, false, true, true}, {15, true}, {3, false, false, true}};
  CHECK(list.size() == 3);
  CHECK(list[1].slot == 15);
  CHECK(list[1].of_second);
  CHECK_FALSE(list[1].writes);
  CHECK_FALSE(list[2].reads);
  CHECK(list.names_second());
  CHECK(list.writes_first());
  CHECK_FALSE(list.writes_second());
  CHECK(list.read(false) == 0b1);
  CHECK(list.written(false) == 0b1001);
  CHECK(list.read(true) == 1U << 15);
  CHECK_FALSE(list.only_models());
  CHECK(list.slot_of(true) == 15);
  row_list const other = list.exchanged();
  CHECK(other.written(true) == 0b1001);
  CHECK(other[1].slot == 15);
  CHECK_FALSE(other[1].of_second);
  CHECK(other.exchanged() == list);
  CHECK(row_list{}.size() == 0);
  CHECK(row_list{{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0, false, false, true}}.size() == 8);
}

TEST_CASE("the exchange's rows come behind the optimizer's", "[plan]") {
  auto const plan = planned(
      [](auto &p) { p.assign(0, exchange_row(1), {{2, optimizer_row(1)}, {3, model_row}}); });
  operation const sum = first(plan, operation_kind::columns);
  CHECK(applies<op::linear<2>>(sum));
  CHECK(sum.rows.written(false) == 1U << 4);
  CHECK(sum.rows.read(false) == 0b101);
}

TEST_CASE("trainings and steps list the model, the optimizer's rows and the gradient's", "[plan]") {
  planned_rows const rows(2, 2, true);
  row_list const reads{{0}, {1, false, true, true}, {2, false, true, true}};
  row_list const steps{{0, false, true, true}, {1, false, true, true}, {2, false, true, true}};
  CHECK(rows.train(false).rows == reads);
  CHECK(rows.train(true).rows == steps);
  CHECK(rows.step().rows == row_list{{0, false, true, true}, {1}, {2}});
  auto const elsewhere = rows.train({.at = exchange_row(0), .into = exchange_row(1)}, false);
  CHECK(elsewhere.gradient == 4);  // its statistics move the model
  CHECK(elsewhere.rows == row_list{{3},
                                   {0, false, true, true},
                                   {4, false, false, true},
                                   {1, false, true, true},
                                   {2, false, true, true}});
  row_list with_gradient = steps;
  with_gradient.add({3});
  CHECK(rows.step(exchange_row(0)).rows == with_gradient);
  CHECK_NOTHROW(planned_rows(8, 7, true));
  CHECK_THROWS_WITH(planned_rows(8, 8, true), contains("expected at most 16 rows per node"));
}

TEST_CASE("operations name rows in the order of their functions", "[plan]") {
  auto const with = [](act const &round) { return first(planned(round), operation_kind::columns); };
  row_list const models = with([](auto &p) { p.average(0, 1); }).rows;
  CHECK(models == row_list{{0, false, true, true}, {0, true, true, true}});
  row_list const others = with([](auto &p) { p.combine(0, 1, 0.5, exchange_row(0)); }).rows;
  CHECK(others == row_list{{3, false, true, true}, {3, true}});
  row_list const both = with([](auto &p) {
                          p.apply(op::linear<1>{}, 0, {exchange_row(1), exchange_row(0)}, {2.0});
                        }).rows;
  CHECK(both == row_list{{4, false, false, true}, {3}});
  CHECK(row_list{{2, true}}.slot_of(false) == 0);
}

TEST_CASE("a step by a row names its slot, other steps and trainings none", "[plan]") {
  auto const by_row =
      planned([](auto &p) { p.step(0, {.gradient = exchange_row(0), .counts = false}); });
  operation const step = first(by_row, operation_kind::step);
  CHECK(step.step().takes_row());
  CHECK(step.step().gradient_slot == 3);
  CHECK_FALSE(first(by_row, operation_kind::train).train().goes_to_row());
}

TEST_CASE("another row than the model sends the bytes of its columns", "[plan]") {
  std::uint64_t const none = planned([](auto &) {}).end.bytes_sent;
  CHECK(none == 0);
  CHECK(planned([](auto &p) { p.average(0, 1, exchange_row(0)); }).end.bytes_sent == 2 * 2 * 800);
  CHECK(planned([](auto &p) { p.combine(0, 1, 0.5); }).end.bytes_sent == 2 * 1000);
}

TEST_CASE("rows that are not there are refused in a sentence", "[plan]") {
  auto const refused = [](act const &round, std::string const &sentence) {
    CHECK_THROWS_WITH(planned(round), contains(sentence));
  };
  refused([](auto &p) { p.average(0, 1, exchange_row(2)); },
          "names row 2 of the exchange, which has 2");
  refused([](auto &p) { p.average(0, 1, optimizer_row(2)); },
          "names row 2 of the optimizer, which keeps 2");
  refused([](auto &p) { p.assign(0, exchange_row(0), {}); },
          "cannot be the sum of 0 terms; expected 1 to 7");
  refused([](auto &p) { p.step(0, {.gradient = model_row}); },
          "cannot take the model or a row of the optimizer for a gradient");
  refused([](auto &p) { p.train(0, {.into = exchange_row(0)}); },
          "trains again before it has stepped");
  refused([](auto &p) { p.average(1, 1, exchange_row(0)); }, "cannot exchange with itself");
}

namespace {

/// x_0 <- x_1.
struct copied {
  static constexpr std::size_t rows = 2, coefficients = 1;
  static constexpr std::uint32_t reads = 0b10, writes = 0b01;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *,
                            T *const *x) const {
    T *const to = x[0], *const from = x[1];
    team.each(columns, [=](std::size_t i) { to[i] = from[i]; });
  }
};

struct copies_whole_rows {
  static constexpr std::size_t rows = 2;
  using functions = function_list<copied>;
  row_name to, from;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    plan.apply(copied{}, 0, {to, from}, {1.0});
  }
};

}  // namespace

TEST_CASE("a row that a whole-row function writes is given to it once", "[plan]") {
  auto const plan_with = [](row_name to, row_name from) {
    return whole_plan_of(copies_whole_rows{to, from}, ring{3}.build(), rounds_of(3, 1));
  };
  auto const plan = plan_with(exchange_row(0), exchange_row(1));
  CHECK(first(plan, operation_kind::whole_rows).rows == row_list{{1, false, false, true}, {2}});
  CHECK_THROWS_WITH(plan_with(exchange_row(1), exchange_row(1)),
                    contains("gives a row that a whole-row function writes to it twice"));
}

namespace {

struct undeclared {
  void on_round(auto &plan, round_number) const {
    plan.train_all({.into = exchange_row(0)});
    plan.step_all();
  }
};

struct into_the_model {
  static constexpr std::size_t rows = 0;
  void on_round(auto &plan, round_number) const { plan.train_all({.into = model_row}); }
};

}  // namespace

TEST_CASE("an exchange that works on rows says so", "[plan]") {
  CHECK_THROWS_WITH(whole_plan_of(undeclared{}, ring{3}.build(), rounds_of(3, 1)),
                    contains("expected static constexpr std::size_t rows"));
  CHECK_THROWS_WITH(whole_plan_of(into_the_model{}, ring{3}.build(), rounds_of(3, 1)),
                    contains("a gradient cannot go to the model's row"));
}

namespace {

/// Notes the tags of its timers.
struct untagged {
  std::vector<std::uint32_t> *tags;

  void on_start(auto &plan) const {
    plan.train_all();
    plan.set_timer(1, virtual_time(5));
    plan.set_timer(2, virtual_time(5), 7);
  }
  void on_timer(auto &, node, std::uint32_t tag) const { tags->push_back(tag); }
  void on_trained(auto &plan, node i) const {
    plan.step(i);
    plan.train(i);
  }
};

}  // namespace

TEST_CASE("a timer without a tag has the tag 0", "[plan]") {
  std::vector<std::uint32_t> tags;
  whole_plan_of(untagged{&tags}, ring{3}.build(), rounds_of(3, 2));
  CHECK(tags == std::vector<std::uint32_t>{0, 7});
}
