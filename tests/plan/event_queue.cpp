// The queue of the virtual clock: the total order of events.
#include <gossip/plan/event_queue.hpp>

#include <gossip/core/random.hpp>

#include <algorithm>
#include <vector>

#include "../catch.hpp"

using gossip::event;
using gossip::event_kind;
using gossip::event_queue;
using gossip::virtual_time;

namespace {

// Few different times and nodes, so that ties are common; sequence numbers differ.
std::vector<event> many_events(std::size_t count) {
  gossip::keyed_random random(1, gossip::purpose::user, 0, 0);
  std::vector<event> events;
  for (std::size_t k = 0; k < count; ++k)
    events.push_back({virtual_time(random.below(5)),
                      event::place_of(static_cast<event_kind>(random.below(3)), random.below(4)),
                      k});
  return events;
}

bool same(event const &a, event const &b) {
  return !(a < b) && !(b < a);
}

}  // namespace

TEST_CASE("events come by time, then node, then sequence", "[plan]") {
  event_queue queue;
  queue.push({virtual_time(2), 0, 0});
  queue.push({virtual_time(1), 2, 1});
  queue.push({virtual_time(1), 1, 3});
  queue.push({virtual_time(1), 1, 2});
  std::vector<std::uint64_t> order;
  for (; !queue.empty(); queue.pop()) order.push_back(queue.first().sequence);
  CHECK(order == std::vector<std::uint64_t>{2, 3, 1, 0});
}

TEST_CASE("of events of equal time trainings come first, late timers last", "[plan]") {
  event_queue queue;
  std::vector<event_kind> const kinds{event_kind::late_timer, event_kind::message,
                                      event_kind::timer, event_kind::trained};
  for (std::uint64_t k = 0; k < kinds.size(); ++k)
    queue.push({virtual_time(1), event::place_of(kinds[k], static_cast<gossip::node>(k)), k});
  std::vector<event_kind> order;
  for (; !queue.empty(); queue.pop()) order.push_back(queue.first().kind());
  CHECK(order == std::vector{event_kind::trained, event_kind::message, event_kind::timer,
                             event_kind::late_timer});
  queue.push({virtual_time(1), event::place_of(event_kind::timer, 77), 0});
  CHECK(queue.first().who() == 77);
}

TEST_CASE("a queue gives its events back sorted", "[plan]") {
  for (std::size_t const count : {1, 2, 3, 17, 1000}) {
    auto events = many_events(count);
    event_queue queue;
    for (event const &e : events) queue.push(e);
    std::sort(events.begin(), events.end());
    for (event const &e : events) {
      REQUIRE(!queue.empty());
      CHECK(same(queue.first(), e));
      queue.pop();
    }
    CHECK(queue.empty());
  }
}

TEST_CASE("replacing the first event is popping it and pushing the other", "[plan]") {
  event_queue replaced, popped;
  for (event const &e : many_events(50)) {
    replaced.push(e);
    popped.push(e);
  }
  for (std::uint64_t k = 0; k < 200; ++k) {
    event next = popped.first();
    next.time += virtual_time((k * 7) % 11);
    next.sequence = 1000 + k;
    popped.pop();
    popped.push(next);
    replaced.replace_first(next);
    REQUIRE(same(replaced.first(), popped.first()));
  }
}
