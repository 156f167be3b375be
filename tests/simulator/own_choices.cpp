// What a user's program chooses at run time: an optimizer, the end of a run, a plan without data.
// The pages of docs/ quote it.
#include <gossip/gossip.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "../catch.hpp"

namespace {

// quote absorb
/// signSGD with weight decay. The second argument of absorb is the parameter of the node's model,
/// which belongs to the gradient of a penalty on it.
struct decaying_sign_sgd {
  static constexpr std::size_t rows = 1;
  double rate = 0.001, decay = 0.01;

  void absorb(auto gradient, auto parameter, auto *row) const {
    row[0] = gradient + static_cast<decltype(gradient)>(decay) * parameter;
  }
  void step(auto scale, auto &parameter, auto const *row) const {
    parameter -= scale * static_cast<decltype(scale)>((row[0] > 0) - (row[0] < 0));
  }
};
static_assert(gossip::optimizer<decaying_sign_sgd>);
// end quote

// quote any_optimizer
using some_optimizer = gossip::any_optimizer<gossip::sgd, gossip::adam, decaying_sign_sgd>;

some_optimizer optimizer_of(std::string const &name, double rate) {
  if (name == "adam") return {gossip::adam{.rate = rate}};
  if (name == "sign_sgd") return {decaying_sign_sgd{.rate = rate}};
  return {gossip::sgd{.rate = rate}};
}
// end quote

// quote ends_below
/// Ends the run at the first observation whose loss is below a bound.
struct ends_below {
  double bound;
  std::atomic<bool> *end;

  void take(gossip::record const &r) const {
    if (r.loss < bound) *end = true;
  }
};
// end quote

/// The first number of every node at the end of a run.
struct last_numbers {
  std::vector<double> *numbers;

  template <class Context>
  void measure(Context &context, gossip::record &) const {
    numbers->clear();
    for (gossip::node i = 0; i < context.size().nodes; ++i)
      numbers->push_back(context.rows().parameters(i)[0]);
  }
};

gossip::quadratic<> const valleys{.curvature = {1.0, 0.5}, .optimum = {3, -1, 4}};

}  // namespace

TEST_CASE("an optimizer is chosen at run time", "[simulator]") {
  auto const digest = [](auto const &optimizer) {
    gossip::simulator network{gossip::ring{.nodes = 3}, valleys, optimizer, gossip::d_psgd{}};
    return network.run({.stop = gossip::rounds{5}}).digest;
  };
  CHECK(digest(optimizer_of("adam", 0.1)) == digest(gossip::adam{.rate = 0.1}));
  CHECK(digest(optimizer_of("sign_sgd", 0.1)) == digest(decaying_sign_sgd{.rate = 0.1}));
  CHECK(digest(optimizer_of("sgd", 0.1)) == digest(gossip::sgd{.rate = 0.1}));
  CHECK(digest(optimizer_of("sgd", 0.1)) != digest(optimizer_of("adam", 0.1)));
}

// The gradient at 1.5 is -0.5, that of the penalty 0.75: the sum leads down, the gradient up.
TEST_CASE("the second argument of absorb is the parameter of the model", "[simulator]") {
  auto const moved = [](double decay) {
    std::vector<double> numbers;
    gossip::simulator network{
        gossip::ring{.nodes = 1}, gossip::quadratic<>{.optimum = {2.0}, .start = 1.5},
        decaying_sign_sgd{.rate = 0.25, .decay = decay}, gossip::none{}, gossip::numbers<double>{}};
    network.run({.stop = gossip::rounds{1}}, last_numbers{&numbers});
    return numbers.at(0);
  };
  CHECK(moved(0) == 1.75);
  CHECK(moved(0.5) == 1.25);
}

TEST_CASE("an observer ends a run", "[simulator]") {
  gossip::simulator network{gossip::ring{.nodes = 3}, valleys, gossip::sgd{.rate = 0.1},
                            gossip::d_psgd{}};
  // quote ending
  std::atomic<bool> end = false;
  auto const report =
      network.run({.stop = gossip::rounds{1000}, .interrupt = &end},
                  gossip::every(gossip::rounds{5}, ends_below{.bound = 3.0, .end = &end}));
  CHECK(report.interrupted);
  CHECK(report.last.mark.round < 100);
  // end quote
  CHECK(report.node_iterations == 3 * report.last.mark.round);
  CHECK(report.last.interrupted);
}

TEST_CASE("a model that is its own data has a plan", "[simulator]") {
  // quote without_data
  gossip::simulator network{gossip::ring{.nodes = 3}, valleys, gossip::sgd{.rate = 0.1},
                            gossip::d_psgd{}};
  auto const plan = network.dry_run({.stop = gossip::rounds{100}}, {});
  CHECK(plan.node_iterations == 300);
  CHECK(plan.bytes_sent == 100 * 3 * 2 * sizeof(float));
  // end quote
}
