// Every exchange on a GPU has the bits of the serial backend where gradients do: a model whose
// gradients are no sums.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <gossip/backend/cuda.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/gossip.hpp>

#include "../../samples/simulate/default_exchanges.hpp"
#include "../catch.hpp"
#include "final_rows.hpp"

using namespace gossip;

namespace {

/// x / 8 + a random number of the node, the step and the column; of node 0's training the loss.
template <class T>
struct draw_gradient {
  strided<T const> parameters;
  strided<T> gradient;
  strided<double> loss;
  batch_key key;

  constexpr void operator()(std::size_t j, std::size_t c, std::size_t) const {
    auto const column = static_cast<std::uint32_t>(c);
    keyed_random random(key.seed + column, purpose::user, key.nodes[j], key.steps[j]);
    gradient.at(j)[c] = parameters.at(j)[c] / T{8} + static_cast<T>(random.uniform()) - T{1} / T{2};
    if (c == 0) *loss.at(j) = random.uniform();
  }
};

/// Two matrices, of 12 x 20 and 4 x 12 numbers, and a vector.
struct drawn {
  static constexpr std::size_t parameters = 12 * 20 + 4 * 12 + 9;
  static constexpr std::array<row_tensor, 3> tensors{
      row_tensor(0, {12, 20}), row_tensor(240, {4, 12}), row_tensor(288, {9, 1})};
  static constexpr double training_flops = 1, evaluation_flops = 1;
  static constexpr bool learns_from_samples = false;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t seed) const {
    keyed_random random(seed, purpose::initial_parameters, 0, 0);
    for (T &x : row) x = static_cast<T>(random.uniform());
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &worker, training_task<T, Source> const &task) const {
    worker.for_each(task.k, parameters, 1,
                    draw_gradient<T>{task.parameters, task.gradient, task.loss, task.key()});
  }
};
static_assert(model<drawn>);

template <class Backend>
std::vector<double> rows_of(any_exchange const &exchange, Backend backend) {
  std::vector<double> rows;
  simulator network{random_regular{.nodes = 12, .degree = 3},
                    drawn{},
                    sgd{.rate = 0.05, .momentum = 0.9, .weight_decay = 0.01},
                    exchange,
                    virtual_clock{.compute = lognormal_time{.cv = 0.5}},
                    backend};
  network.run({.seed = 5, .stop = rounds{30}}, test::keep_rows{&rows});
  return rows;
}

}  // namespace

TEST_CASE("every exchange on a GPU has the bits of the serial backend", "[gpu]") {
  for (auto const &[name, exchange] : simulate::default_exchanges()) {
    CAPTURE(name);
    auto const on_gpu = rows_of(exchange, gossip::cuda{}), on_host = rows_of(exchange, serial{});
    REQUIRE(on_host.size() == 12 * drawn::parameters);
    REQUIRE(on_gpu.size() == on_host.size());
    CHECK(std::memcmp(on_gpu.data(), on_host.data(), on_host.size() * sizeof(double)) == 0);
  }
}
