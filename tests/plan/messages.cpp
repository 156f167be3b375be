// Messages, servers, timers and questions in plans: their order, times and bytes, payloads that are
// used again, and what is refused.
#include <gossip/plan/message.hpp>
#include <gossip/topology/ring.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plans.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

using header = message<detail::no_state>;

/// Does what it is told in every round, and with every message.
struct postman {
  using verbs = plan_of<postman>;
  static constexpr std::size_t servers = 1;

  std::function<void(verbs &)> round;
  std::function<void(verbs &, node, header const &)> receive = [](verbs &, node, header const &) {};

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    round(plan);
  }
  void on_message(auto &plan, node i, header const &m) const { receive(plan, i, m); }
};

whole_plan planned(postman const &exchange, std::uint64_t rounds = 2) {
  return whole_plan_of(exchange, ring{4}.build(), rounds_of(4, rounds));
}

}  // namespace

TEST_CASE("messages of a round come by receiver, sender and number", "[plan]") {
  std::vector<std::pair<node, node>> order;
  planned({.round =
               [](auto &plan) {
                 plan.send(3, 0, {{1, model_row}});
                 plan.send(1, 2, {{1, model_row}});
                 plan.send(1, 0, {{1, model_row}});
                 plan.send_to(0, {plan.server(0), 2}, {{1, model_row}});
                 plan.deliver();
               },
           .receive = [&](auto &, node i, header const &m) { order.push_back({i, m.from}); }},
          1);
  CHECK(order == std::vector<std::pair<node, node>>{{0, 1}, {0, 3}, {2, 0}, {2, 1}, {4, 0}});
}

namespace {

struct two_servers {
  static constexpr std::size_t servers = 2;
  std::vector<node> *seen;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    *seen = {plan.server(0), plan.server(1)};
    plan.send(0, plan.server(1), {{1, model_row}});
    plan.deliver();
  }
  void on_message(auto &, node i, auto const &) const { seen->push_back(i); }
};

}  // namespace

TEST_CASE("servers are numbered behind the nodes", "[plan]") {
  std::vector<node> seen;
  whole_plan_of(two_servers{&seen}, ring{4}.build(), rounds_of(4, 1));
  CHECK(seen == std::vector<node>{4, 5, 5});
}

TEST_CASE("one copy goes to all receivers, and each is sent its bytes", "[plan]") {
  auto const plan = planned({.round = [](auto &p) {
    p.send_to(0, {1, 2, 3}, {{1, model_row}});
    p.deliver();
  }});
  std::size_t copies = 0;
  for (operation const &o : plan.stream) copies += o.kind() == operation_kind::columns;
  CHECK(copies == 2);  // of two rounds
  CHECK(plan.end.bytes_sent == 2 * 3 * rounds_of(4, 2).message_bytes);
}

TEST_CASE("a receiver reads the first row of a payload, with its own or without", "[plan]") {
  auto const read_by = [](auto receive) {
    auto const plan = planned({.round =
                                   [](auto &p) {
                                     p.send(0, 1, {{1, model_row}});
                                     p.deliver();
                                   },
                               .receive = receive},
                              1);
    for (operation const &o : plan.stream)
      if (o.kind() == operation_kind::columns && o.a == 1) return o;
    FAIL("nothing is read");
    return operation{};
  };
  operation const sum =
      read_by([](auto &p, node i, header const &m) { p.add(i, model_row, {{0.5, m}}); });
  CHECK(applies<op::linear<2>>(sum));
  CHECK(sum.rows.read(false) == 0b1);
  CHECK(sum.rows.read(true) == 0b1);
  operation const copy =
      read_by([](auto &p, node i, header const &m) { p.assign(i, model_row, {}, {{0.5, m}}); });
  CHECK(applies<op::linear<1>>(copy));
  CHECK(copy.rows.read(false) == 0);
  CHECK(copy.rows.read(true) == 0b1);
}

TEST_CASE("a message has at most 255 rows", "[plan]") {
  auto const sent = [](std::size_t rows) {
    return planned({.round =
                        [rows](auto &p) {
                          message_parts what{{{1, model_row}}};
                          what.rows.assign(rows, {{1, model_row}});
                          p.send(0, 1, what);
                          p.deliver();
                        }},
                   1)
        .count(operation_kind::columns);
  };
  CHECK(sent(255) == 255);
  CHECK_THROWS_WITH(sent(256), contains("sends a message of 256 rows; expected 1 to 255"));
}

TEST_CASE("what cannot be sent, kept or dropped is refused in a sentence", "[plan]") {
  auto const refused = [](postman const &exchange, std::string const &sentence) {
    CHECK_THROWS_WITH(planned(exchange), contains(sentence));
  };
  refused({.round = [](auto &p) { p.send(2, 2, {{1, model_row}}); }},
          "node 2 cannot send a message to itself");
  refused({.round = [](auto &p) { p.send(0, 5, {{1, model_row}}); }},
          "plan.send: expected a node below 4 or one of the 1 servers after the nodes, got 5");
  refused({.round = [](auto &p) { p.send(0, 1, {}); }}, "sends a message without a row of its own");
  refused({.round = [](auto &p) { p.server(1); }}, "names server 1 of 1");
  refused({.round = [](auto &p) { p.train(p.server(0)); }}, "is a server, which trains nothing");
  header last;
  refused({.round =
               [](auto &p) {
                 p.send(0, 1, {{1, model_row}});
                 p.deliver();
               },
           .receive = [](auto &p, node, header const &m) { p.drop(m); }},
          "drops a message twice");
  refused({.round =
               [&](auto &p) {
                 p.send(0, 1, {{1, model_row}});
                 p.deliver();
                 p.keep(last);
               },
           .receive = [&](auto &, node, header const &m) { last = m; }},
          "keeps a message that on_message is not called for");
}

TEST_CASE("a message that was not kept cannot be read later", "[plan]") {
  header gone;
  CHECK_THROWS_WITH(planned({.round =
                                 [&](auto &p) {
                                   p.send(0, 1, {{1, model_row}});
                                   p.deliver();
                                   p.add(1, model_row, {{1, gone}});
                                 },
                             .receive = [&](auto &, node, header const &m) { gone = m; }}),
                    contains("reads a message that is gone"));
}

TEST_CASE("a payload is used again as late as possible", "[plan]") {
  std::vector<std::uint32_t> const sizes{2, 3};
  outboxes boxes(2, 10, sizes);
  header m{{.from = 1}};
  auto const taken = [&](std::size_t uses) {
    m.entry = boxes.take(1, uses);
    return boxes.owner(1, m.entry);
  };
  CHECK(taken(1) == 12);
  header const first = m;
  CHECK(taken(2) == 13);
  header const second = m;
  boxes.drop(first);
  CHECK(taken(1) == 14);  // not yet 12 again
  boxes.drop(second);
  CHECK(taken(1) == 12);
  CHECK_THROWS_WITH(taken(1), contains("node 1 has more than 3 messages that were not dropped"));
  boxes.drop(second);  // the other receiver's
  CHECK(taken(1) == 13);
}

TEST_CASE("payloads that stay are the first of their sender", "[plan]") {
  std::vector<std::uint32_t> const sizes{2, 3};
  outboxes boxes(2, 10, sizes, [](std::size_t sender) { return sender == 0 ? 1U : 2U; });
  CHECK(boxes.owner(0, boxes.take(0, 1)) == 11);
  CHECK(boxes.owner(1, boxes.take(1, 1)) == 14);
}

TEST_CASE("payloads are counted as if used again as soon as possible", "[plan]") {
  outboxes boxes(2, 10, {});
  header m{{.from = 0}};
  for (int k = 0; k < 5; ++k) {
    m.entry = boxes.take(0, 1);
    CHECK(boxes.owner(0, m.entry) == 10);
    boxes.drop(m);
  }
  boxes.take(0, 1);
  boxes.take(0, 1);
  CHECK(boxes.most() == std::vector<std::uint32_t>{2, 0});
}
