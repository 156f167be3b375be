// Members of policies outside of their bounds are refused by name.
#include <cstdint>
#include <limits>

#include <catch.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/member_checks.hpp>
#include <gossip/core/node.hpp>

namespace {

using gossip::check_members;
using gossip::described;

enum class colour { red, green };

struct painter {
  double share = 0.5;
  double step = 1;
  double rate = 0.5;
  double decay = 0.25;
  std::uint64_t peers = 2;
  gossip::virtual_time tick{5};
  double radius = 1;
  double bound = 0;
  bool wet = false;
  colour first = colour::red;

  static constexpr char const *name = "painter", *meaning = "paints";
  static constexpr auto members() {
    return gossip::member_list{
        described("share", &painter::share, "", {.least = 0, .most = 1}),
        described("step", &painter::step, "", {.least = 0, .most = 10, .above_least = true}),
        described("rate", &painter::rate, "",
                  {.least = 0, .most = 1, .above_least = true, .below_most = true}),
        described("decay", &painter::decay, "", {.least = 0, .most = 1, .below_most = true}),
        described("peers", &painter::peers, "", {.least = 1}),
        described("tick", &painter::tick, "", {.least = 2}),
        described("radius", &painter::radius, "", {.least = 0, .above_least = true}),
        described("bound", &painter::bound, "", {.least = std::numeric_limits<double>::lowest()}),
        described("wet", &painter::wet, "", {.least = 1}),
        described("first", &painter::first, "", {.least = 1})};
  }
};

struct painter_of_fences : painter {
  std::uint64_t fences = 1;

  static constexpr char const *name = "painter_of_fences", *meaning = "paints fences";
  static constexpr auto members() {
    return painter::members().followed_by(
        described("fences", &painter_of_fences::fences, "", {.least = 1, .most = 9}));
  }
};

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("members out of bounds are refused by name, bounds and value", "[core]") {
  CHECK_NOTHROW(check_members(painter{}));
  CHECK_THROWS_WITH(check_members(painter{.share = -0.5}),
                    "painter: share: expected a number from 0 to 1, got -0.5");
  CHECK_THROWS_WITH(check_members(painter{.step = 0}),
                    "painter: step: expected a number above 0 and at most 10, got 0");
  CHECK_THROWS_WITH(check_members(painter{.rate = 1}),
                    "painter: rate: expected a number above 0 and below 1, got 1");
  CHECK_THROWS_WITH(check_members(painter{.decay = 1}),
                    "painter: decay: expected a number from 0 to below 1, got 1");
  CHECK_THROWS_WITH(check_members(painter{.peers = 0}),
                    "painter: peers: expected a whole number of at least 1, got 0");
  CHECK_THROWS_WITH(check_members(painter{.tick = gossip::virtual_time(-3)}),
                    "painter: tick: expected a time of at least 2 ns, got -3 ns");
  CHECK_THROWS_WITH(check_members(painter{.radius = 0}),
                    "painter: radius: expected a number above 0, got 0");
}

TEST_CASE("the ends of bounds are members where bounds include them", "[core]") {
  CHECK_NOTHROW(check_members(painter{.share = 0}));
  CHECK_NOTHROW(check_members(painter{.share = 1}));
  CHECK_NOTHROW(check_members(painter{.step = 10}));
  CHECK_NOTHROW(check_members(painter{.decay = 0}));
  CHECK_NOTHROW(check_members(painter{.peers = std::numeric_limits<std::uint64_t>::max()}));
  CHECK_NOTHROW(check_members(painter{.bound = -1e300}));
}

TEST_CASE("no number is in no bounds, and infinity only where bounds are open", "[core]") {
  CHECK_THROWS(check_members(painter{.share = not_a_number}));
  CHECK_THROWS(check_members(painter{.radius = not_a_number}));
  CHECK_THROWS(check_members(painter{.share = infinite}));
  CHECK_THROWS(check_members(painter{.radius = -infinite}));
  CHECK_NOTHROW(check_members(painter{.radius = infinite}));
}

TEST_CASE("members of a base are refused by the name of the policy", "[core]") {
  CHECK_NOTHROW(check_members(painter_of_fences{}));
  CHECK_THROWS_WITH(check_members(painter_of_fences{{.peers = 0}, 1}),
                    "painter_of_fences: peers: expected a whole number of at least 1, got 0");
  CHECK_THROWS_WITH(check_members(painter_of_fences{{}, 12}),
                    "painter_of_fences: fences: expected a whole number from 1 to 9, got 12");
}
