// Gossip learning with accounts of tokens: the functions of the paper by hand, two nodes by a plain
// list of events, and the limit of what is sent.
#include <gossip/exchange/gossip_learning.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::gossip_learning;
using gossip::merge_weights;
using gossip::model_creation;
using gossip::ring;
using gossip::token_account;
using gossip::virtual_time;

namespace {

constexpr virtual_time account_period{100'000'000}, account_training{10'000'000};

gossip_learning walking(token_account account, std::uint64_t capacity, std::uint64_t reactivity) {
  return {account_period, model_creation::random_walk, merge_weights::equal, account, capacity,
          reactivity};
}

}  // namespace

TEST_CASE("gossip learning with accounts keeps the laws of exchanges", "[exchange]") {
  for (auto const account : {token_account::generalized, token_account::randomized}) {
    gossip_learning exchange = walking(account, 4, 2);
    exchange.period = virtual_time(5'000'000);
    check_exchange(exchange, {.keeps_mean = false, .reaches_mean = false});
  }
}

TEST_CASE("accounts of tokens are the functions of their paper", "[exchange]") {
  gossip_learning const simple = walking(token_account::simple, 3, 1);
  CHECK(simple.proactive(2) == 0);
  CHECK(simple.proactive(3) == 1);
  CHECK(simple.reactive(0, true) == 0);
  CHECK(simple.reactive(3, false) == 1);
  gossip_learning const generalized = walking(token_account::generalized, 9, 3);
  CHECK(generalized.proactive(8) == 0);
  CHECK(generalized.proactive(9) == 1);
  for (auto const &[tokens, useful, useless] : std::vector<std::array<std::uint64_t, 3>>{
           {0, 0, 0}, {1, 1, 0}, {3, 1, 0}, {4, 2, 1}, {9, 3, 1}}) {
    CHECK(generalized.reactive(tokens, true) == static_cast<double>(useful));
    CHECK(generalized.reactive(tokens, false) == static_cast<double>(useless));
  }
  gossip_learning const randomized = walking(token_account::randomized, 6, 3);
  CHECK(randomized.proactive(1) == 0);
  CHECK(randomized.proactive(2) == 0);
  CHECK(randomized.proactive(3) == Approx(0.25));
  CHECK(randomized.proactive(5) == Approx(0.75));
  CHECK(randomized.proactive(6) == 1);
  CHECK(randomized.reactive(4, true) == Approx(4 / 3.0));
  CHECK(randomized.reactive(4, false) == 0);
}

namespace {

/// Two nodes whose models walk, of one column, as happenings at times; what they draw is drawn
/// anew.
class two_walkers {
 public:
  two_walkers(gossip_learning const &how, std::uint64_t updates) : how_(how), left_(updates) {
    for (gossip::node i : {0, 1})
      at(static_cast<std::int64_t>(draw(i) * static_cast<double>(account_period.count())),
         [this, i] { ticks(i); });
    while (left_ > 0) {
      auto const next = happens_.begin();
      now_ = next->first;
      auto const happening = next->second;
      happens_.erase(next);
      happening();
    }
  }
  double model(std::size_t i) const { return nodes_[i].now.x; }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t by_answer() const { return answers_; }

 private:
  struct model_of {
    double x = 0;
    std::uint64_t age = 0;
  };
  struct walker {
    model_of now;
    std::uint64_t tokens = 0, draws = 0;
    bool busy = false;
    std::optional<model_of> waiting;
  };

  double draw(gossip::node i) { return gossip::detail::draw_uniform(1, i, nodes_[i].draws++); }
  void at(std::int64_t when, std::function<void()> what) {
    happens_.emplace(when, std::move(what));
  }

  void ticks(gossip::node i) {
    if (draw(i) < how_.proactive(nodes_[i].tokens))
      send(i);
    else
      ++nodes_[i].tokens;
    at(now_ + account_period.count(), [this, i] { ticks(i); });
  }
  void send(gossip::node i) {
    ++sent_;
    at(now_, [this, j = 1 - i, m = nodes_[i].now] { hear(j, m); });
  }
  void hear(gossip::node i, model_of const &m) {
    if (nodes_[i].busy) {
      nodes_[i].waiting = m;
      return;
    }
    nodes_[i].busy = true;
    bool const useful = m.age >= nodes_[i].now.age;
    at(now_ + account_training.count(), [this, i, m, useful] { update(i, m, useful); });
  }
  void update(gossip::node i, model_of const &m, bool useful) {
    walker &own = nodes_[i];
    double const target = i == 0 ? 3 : -5;
    own.now = {m.x - 0.2 * (m.x - target), m.age + 1};
    own.busy = false;
    if (--left_ == 0) return;
    double const wanted = how_.reactive(own.tokens, useful), whole = std::floor(wanted);
    auto const more = static_cast<std::uint64_t>(whole + (draw(i) < wanted - whole ? 1 : 0));
    own.tokens -= more;
    answers_ += more;
    for (std::uint64_t k = 0; k < more; ++k) send(i);
    if (!own.waiting) return;
    model_of const next = *own.waiting;
    own.waiting.reset();
    hear(i, next);
  }

  gossip_learning how_;
  std::uint64_t left_, sent_ = 0, answers_ = 0;
  std::int64_t now_ = 0;
  walker nodes_[2];
  std::multimap<std::int64_t, std::function<void()>> happens_;
};

}  // namespace

TEST_CASE("gossip learning with accounts is that of a list of events", "[exchange]") {
  for (auto const account :
       {token_account::simple, token_account::generalized, token_account::randomized}) {
    std::uint64_t answers = 0;
    for (std::uint64_t const count : {1, 2, 3, 8, 20, 40}) {
      CAPTURE(static_cast<int>(account), count);
      gossip_learning const exchange = walking(account, 5, 2);
      gossip::virtual_clock clock{.compute = gossip::constant_time{.mean = account_training}};
      clock.network = {.latency = virtual_time(0), .bandwidth = 1e15};
      small_network network{ring{2}, gossip::quadratic<1>{.curvature = {1.0}, .optimum = {3, -5}},
                            gossip::sgd{.rate = 0.2}, some_exchange{exchange}, clock};
      auto const found = watched(network, {.stop = gossip::rounds{count}}, at_the_end);
      two_walkers const expected(exchange, 2 * count);
      for (std::size_t i = 0; i < 2; ++i)
        CHECK(found.seen.back().rows[i][0] == Approx(expected.model(i)).epsilon(1e-13));
      answers += expected.by_answer();
    }
    CHECK(answers > 20);
  }
}

// Every model sent is a period that has ended, and at most C of a node's are saved up.
TEST_CASE("accounts of tokens limit what is sent", "[exchange]") {
  constexpr std::uint64_t capacity = 5;
  for (auto const account :
       {token_account::simple, token_account::generalized, token_account::randomized}) {
    gossip::virtual_clock const clock{.compute = gossip::constant_time{.mean = account_training}};
    auto network = on_clock(clock, gossip::complete{8}, alternating_valleys(), 0.1,
                            some_exchange{walking(account, capacity, 2)});
    auto const run = watched(network, {.stop = gossip::rounds{60}}, at_the_end).report;
    std::uint64_t periods = 0;
    for (gossip::node i = 0; i < 8; ++i)
      for (double t = 0.1 * gossip::detail::draw_uniform(1, i, 0); t < run.virtual_seconds;
           t += 0.1)
        ++periods;
    std::uint64_t const sent = run.bytes_sent / sizeof(double);
    CHECK(sent <= periods);
    CHECK(sent + 8 * capacity >= periods);
    CHECK(sent > periods / 2);
  }
}

TEST_CASE("gossip learning refuses accounts that cannot be", "[exchange]") {
  auto const refused = [](std::uint64_t reactivity, char const *words) {
    CHECK_THROWS_WITH(settled(ring{8}, walking(token_account::simple, 5, reactivity), 1),
                      contains(words));
  };
  refused(0, "gossip_learning: reactivity: expected a whole number of at least 1, got 0");
  refused(6, "gossip_learning: reactivity: expected 1 to 5, the capacity");
}
