// Memory of a device: what a run announces is what it takes, and no test set is brought twice.
#include <gossip/gossip.hpp>
#include <gossip/simulator/runs.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "recording_device.hpp"

using namespace gossip;

namespace {

/// A device of so much memory, which counts what is taken of it.
struct small_device : test::recording_device {
  static inline std::size_t capacity = 0, taken = 0, most = 0;

  static std::size_t available_bytes() { return capacity - std::min(capacity, taken); }

  template <class T>
  struct buffer : test::recording_device::buffer<T> {
    buffer() = default;
    explicit buffer(std::size_t size) : test::recording_device::buffer<T>(size) {
      taken += this->bytes();
      most = std::max(most, taken);
    }
    buffer(buffer &&) noexcept = default;
    buffer &operator=(buffer &&other) noexcept {
      test::recording_device::buffer<T> &own = *this;
      taken -= this->bytes();
      own = std::move(other);
      return *this;
    }
    ~buffer() { taken -= this->bytes(); }
  };

  explicit small_device(std::size_t bytes) { capacity = bytes, taken = most = 0; }
};

dataset images(std::size_t count) {
  return synthetic{.samples = count, .shape = {1, 28, 28}}.build();
}

/// Ten perceptrons on 2,000 images, tested on others.
template <class Optimizer, class Numbers>
run_report run_on(std::size_t bytes, Optimizer optimizer, test::some_exchange const &exchange,
                  Numbers numbers) {
  static dataset const train = images(2'000), test = images(1'000);
  simulator network{random_regular{.nodes = 10, .degree = 4},
                    mlp{},
                    optimizer,
                    exchange,
                    small_device{bytes},
                    numbers};
  return network.run({.batch = 20, .stop = rounds{2}}, split(train, iid{}),
                     every(rounds{1}, accuracy{test, {.nodes = 2, .samples = 100}}));
}

template <class Optimizer, class Numbers = numbers<float>>
void check_memory(Optimizer optimizer, test::some_exchange const &exchange, Numbers numbers = {}) {
  std::size_t const plenty = std::size_t{1} << 40;
  std::size_t const need = run_on(plenty, optimizer, exchange, numbers).announced.total();
  CHECK(static_cast<double>(small_device::most) == Approx(static_cast<double>(need)).epsilon(0.02));
  CHECK(run_on(need, optimizer, exchange, numbers).announced.total() == need);
  CHECK_THROWS_WITH(run_on(need - 1, optimizer, exchange, numbers),
                    test::contains("memory: the run needs"));
}

/// Node i keeps its 1,000 largest numbers, then all nodes average.
struct sparse_averages {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) plan.apply(op::top_k{}, i, {model_row}, {1000});
    plan.average_all();
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

TEST_CASE("a device is asked for what a run takes, and no more", "[engine]") {
  check_memory(sgd{.rate = 0.01, .momentum = 0.9}, d_psgd{});
  check_memory(sgd{.rate = 0.01}, ad_psgd{});
  check_memory(adam{}, all_reduce{});
  check_memory(sgd{.rate = 0.01}, sparse_averages{});
  check_memory(sgd{.rate = 0.01}, sparse_averages{}, numbers<float, bf16>{});
  check_memory(sgd{.rate = 0.01}, clipped_gossip{.radius = 1});
}

TEST_CASE("a test set is brought to a device once", "[engine]") {
  dataset const train = images(120), test = images(100);
  auto const looks_take = [&](auto... observers) {
    auto const all = [&](std::uint64_t rounds) {
      simulator network{ring{6}, mlp{}, sgd{.rate = 0.01}, none{}, test::recording_device{}};
      test::recording_device::done = {};
      network.run({.batch = 4, .stop = gossip::rounds{rounds}}, split(train, iid{}),
                  every(gossip::rounds{8}, observers...));
      return test::recording_device::done;
    };
    auto const few = all(8), many = all(16);
    return std::pair{many.uploads - few.uploads, many.buffers - few.buffers};
  };
  auto const unseen = looks_take(consensus_distance{});
  auto const looked = looks_take(accuracy{test, {.samples = 64, .averaged_model = false}},
                                 accuracy{train, {.averaged_model = false}});
  CHECK(looked.second == unseen.second);
  CHECK(looked.first - unseen.first == 4);  // of each observer the nodes and their steps
}

TEST_CASE("test sets are told apart by what is in them", "[engine]") {
  using device = test::recording_device;
  device_test_sets<true, device> sets;
  std::uint32_t const first[] = {0, 1}, second[] = {0, 2};
  auto const uploads = [&](dataset const &set, std::span<std::uint32_t const> chosen) {
    device::done = {};
    sets.of(set, chosen, device{});
    return device::done.uploads;
  };
  dataset const all = images(10);
  CHECK(uploads(all, first) == 3);  // images, labels, the list
  CHECK(uploads(all, first) == 0);
  CHECK(uploads(dataset(all), first) == 0);
  CHECK(uploads(all, second) == 1);
  CHECK(uploads(all.take(0, 9), second) == 3);
  dataset const bytes("bytes", {1, 1, 2}, 3, std::vector<std::uint8_t>(6, 1), {0, 1, 2});
  CHECK(uploads(bytes, second) == 3);
  CHECK(uploads(bytes.scaled({byte_scale{.scale = 1.0F}}), second) == 3);
  dataset const others("others", {1, 1, 2}, 3, bytes.bytes(), {0, 1, 1});
  CHECK(uploads(others, second) == 3);  // the fifth: the first is given back
  CHECK(uploads(bytes, second) == 0);
  CHECK(uploads(all, second) == 3);
}
