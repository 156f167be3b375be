// Fragments of rows and messages of several: operations, bytes, payloads, and what is refused.
#include <gossip/engine/distributed/watch.hpp>
#include <gossip/op/column.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/top_k.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../exchange/whole_row_exchanges.hpp"
#include "plans.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

using letter = message<detail::no_state>;

/// Does what it is told in every round, and with every message.
struct cutter {
  using verbs = plan_of<cutter>;
  static constexpr std::size_t rows = 2, edge_rows = 1;

  std::function<void(verbs &)> round;
  std::function<void(verbs &, node, letter const &)> receive = [](verbs &, node, letter const &) {};

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    round(plan);
    plan.deliver();
  }
  void on_message(auto &plan, node i, letter const &m) const { receive(plan, i, m); }
};

/// Rows of ten columns and 80 bytes, models of 1,000.
plan_settings ten_columns() {
  plan_settings settings = rounds_of(4, 1);
  settings.row_bytes = 80;
  settings.columns = 10;
  return settings;
}

whole_plan planned(cutter const &exchange) {
  return whole_plan_of(exchange, ring{4}.build(), ten_columns());
}

/// The window of its one round.
plan_window window_of(cutter const &exchange) {
  static graph const g = ring{4}.build();
  virtual_clock<constant_time> const clock;
  plan_settings const settings = ten_columns();
  planner<cutter> source(exchange, g, clock, settings);
  plan_window window;
  source.next(window);
  return window;
}

std::vector<operation> columns_in(std::vector<operation> const &stream) {
  std::vector<operation> found;
  for (operation const &o : stream)
    if (o.kind() == operation_kind::columns) found.push_back(o);
  return found;
}

constexpr row_name kept = exchange_row(0);
constexpr fragment middle{3, 4};

/// Whether a function may be applied to a fragment.
template <class F>
concept takes_fragments = requires(cutter::verbs &plan, std::array<row_name, F::rows> rows,
                                   std::array<coefficient, F::coefficients> c) {
  plan.apply(F{}, node{0}, rows, c, middle);
};
static_assert(takes_fragments<op::clear> && takes_fragments<op::linear<7>>);
static_assert(!takes_fragments<op::top_k>);

/// Gives a function of whole rows a message of a fragment.
struct careless {
  static constexpr std::size_t rows = 2;
  using functions = function_list<ranked_below>;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    plan.send(0, 1, {{1, model_row}}, middle);
    plan.deliver();
  }
  void on_message(auto &plan, node i, auto const &m) const {
    plan.apply(ranked_below{}, i, {kept, exchange_row(1)}, m, {0.5, 0.5});
  }
};

}  // namespace

TEST_CASE("fragments of a row are nearly equal and have every column once", "[plan]") {
  for (std::size_t const columns : {1, 7, 10, 1000})
    for (std::size_t n = 1; n <= std::min<std::size_t>(columns, 9); ++n) {
      std::size_t next = 0;
      for (std::size_t k = 0; k < n; ++k) {
        fragment const f = detail::nth_fragment(k, n, columns);
        CHECK(f.first == next);
        CHECK((f.count == columns / n || f.count == columns / n + 1));
        next = f.end();
      }
      CHECK(next == columns);
    }
  CHECK_THROWS_WITH(detail::nth_fragment(3, 3, 10), contains("names fragment 3 of 3"));
  CHECK_THROWS_WITH(detail::nth_fragment(0, 0, 10), contains("names fragment 0 of 0"));
  CHECK_THROWS_WITH(detail::nth_fragment(0, 11, 10), contains("at most the 10 columns"));
}

TEST_CASE("an operation on a fragment has its limits, and its coefficients in the window",
          "[plan]") {
  plan_window const window = window_of({.round = [](auto &plan) {
    CHECK(plan.columns() == 10);
    plan.assign(2, kept, {{0.5, model_row}}, middle);
    plan.assign(2, kept, {{0.25, model_row}, {4, kept}}, middle);
    plan.assign(2, kept, {{8, model_row}});
    plan.average(0, 1, model_row, plan.fragment_of(0, 2));
  }});
  auto const found = columns_in(window.stream);
  REQUIRE(found.size() == 4);
  for (std::size_t k : {0, 1}) {
    CHECK(found[k].first_column() == 3);
    CHECK_FALSE(found[k].limits().hold(2));
    CHECK(found[k].limits().hold(3));
    CHECK(found[k].limits().hold(6));
    CHECK_FALSE(found[k].limits().hold(7));
  }
  REQUIRE(found[0].columns().has_coefficient());
  CHECK(found[0].columns().coefficient == 0.5);
  CHECK(window.coefficients == std::vector<double>{0.25, 4});
  REQUIRE(found[1].columns().place == coefficient_place::window);
  CHECK(found[1].columns().first == 0);
  CHECK(found[2].limits().are_all());
  CHECK(found[2].columns().coefficient == 8);
  CHECK(found[2].limits().hold(9));
  CHECK(found[3].limits().last == 5);
}

TEST_CASE("the hash of a window depends on fragments", "[plan]") {
  auto const hash = [](fragment const &only) {
    return hash_of(
        window_of({.round = [=](auto &plan) { plan.assign(2, kept, {{0.5, model_row}}, only); }}));
  };
  CHECK(hash(middle) == hash({3, 4}));
  CHECK(hash(middle) != hash({3, 5}));
  CHECK(hash(middle) != hash({2, 4}));
}

TEST_CASE("fragments of one row need one payload, and count their bytes", "[plan]") {
  std::vector<std::pair<node, fragment>> arrived;
  auto const plan = planned(
      {.round = [](auto &p) { p.send_fragments(0, {{1, {7, 2}}, {3, {2, 3}}}, {{1, model_row}}); },
       .receive =
           [&](auto &p, node i, letter const &m) {
             arrived.push_back({i, m.columns});
             CHECK_FALSE(m.whole);
             p.add(i, kept, {{1, m}});
           }});
  CHECK(arrived == std::vector<std::pair<node, fragment>>{{1, {7, 2}}, {3, {2, 3}}});
  CHECK(plan.end.bytes_sent == 8 * (2 + 3));
  auto const found = columns_in(plan.stream);
  REQUIRE(found.size() == 3);
  CHECK(found[0].limits().first == 2);  // the copy: from the first column to the last
  CHECK(found[0].limits().last == 9);
  CHECK(found[1].limits().first == 7);
  CHECK(found[2].limits().last == 5);
  CHECK(found[0].a == found[1].b());
  CHECK(found[0].a == found[2].b());
}

TEST_CASE("a smaller fragment arrives earlier", "[plan]") {
  auto settings = ten_columns();
  settings.row_bytes = 800'000;
  virtual_clock<constant_time> const clock{
      .network = {.latency = virtual_time(0), .bandwidth = 1e6}};
  auto const end = [&](std::size_t count) {
    return whole_plan_of(
               cutter{.round = [=](auto &p) { p.send(0, 1, {{1, kept}}, fragment{0, count}); }},
               ring{4}.build(), clock, settings, [](plan_window const &) {})
        .end.time;
  };
  CHECK(end(4) - end(2) == std::chrono::milliseconds(160));
}

TEST_CASE("a message of two rows is one message with the bytes of both", "[plan]") {
  std::vector<node> owners;
  auto const plan = planned({.round =
                                 [](auto &p) {
                                   p.send(0, 1, message_parts{{{1, model_row}}, {{2, kept}}});
                                   p.send_fragments(0, {{3, {0, 5}}},
                                                    message_parts{{{1, model_row}}, {{1, kept}}});
                                 },
                             .receive =
                                 [&](auto &p, node i, letter const &m) {
                                   owners.push_back(i);
                                   CHECK(m.parts == 2);
                                   p.add(i, kept, {{1, m}, {1, m.part(1)}});
                                 }});
  CHECK(owners == std::vector<node>{1, 3});
  CHECK(plan.end.bytes_sent == 1000 + 80 + 2 * 40);
  CHECK(columns_in(plan.stream).size() == 8);
}

TEST_CASE("a row of a message is read without statistics where that is asked for", "[plan]") {
  auto const trainable = [](bool whole) {
    auto const plan = planned(
        {.round = [](auto &p) { p.send(0, 1, message_parts{{{1, kept}}, {{1, model_row}}}); },
         .receive =
             [&](auto &p, node i, letter const &m) {
               message_header second = m.part(1);
               CHECK(second.whole);
               second.whole = whole;
               p.assign(i, model_row, {}, {{1, second}});
             }});
    for (operation const &o : plan.stream)
      if (o.kind() == operation_kind::columns && o.a == 1) return o.rows[0].trainable;
    return false;
  };
  CHECK_FALSE(trainable(true));
  CHECK(trainable(false));
}

TEST_CASE("the rows of a message are payloads of their own, used again together", "[plan]") {
  std::vector<std::uint32_t> const sizes{3};
  outboxes boxes(1, 10, sizes);
  letter m{{.from = 0}};
  m.entry = boxes.take(0, 2);
  std::uint32_t const second = boxes.take_more(0, m.entry);
  CHECK(boxes.owner(0, m.entry) == 10);
  CHECK(boxes.owner(0, second) == 11);
  CHECK(boxes.entry_of_part(m.entry, 1) == second);
  boxes.drop(m);
  letter other{{.from = 0}};
  other.entry = boxes.take(0, 1);
  CHECK(boxes.owner(0, other.entry) == 12);
  CHECK_THROWS_WITH(boxes.take(0, 1), contains("more than 3 messages"));
  boxes.drop(m);
  boxes.drop(other);
  for (node const owner : {
           10,
           11,
           12,
       })
    CHECK(boxes.owner(0, boxes.take(0, 1)) == owner);
}

TEST_CASE("a message of several rows is kept and dropped as a whole", "[plan]") {
  letter held;
  int rounds = 0;
  auto settings = ten_columns();
  settings.node_iterations = 3 * 4;
  cutter const exchange{.round =
                            [&](auto &p) {
                              if (++rounds == 1)
                                p.send(0, 1, message_parts{{{1, model_row}}, {{1, kept}}});
                              if (rounds == 2) {
                                p.add(1, kept, {{1, held.part(1)}});
                                p.drop(held);
                              }
                              if (rounds == 3) p.add(1, kept, {{1, held.part(1)}});
                            },
                        .receive =
                            [&](auto &p, node, letter const &m) {
                              p.keep(m);
                              held = m;
                            }};
  CHECK_THROWS_WITH(whole_plan_of(exchange, ring{4}.build(), settings),
                    contains("reads a message that is gone"));
  CHECK(rounds == 3);
}

TEST_CASE("fragments and parts that cannot be are refused in a sentence", "[plan]") {
  using verbs = cutter::verbs;
  auto const refused = [](std::function<void(verbs &)> const &round, std::string const &sentence) {
    CHECK_THROWS_WITH(planned({.round = round}), contains(sentence));
  };
  refused([](verbs &p) { p.assign(1, kept, {{1, model_row}}, fragment{0, 0}); },
          "node 1 names a fragment of no columns");
  refused([](verbs &p) { p.assign(1, kept, {{1, model_row}}, fragment{5, 6}); },
          "node 1 names a fragment of 6 columns from 5 on; expected some of the 10");
  refused([](verbs &p) { p.average(1, 2, kept, {11, 1}); }, "of 1 columns from 11 on");
  refused([](verbs &p) { p.send(1, 2, {{1, kept}}, fragment{2, static_cast<std::size_t>(-1)}); },
          "columns from 2 on");
  refused([](verbs &p) { p.apply(op::clear{}, 1, {kept}, {}, {10, 1}); }, "from 10 on");
  refused([](verbs &p) { p.fragment_of(2, 2); }, "names fragment 2 of 2");
  refused([](verbs &p) { p.send(0, 1, message_parts({})); }, "sends a message of 0 rows");
  refused([](verbs &p) { p.send(0, 1, message_parts{{{1, kept}}, message_part({})}); },
          "sends a message without a row of its own");
}

TEST_CASE("what a message does not hold is not read", "[plan]") {
  using verbs = cutter::verbs;
  auto const refused = [](std::function<void(verbs &, letter const &)> const &read,
                          std::string const &sentence) {
    CHECK_THROWS_WITH(planned({.round = [](auto &p) { p.send(0, 1, {{1, kept}}, middle); },
                               .receive = [&](auto &p, node, letter const &m) { read(p, m); }}),
                      contains(sentence));
  };
  refused([](verbs &p, letter const &m) { p.add(1, kept, {{1, m.part(1)}}); },
          "reads row 1 of a message of 1 from node 0");
  refused([](verbs &p, letter const &m) { p.add(1, kept, {{1, m}}, {2, 4}); },
          "node 1 reads columns 2 to 6 of a message that has columns 3 to 7");
  refused([](verbs &p, letter const &m) { p.send(1, 2, {{1, kept}}, fragment{0, 4}, {{1, m}}); },
          "node 1 reads columns 0 to 4 of a message that has columns 3 to 7");
  refused(
      [](verbs &p, letter const &m) {
        letter other = m;
        other.columns = {0, 4};
        p.assign(1, kept, {}, {{1, m}, {1, other}});
      },
      "node 1 sums messages of columns 3 to 7 and of columns 0 to 4; expected a fragment");
  refused(
      [](verbs &p, letter const &m) {
        p.send(1, 2, message_parts{{{1, model_row}}, {{{1, kept}}, {{1, m}}}});
      },
      "node 1 sends all columns of a row and columns 3 to 7 of a second row in one message; "
      "expected");
  refused([](verbs &p, letter const &m) { p.reduce(op::squared_distance{}, 1, {model_row}, m); },
          "node 1 reduces a message of columns 3 to 7; expected a message of whole rows");
  CHECK_THROWS_WITH(
      whole_plan_of(careless{}, ring{4}.build(), ten_columns()),
      contains(
          "node 1 gives a function of whole rows a message of columns 3 to 7; expected a message"));
}
