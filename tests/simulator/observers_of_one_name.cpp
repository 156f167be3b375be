// Observers that name the same number: none replaces another's in silence.
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include "../catch.hpp"

namespace {

/// Sets a number twice: its own may be replaced.
struct setter {
  double value;

  template <class Context>
  void measure(Context &, gossip::record &r) const {
    r.set("height", value - 1);
    r.set("height", value);
  }
};

template <class... Observers>
double height_at_end(Observers... observers) {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<3>{}, gossip::sgd{.rate = 0.1},
                            gossip::d_psgd{}};
  auto const report = network.run({.stop = gossip::rounds{3}}, observers...);
  return report.last.numbers.at(0).value;
}

}  // namespace

TEST_CASE("two observers that set one name differently are refused", "[simulator]") {
  using gossip::every;
  using gossip::rounds;
  char const *const refusal =
      "observer: record::set: expected a name that no other observer sets, got 'height'";
  CHECK(height_at_end(every(rounds{1}, setter{2})) == 2);
  CHECK(height_at_end(every(rounds{1}, setter{2}, setter{2})) == 2);  // they say the same
  CHECK(height_at_end(every(rounds{1}, setter{2}), setter{3}) == 3);  // at the end it may be finer
  CHECK_THROWS_WITH(height_at_end(every(rounds{1}, setter{2}, setter{3})), refusal);
  CHECK_THROWS_WITH(height_at_end(every(rounds{1}, setter{2}), every(rounds{3}, setter{3})),
                    refusal);
  CHECK_THROWS_WITH(height_at_end(setter{2}, setter{3}), refusal);
}
