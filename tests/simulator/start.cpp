// Runs that begin with a given row in the place of the model's own.
#include <gossip/simulator/simulator.hpp>

#include <cstddef>
#include <vector>

#include <gossip/data/iid.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/topology/ring.hpp>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::rounds;
using gossip::run_settings;

namespace {

/// The row with which the model itself begins.
template <class T, class Model>
std::vector<double> own_start(Model const &model, std::uint64_t seed) {
  std::vector<T> row(gossip::row_length<Model>);
  model.initialise(std::span<T>(row), seed);
  return {row.begin(), row.end()};
}

template <class... Options>
std::uint64_t digest_of(run_settings const &settings, some_exchange const &exchange,
                        Options... options) {
  gossip::simulator network{gossip::ring{5}, tiny_classifier{},        gossip::sgd{.rate = 0.1},
                            exchange,        gossip::with_reference{}, options...};
  return network.run(settings, gossip::split(tiny_images(), gossip::iid{})).digest;
}

struct first_mean {
  std::vector<double> *row;
  template <class Context>
  void measure(Context &context, gossip::record &) const {
    if (row->empty()) row->assign(context.mean_model(), context.mean_model() + row->capacity());
  }
};

}  // namespace

TEST_CASE("a run from the model's own row is the run without one", "[simulator]") {
  auto const same = [](auto const &exchange, gossip::execution engine) {
    run_settings settings{.seed = 4, .batch = 7, .stop = rounds{3}, .engine = engine};
    auto const plain = digest_of(settings, exchange);
    auto const in_double = digest_of(settings, exchange, gossip::numbers<double>{});
    settings.start = own_start<float>(tiny_classifier{}, 4);
    CHECK(digest_of(settings, exchange) == plain);
    settings.start = own_start<double>(tiny_classifier{}, 4);
    CHECK(digest_of(settings, exchange, gossip::numbers<double>{}) == in_double);
    settings.start[3] += 1e-3;
    CHECK(digest_of(settings, exchange) != plain);
  };
  for (auto const engine : {gossip::execution::levelled, gossip::execution::reference}) {
    same(gossip::d_psgd{}, engine);
    same(gossip::ad_psgd{}, engine);
    same(gossip::all_reduce{}, engine);
    same(gossip::fed_avg{}, engine);
  }
}

// The gradient of column c is 0.5 (x - optimum), whatever the row was before.
TEST_CASE("all nodes begin with the row that is given", "[simulator]") {
  std::vector<double> const start{7, -2, 0.5};
  gossip::quadratic<3> const bowl{.curvature = {0.5}, .optimum = {1}, .start = 100};
  gossip::simulator network{gossip::ring{4}, bowl, gossip::sgd{.rate = 0.25}, gossip::d_psgd{},
                            gossip::numbers<double>{}};
  std::vector<double> before, after;
  before.reserve(3);
  after.reserve(3);
  network.run({.stop = rounds{1}, .start = start}, gossip::every(rounds{1}, first_mean{&before}),
              first_mean{&after});
  REQUIRE(before == start);
  for (std::size_t c = 0; c < 3; ++c)
    CHECK(after[c] == Approx(start[c] - 0.25 * 0.5 * (start[c] - 1)));
}

TEST_CASE("a row of another length is refused before anything is trained", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<3>{}, gossip::sgd{},
                            gossip::d_psgd{}};
  CHECK_THROWS_WITH(network.run({.stop = rounds{1}, .start = {1, 2}}),
                    "run: start: expected a row of 3 numbers, got 2");
}

TEST_CASE("the row that a run begins with is part of the memory that it announces", "[simulator]") {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<300>{}, gossip::sgd{},
                            gossip::d_psgd{}};
  run_settings settings{.stop = rounds{1}};
  auto const plain = network.run(settings).announced.total();
  auto const planned = network.dry_run(settings, {}).memory.total();
  settings.start.resize(300);
  CHECK(network.run(settings).announced.total() == plain + 300 * sizeof(double));
  CHECK(network.dry_run(settings, {}).memory.total() == planned + 300 * sizeof(double));
}
