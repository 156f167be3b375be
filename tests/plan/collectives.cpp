// Time and bytes of sums over all nodes: closed forms of Thakur, Rabenseifner, Gropp 2005.
#include <gossip/clock/collective.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/topology/complete.hpp>

#include <bit>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using namespace std::chrono_literals;
using gossip::collective;
using gossip::constant_time;
using gossip::contention;
using gossip::node;
using gossip::virtual_clock;
using gossip::virtual_time;

namespace {

/// Every node takes the mean of all in every round.
struct means {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.average_all();
  }
};

virtual_clock<constant_time> clock_of(collective how, contention share = contention::none) {
  return {.compute = {compute}, .network = slow_link, .contention = share, .collective = how};
}

virtual_clock<constant_time> chain_of(std::size_t parts, contention share = contention::none) {
  auto clock = clock_of(collective::chain, share);
  clock.collective_parts = parts;
  return clock;
}

/// 20 us and 10 ns for each of so many bytes.
virtual_time hop(std::size_t bytes) {
  return 20us + static_cast<std::int64_t>(bytes) * 10ns;
}

/// Of 1,000 bytes.
virtual_time expected(collective how, std::size_t n) {
  virtual_time sum{0};
  if (n < 2) return sum;
  if (how == collective::tree) return 2 * static_cast<int>(std::bit_width(n - 1)) * hop(1000);
  std::size_t const pairs = std::bit_floor(n);
  for (std::size_t part = 2; part <= pairs; part *= 2) sum += 2 * hop((1000 + part - 1) / part);
  return sum + (pairs < n ? 2 * hop(1000) : 0ns);
}

/// Every node but one sends its row, or parts of rows that together are one, and gets the sum so.
std::uint64_t expected_bytes(std::size_t n) {
  return 2 * (n - 1) * 1000;
}

}  // namespace

TEST_CASE("a tree and halving take logarithmic turns", "[plan]") {
  for (auto const how : {collective::tree, collective::halving_and_doubling})
    for (std::size_t const n : {1, 2, 3, 4, 5, 8, 17})
      for (auto const share : {contention::none, contention::fifo_nic, contention::fair_share}) {
        CAPTURE(static_cast<int>(how), n, static_cast<int>(share));
        auto const g = gossip::complete{n}.build();
        virtual_time const round = compute + expected(how, n);
        auto const reduced = plan_on(clock_of(how, share), gossip::all_reduce{}, g, 7).end;
        CHECK(reduced.time == 7 * round);
        CHECK(reduced.bytes_sent == 7 * expected_bytes(n));
        auto const averaged = plan_on(clock_of(how, share), means{}, g, 7).end;
        CHECK(averaged.time == 7 * round);
        CHECK(averaged.bytes_sent == 7 * expected_bytes(n));
      }
}

TEST_CASE("a sum over all nodes waits for the slowest of them", "[plan]") {
  for (auto const how : {collective::tree, collective::halving_and_doubling})
    for (node const slow : {0U, 5U, 7U}) {
      auto clock = clock_of(how);
      clock.slow = {{.which = slow, .factor = 3}};
      auto const end =
          plan_on(clock, gossip::all_reduce{}, gossip::complete{8}.build(), 1).end.time;
      CHECK(end <= 3 * compute + expected(how, 8));
      CHECK(end >= 3 * compute + expected(how, 8) / 2);  // at least the way back from it
    }
}

TEST_CASE("parts of a row follow each other along a chain", "[plan]") {
  for (std::size_t const n : {1, 2, 3, 5, 17})
    for (std::size_t const parts : {1, 2, 4, 20})
      for (auto const share : {contention::none, contention::fifo_nic, contention::fair_share}) {
        CAPTURE(n, parts, static_cast<int>(share));
        auto const g = gossip::complete{n}.build();
        int const turns = n > 1 ? static_cast<int>(2 * (n - 1) + parts - 1) : 0;
        virtual_time const sum = turns * hop(1000 / parts);
        auto const end = plan_on(chain_of(parts, share), gossip::all_reduce{}, g, 1).end;
        CHECK(end.bytes_sent == 2 * (n - 1) * 1000);
        // Where parts go both ways at a time they share the interfaces of the nodes between.
        if (share == contention::none || parts == 1 || n < 3) {
          CHECK(end.time == compute + sum);
        } else {
          CHECK(end.time >= compute + sum);
          CHECK(end.time <= compute + 2 * sum);
        }
      }
}

TEST_CASE("parts that are not equal have all bytes of a row", "[plan]") {
  for (std::size_t const parts : {1, 3, 7, 999, 1000, 1001}) {
    std::size_t all = 0;
    for (std::size_t k = 0; k < parts; ++k) all += gossip::bytes_of_part(1000, parts, k);
    CHECK(all == 1000);
    CHECK(gossip::bytes_of_part(1000, parts, 0) - gossip::bytes_of_part(1000, parts, parts - 1) <=
          1);
    auto const end = plan_on(chain_of(parts), means{}, gossip::complete{4}.build(), 3).end;
    CHECK(end.bytes_sent == 3 * 2 * 3 * 1000);
  }
  CHECK_THROWS_AS(plan_on(chain_of(0), means{}, gossip::complete{4}.build(), 3),
                  gossip::input_error);
}

TEST_CASE("a slow node of a chain holds up what comes behind it", "[plan]") {
  auto const g = gossip::complete{4}.build();
  for (node const slow : {0U, 1U, 3U}) {
    auto clock = chain_of(4);
    clock.slow = {{.which = slow, .factor = 3}};
    // Parts that have come to the slow node leave it one behind the other: those after the first
    // have been there before, unless they still had to travel, from node 3 or back to it.
    int const links = static_cast<int>(2 * 3 - (3 - slow)) + (slow < 3 ? 1 : 0);
    auto const end = plan_on(clock, gossip::all_reduce{}, g, 1).end.time;
    CHECK(end == 3 * compute + (links + 3) * hop(250));
  }
}

TEST_CASE("the sum of a chain reaches every node", "[plan]") {
  for (std::size_t const n : {1, 2, 3, 6, 13}) {
    std::vector<std::uint64_t> in_sum(n);
    for (std::size_t i = 0; i < n; ++i) in_sum[i] = std::uint64_t{1} << i;
    std::size_t links = 0;
    gossip::each_link_of_chain(n, [&](node from, node to) {
      in_sum[to] |= in_sum[from];
      ++links;
    });
    CHECK(in_sum == std::vector<std::uint64_t>(n, (std::uint64_t{1} << n) - 1));
    CHECK(links == 2 * (n - 1));
  }
}

TEST_CASE("every row reaches every node in a sum over all", "[plan]") {
  // Nodes whose rows are in the sum of each, hop by hop; a message carries a part of halving's.
  for (auto const how : {collective::tree, collective::halving_and_doubling})
    for (std::size_t const n : {2, 3, 6, 8, 13}) {
      std::vector<std::uint64_t> in_sum(n);
      for (std::size_t i = 0; i < n; ++i) in_sum[i] = std::uint64_t{1} << i;
      gossip::each_hop(how, n, 1000,
                       [&](node from, node to, std::size_t, std::optional<std::size_t> back) {
                         in_sum[to] |= in_sum[from];
                         if (back) in_sum[from] |= in_sum[to];
                       });
      CHECK(in_sum == std::vector<std::uint64_t>(n, (std::uint64_t{1} << n) - 1));
    }
}

// 64 bytes on a ring of 9 are parts of 8 and 7; 2 (n - 1) rows in all, however they are cut.
TEST_CASE("the bytes of a sum over all nodes are those that its messages have", "[plan]") {
  for (auto const how :
       {collective::ring, collective::tree, collective::halving_and_doubling, collective::chain})
    for (std::size_t const n : {2, 3, 7, 9, 16}) {
      CAPTURE(static_cast<int>(how), n);
      auto settings = rounds_of(n, 1);
      settings.message_bytes = settings.row_bytes = 64;
      gossip::timeline times(n, n);
      settings.times = &times;
      auto const plan = whole_plan_of(means{}, gossip::complete{n}.build(),
                                      clock_of(how, contention::none), settings);
      CHECK(plan.end.bytes_sent == 2 * (n - 1) * 64);
      std::uint64_t told = 0;
      for (node i = 0; i < n; ++i) told += times.bytes_sent(i);
      CHECK(told == plan.end.bytes_sent);
    }
  CHECK(gossip::bytes_on_ring(64, 9, 0) == 2 * 64 - 7 - 7);
  CHECK(gossip::bytes_on_ring(64, 9, 8) == 2 * 64 - 8 - 7);
}

TEST_CASE("what is lost of a sum over all nodes is sent again", "[plan]") {
  for (auto const how : {collective::tree, collective::halving_and_doubling, collective::chain}) {
    auto const g = gossip::complete{6}.build();
    virtual_clock<constant_time> clock{
        .compute = {compute}, .network = wide_link(), .loss = {.share = 0.3}, .collective = how};
    auto const known = plan_on(clock, means{}, g).end;
    clock.network = instant();
    clock.links.nodes = {};
    for (node i = 0; i < 6; ++i)
      clock.links.nodes.push_back(
          {.which = i, .latency = wide_link().latency, .bandwidth = wide_link().bandwidth});
    auto const timed = plan_on(clock, means{}, g).end;
    CHECK(known.bytes_sent == timed.bytes_sent);
    CHECK(known.time == timed.time);
    CHECK(known.bytes_sent > 12 * expected_bytes(6));
    clock.loss.then = gossip::after_loss::go_on;
    CHECK_THROWS_AS(plan_on(clock, means{}, g), gossip::input_error);
  }
}
