// Rates of flows that share interfaces, against a plain solver and by hand.
#include <gossip/clock/fair_share.hpp>
#include <gossip/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "../catch.hpp"

using gossip::fair_share;
using gossip::node;
using gossip::virtual_time;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

struct wanted {
  node from, to;
  double most = unlimited;
};

/// Max-min fair rates by raising all rates in small steps until nothing moves: within a step of the
/// exact ones.
std::vector<double> raised(std::vector<wanted> const &flows, std::size_t owners, double rate,
                           double step) {
  std::vector<double> rates(flows.size(), 0.0), sends(owners, 0.0), receives(owners, 0.0);
  std::vector<bool> stuck(flows.size(), false);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      auto const &[from, to, most] = flows[f];
      stuck[f] = stuck[f] || rates[f] + step > most || sends[from] + step > rate ||
                 receives[to] + step > rate;
      if (stuck[f]) continue;
      moved = true;
      rates[f] += step;
      sends[from] += step;
      receives[to] += step;
    }
  }
  return rates;
}

/// Flows at once, of which none ends; their rates.
std::vector<double> shared(std::vector<wanted> const &flows, std::size_t owners, double rate) {
  fair_share network(std::vector(owners, rate));
  for (std::size_t f = 0; f < flows.size(); ++f)
    network.begin(virtual_time(0), flows[f].from, flows[f].to, 1e12, flows[f].most,
                  static_cast<std::uint32_t>(f));
  std::vector<double> rates;
  for (std::size_t f = 0; f < flows.size(); ++f)
    rates.push_back(network.rate(static_cast<std::uint32_t>(f)));
  return rates;
}

struct ended {
  std::uint32_t item;
  std::int64_t time;
  bool operator==(ended const &) const = default;
};

std::vector<ended> ends_of(fair_share &network) {
  std::vector<ended> all;
  for (virtual_time t; (t = network.next()) != fair_share::never;)
    while (network.ends_by(t)) all.push_back({network.take_ended(), t.count()});
  return all;
}

}  // namespace

TEST_CASE("flows that share an interface have equal shares", "[clock]") {
  // Three into node 3, one of which is node 0's only half of what it sends.
  auto const rates = shared({{0, 3}, {1, 3}, {2, 3}, {0, 4}}, 5, 6.0);
  CHECK(rates == std::vector<double>{2.0, 2.0, 2.0, 4.0});
  // What a slow flow leaves is the others'.
  CHECK(shared({{0, 3, 0.5}, {1, 3}}, 4, 6.0) == std::vector<double>{0.5, 5.5});
  // A sender does not disturb what it receives.
  CHECK(shared({{0, 1}, {1, 0}}, 2, 6.0) == std::vector<double>{6.0, 6.0});
}

TEST_CASE("shares of random flows are max-min fair", "[clock]") {
  constexpr std::size_t owners = 7;
  constexpr double rate = 1.0, step = 1.0 / 4096;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    gossip::keyed_random random(seed, gossip::purpose::topology, 0, 0);
    std::vector<wanted> flows(1 + seed % 16);
    for (wanted &f : flows) {
      f.from = static_cast<node>(random.below(owners));
      f.to = static_cast<node>((f.from + 1 + random.below(owners - 1)) % owners);
      if (random.below(3) == 0) f.most = 0.25 * random.uniform() + 0.01;
    }
    auto const exact = shared(flows, owners, rate), near = raised(flows, owners, rate, step);
    CAPTURE(seed, flows.size());
    std::vector<double> sends(owners, 0.0), receives(owners, 0.0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      CHECK(std::abs(exact[f] - near[f]) < 20 * step);
      sends[flows[f].from] += exact[f];
      receives[flows[f].to] += exact[f];
    }
    // Every flow has an interface that is full and on which none has more, or all that it may.
    for (std::size_t f = 0; f < flows.size(); ++f) {
      auto const &[from, to, most] = flows[f];
      bool held = exact[f] == most;
      for (bool const sending : {true, false}) {
        double largest = 0;
        for (std::size_t g = 0; g < flows.size(); ++g)
          if (sending ? flows[g].from == from : flows[g].to == to)
            largest = std::max(largest, exact[g]);
        double const used = sending ? sends[from] : receives[to];
        held |= used > rate - 1e-12 && exact[f] >= largest - 1e-12;
      }
      CHECK(held);
    }
  }
}

TEST_CASE("a flow goes faster when another has ended", "[clock]") {
  fair_share network(std::vector(3, 2.0));  // bytes a nanosecond
  network.begin(virtual_time(0), 0, 2, 100, unlimited, 7);
  network.begin(virtual_time(0), 1, 2, 300, unlimited, 8);
  // Both at 1 until 100 bytes are there, the rest of 200 at 2.
  CHECK(ends_of(network) == std::vector<ended>{{7, 100}, {8, 200}});
}

TEST_CASE("a flow goes slower while another is there", "[clock]") {
  fair_share network(std::vector(3, 2.0));
  network.begin(virtual_time(0), 0, 2, 300, unlimited, 1);
  CHECK(network.next() == virtual_time(150));
  network.begin(virtual_time(50), 1, 2, 60, unlimited, 2);
  // 100 bytes until 50; 60 more until 110, as the other's 60; 140 at 2.
  CHECK(ends_of(network) == std::vector<ended>{{2, 110}, {1, 180}});
}

TEST_CASE("bytes without limits and no bytes take no time", "[clock]") {
  fair_share free(std::vector(2, unlimited));
  free.begin(virtual_time(5), 0, 1, 1e9, unlimited, 3);
  CHECK(ends_of(free) == std::vector<ended>{{3, 5}});
  fair_share network(std::vector(2, 1.0));
  network.begin(virtual_time(5), 0, 1, 0, unlimited, 3);
  CHECK(ends_of(network) == std::vector<ended>{{3, 5}});
}

TEST_CASE("shares carry all bytes", "[clock]") {
  // So many flows from one interface end when its bytes have left, whatever their order.
  for (std::size_t const n : {1, 2, 5, 40}) {
    fair_share network(std::vector(n + 1, 1.0));
    double bytes = 0;
    for (std::size_t f = 0; f < n; ++f) {
      network.begin(virtual_time(0), 0, static_cast<node>(f + 1),
                    1000.0 * static_cast<double>(f + 1), unlimited, static_cast<std::uint32_t>(f));
      bytes += 1000.0 * static_cast<double>(f + 1);
    }
    auto const ends = ends_of(network);
    REQUIRE(ends.size() == n);
    CHECK(std::abs(static_cast<double>(ends.back().time) - bytes) <= static_cast<double>(n));
    CHECK(std::ranges::is_sorted(ends, {}, &ended::time));
  }
}
