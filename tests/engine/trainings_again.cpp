// Two gradients on one batch are the same numbers in every engine, dropout included, and the loss
// of an uncounted one is not recorded.
#include <cstddef>
#include <cstdint>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

using namespace gossip;

namespace {

/// The gradient in row 0, and with `twice` another in row 1 at the same model.
struct gradients {
  bool twice = true;
  batch_choice batch = batch_choice::again;

  static constexpr std::size_t rows = 2;

  void on_round(auto &plan, round_number) const {
    plan.train_all({.into = exchange_row(0)});
    if (twice) plan.train_all({.into = exchange_row(1), .batch = batch, .counts = false});
    plan.step_all({.gradient = exchange_row(twice ? 1 : 0)});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

/// Counts the numbers of two gradients that differ, and those that are not 0, at observations.
struct compare_gradients {
  std::size_t *different, *numbers;

  void measure(auto &context, record &) {
    auto const &rows = context.rows();
    if constexpr (requires {
                    rows.whole(used_slots{0b110}, node{0});
                  })  // the host has none of a device
      for (node i = 0; i < rows.size().nodes; ++i) {
        auto const own = rows.whole(used_slots{0b110}, i);
        for (std::size_t c = 0; c < test::normalised_model::parameters; ++c) {
          *different += own.row(1, i)[c] != own.row(2, i)[c];
          *numbers += own.row(1, i)[c] != 0;
        }
      }
  }
};

struct compared {
  std::size_t different = 0, numbers = 0;
  double loss = 0;
  std::uint64_t digest = 0;
};

compared run(gradients exchange, auto backend, execution engine) {
  compared found;
  simulator network{random_regular{.nodes = 12, .degree = 3},
                    test::normalised_model{},
                    sgd{.rate = 0.1},
                    test::some_exchange(exchange),
                    backend,
                    with_reference{}};
  auto const report = network.run({.seed = 3, .batch = 20, .stop = rounds{4}, .engine = engine},
                                  split(test::small_images(), iid{}),
                                  compare_gradients{&found.different, &found.numbers});
  CHECK(report.node_iterations == 12 * 4);
  found.loss = report.last.loss;
  found.digest = report.digest;
  return found;
}

void check(auto backend, execution engine) {
  auto const again = run({}, backend, engine);
  CHECK(again.different == 0);
  CHECK(again.numbers > 1000);
  CHECK(run({.batch = batch_choice::next}, backend, engine).different > 1000);
  // Statistics move twice, which training losses do not depend on.
  CHECK(again.loss == run({.twice = false}, backend, engine).loss);
}

}  // namespace

TEST_CASE("two gradients on one batch are the same numbers", "[engine]") {
  check(cpu{.threads = 2}, execution::levelled);
  check(serial{}, execution::reference);
}

TEST_CASE("a device trains on a batch again as a host does", "[engine]") {
  for (batch_choice const batch : {batch_choice::again, batch_choice::next}) {
    auto const host = run({.batch = batch}, serial{}, execution::reference);
    auto const device = run({.batch = batch}, test::recording_device{}, execution::levelled);
    CHECK(device.loss == host.loss);
    CHECK(hex(device.digest) == hex(host.digest));
  }
}
