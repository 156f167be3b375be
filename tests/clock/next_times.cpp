// Times drawn ahead: those of each step, refused at the step whose time is too long.
#include <gossip/clock/next_times.hpp>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>

#include <cstdint>
#include <optional>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::lognormal_time;
using gossip::next_times;
using gossip::node;
using gossip::virtual_time;

namespace {

/// The time, or nothing where it is refused.
template <class Ask>
std::optional<virtual_time> asked(Ask const &ask) {
  try {
    return ask();
  } catch (gossip::input_error const &) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("the next times of nodes in any order are those of their steps", "[clock]") {
  auto const model = lognormal_time{.mean = 10ms, .cv = 0.7}.prepare();
  next_times next(model, 3);
  std::uint64_t step[3] = {};
  gossip::keyed_random order(1, gossip::purpose::user, 0, 0);
  for (int k = 0; k < 100; ++k) {
    node const i = order.below(3);
    CHECK(next(model, 5, i, step[i]) == model.duration(5, i, step[i]));
    ++step[i];
  }
  gossip::node_clock clock(gossip::virtual_clock{.compute = lognormal_time{}}, 2);
  for (std::uint64_t k = 0; k < 20; ++k)
    CHECK(clock.next_time(5, 1, k, 3ms) == clock.compute_time(5, 1, k));
  gossip::node_clock unlike(gossip::virtual_clock{.compute = lognormal_time{},
                                                  .slow = {{.which = 1,
                                                            .factor = 3,
                                                            .from = virtual_time(4ms),
                                                            .until = virtual_time(9ms)}}},
                            2);
  for (std::uint64_t k = 0; k < 20; ++k)
    CHECK(unlike.next_time(5, 1, k, k * 1ms) == unlike.compute_time(5, 1, k, k * 1ms));
}

TEST_CASE("a time that is too long is refused at its own step", "[clock]") {
  auto const model = lognormal_time{.mean = 24h * 365 * 250, .cv = 3.0}.prepare();
  next_times next(model, 1);
  int refused = 0;
  for (std::uint64_t step = 0; step < 400; ++step) {
    auto const alone = asked([&] { return model.duration(1, 0, step); });
    CHECK(asked([&] { return next(model, 1, 0, step); }) == alone);
    refused += !alone;
  }
  CHECK(refused > 0);
  CHECK(refused < 400);
}

TEST_CASE("a model that draws one by one is asked for no step but the next", "[clock]") {
  struct until_ten {
    virtual_time duration(std::uint64_t, node, std::uint64_t step) const {
      REQUIRE(step < 10);
      return virtual_time(static_cast<std::int64_t>(step + 1));
    }
  };
  until_ten const model;
  next_times next(model, 1);
  for (std::uint64_t step = 0; step < 10; ++step)
    CHECK(next(model, 1, 0, step).count() == static_cast<std::int64_t>(step + 1));
}
