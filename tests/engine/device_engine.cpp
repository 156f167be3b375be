// The engine for devices, tested without one: the serial backend has a device's verbs too.
#include <gossip/engine/device/engine.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/power_gossip.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/model/quadratic.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "../environment.hpp"
#include "../exchange/edge_exchanges.hpp"
#include "../exchange/fragment_exchanges.hpp"
#include "../exchange/late_functions.hpp"
#include "../exchange/late_reduce.hpp"
#include "../exchange/matching_exchanges.hpp"
#include "../exchange/message_exchanges.hpp"
#include "../exchange/row_exchanges.hpp"
#include "../exchange/scalar_exchanges.hpp"
#include "../exchange/sum_exchanges.hpp"
#include "../exchange/whole_row_exchanges.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"
#include "small_runs.hpp"

using namespace gossip;
using test::check_device;
using test::normalised_model;
using test::recording_device;
using test::small_model;

namespace {

sgd const heavy{.rate = 0.05, .momentum = 0.9};

void check_optimizers(test::some_exchange const &exchange) {
  check_device<small_model>(exchange, sgd{.rate = 0.1});
  check_device<small_model>(exchange, sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 1e-3});
  check_device<small_model>(exchange, sgd{.rate = 0.1, .momentum = 0.9, .nesterov = true});
  check_device<small_model>(exchange, adamw{.rate = 0.01});
  check_device<normalised_model>(exchange, sgd{.rate = 0.1});
  check_device<normalised_model>(exchange, heavy);
}

}  // namespace

TEST_CASE("the device engine gives the bits of the reference engine: no exchange", "[engine]") {
  check_optimizers(none{});
}

TEST_CASE("the device engine gives the bits of the reference engine: all-reduce", "[engine]") {
  check_optimizers(all_reduce{});
  check_optimizers(test::late_reduce{});
}

TEST_CASE("the device engine gives the bits of the reference engine: D-PSGD", "[engine]") {
  check_optimizers(d_psgd{});
  check_optimizers(d_psgd{.order = mixing_order::adapt_then_combine});
}

TEST_CASE("the device engine gives the bits of the reference engine: AD-PSGD", "[engine]") {
  check_optimizers(ad_psgd{});
}

TEST_CASE("the device engine gives the bits of the reference engine: rows of an exchange",
          "[engine]") {
  check_optimizers(test::pairs_of_rows{});
  check_optimizers(test::mixtures_of_rows{});
}

TEST_CASE("the device engine gives the bits of the reference engine: messages and servers",
          "[engine]") {
  check_optimizers(test::letters{});
  check_optimizers(test::rounds_of_letters{});
}

TEST_CASE("the device engine gives the bits of the reference engine: scalars", "[engine]") {
  check_device<small_model>(test::scalars_by_event{}, heavy);
  check_device<small_model>(test::scalars_in_rounds{}, heavy);
  check_device<normalised_model>(clipped_gossip{.radius = 0.05}, heavy);
  check_device<normalised_model>(sam_d_psgd{}, heavy);
}

TEST_CASE("the device engine gives the bits of the reference engine: whole rows, sums and edges",
          "[engine]") {
  check_device<small_model>(test::whole_rows_by_event{}, heavy);
  check_device<small_model>(test::whole_rows_in_rounds{}, heavy);
  check_device<normalised_model>(power_gossip{.rank = 2}, heavy);
  check_device<small_model>(test::sums_of_rows{}, heavy);
  check_device<small_model>(test::edges_by_event{}, heavy);
  check_device<small_model>(test::random_matchings{}, heavy);
  check_device<normalised_model>(deep_squeeze{.code = {.share = 0.1}}, heavy);
  check_device<normalised_model>(local_sgd{.local_steps = 2}, heavy);
}

TEST_CASE("the device engine gives the bits of the reference engine: fragments", "[engine]") {
  check_optimizers(test::fragments_by_event{});
  check_device<small_model>(test::push_sum_of_two{}, heavy);
  check_device<normalised_model>(test::fragment_gossip{}, heavy);
}

TEMPLATE_TEST_CASE("the device engine gives the bits of the reference engine in 16 bits too",
                   "[engine]", mixed_precision<fp16>, mixed_precision<bf16>) {
  TestType precision{};
  if constexpr (TestType::scales_loss) {
    precision.loss_scale = 0x1p24;  // the first gradients overflow
    precision.growth_interval = 2;
  }
  auto const check = [&](run_report const &host) {
    if constexpr (TestType::scales_loss) CHECK(host.skipped->steps > 0);
  };
  check(check_device<small_model>(ad_psgd{}, adam{.rate = 0.01}, numbers<float>{}, precision));
  check(check_device<small_model>(all_reduce{}, adam{.rate = 0.01}, numbers<float>{}, precision));
  check(check_device<small_model>(test::late_reduce{}, adam{.rate = 0.01}, numbers<float>{},
                                  precision));
  check(check_device<normalised_model>(d_psgd{}, heavy, numbers<float>{}, precision));
}

TEMPLATE_TEST_CASE("the device engine gives the bits of the reference engine with rows of 16 bits",
                   "[engine]", fp16, bf16) {
  numbers<float, TestType> const rows{};
  check_device<small_model>(ad_psgd{}, heavy, rows);
  check_device<small_model>(all_reduce{}, heavy, rows);
  check_device<small_model>(d_psgd{}, sgd{.rate = 0.1, .momentum = 0.9, .nesterov = true}, rows);
  check_device<small_model>(test::pairs_of_rows{}, heavy, rows);
  check_device<small_model>(test::letters{}, heavy, rows);
  check_device<small_model>(test::scalars_by_event{}, heavy, rows);
  check_device<small_model>(test::whole_rows_by_event{}, heavy, rows);
  check_device<small_model>(power_gossip{}, heavy, rows);
  check_device<small_model>(test::sums_of_rows{}, heavy, rows);
  check_device<small_model>(test::edges_by_event{}, heavy, rows);
  check_device<small_model>(test::fragments_by_event{}, heavy, rows);
  check_device<normalised_model>(test::mixtures_of_rows{}, heavy, rows);
  check_device<normalised_model>(test::scalars_in_rounds{}, heavy, rows);
  check_device<normalised_model>(d_psgd{.order = mixing_order::adapt_then_combine}, heavy, rows);
  if constexpr (std::is_same_v<TestType, bf16>)
    check_device<normalised_model>(ad_psgd{}, adam{.rate = 0.01}, rows, mixed_precision<bf16>{});
}

TEST_CASE("statistics measured anew are the same on host and device, and change the scores",
          "[engine]") {
  auto const scores = [](auto backend, execution engine, statistics_mode kept) {
    simulator network{random_regular{.nodes = 12, .degree = 3},
                      test::normalised_model{},
                      sgd{.rate = 0.1},
                      test::some_exchange(d_psgd{}),
                      backend,
                      with_reference{}};
    auto const report = network.run({.seed = 3,
                                     .batch = 40,
                                     .stop = rounds{6},
                                     .engine = engine,
                                     .statistics = kept,
                                     .reestimation = 3},
                                    split(test::small_images(), iid{}),
                                    every(rounds{2}, accuracy{test::small_images(), {.nodes = 5}}));
    return std::pair{*report.last.averaged_model_accuracy, report.last.accuracy->mean};
  };
  auto const anew = statistics_mode::reestimated;
  auto const host = scores(serial{}, execution::reference, anew);
  CHECK(scores(recording_device{}, execution::levelled, anew) == host);
  CHECK(scores(cpu{.threads = 1}, execution::reference, anew) ==
        scores(cpu{.threads = 3}, execution::levelled, anew));
  CHECK(scores(serial{}, execution::reference, statistics_mode::own) != host);
}

namespace {

/// The device's activity in the second eight of sixteen rounds.
template <class Model>
test::device_activity rounds_take(std::size_t nodes, test::some_exchange const &exchange) {
  auto const all = [&](std::uint64_t rounds) {
    simulator network{random_regular{.nodes = nodes, .degree = 3}, Model{}, heavy, exchange,
                      recording_device{}};
    recording_device::done = {};
    network.run({.seed = 3, .batch = 16, .stop = gossip::rounds{rounds}},
                split(test::small_images(), iid{}));
    return recording_device::done;
  };
  auto const before = all(8), after = all(16);
  return {after.launches - before.launches, after.replays - before.replays,
          after.uploads - before.uploads,   after.downloads - before.downloads,
          after.waits - before.waits,       after.buffers - before.buffers};
}

}  // namespace

// Eight rounds are two windows of four. A round trains one cohort (keys, absorb, outcomes, and the
// gradient of dropout and all other layers as one replay), mixes (a replay), steps (a launch). Its
// batches are an upload; a window's operations and scales are two, its outcomes a download.
TEST_CASE("a device is launched as often for many nodes as for few, and waited for once a window",
          "[engine]") {
  for (std::size_t const nodes : {12, 24}) {
    auto const took = rounds_take<test::normalised_model>(nodes, d_psgd{});
    CHECK(took.replays == 8 * 2);
    CHECK(took.launches == 8 * (3 + 1));
    CHECK(took.uploads == 8 + 2 * 2);
    CHECK(took.downloads == 2);
    CHECK(took.waits == 0);
    CHECK(took.buffers == 0);
  }
}

TEST_CASE("cohorts of many sizes allocate nothing and wait once a window", "[engine]") {
  auto const took = rounds_take<test::small_model>(24, ad_psgd{});
  CHECK(took.downloads == 2);
  CHECK(took.waits == 0);
  CHECK(took.buffers == 0);
  CHECK(took.replays > 0);
}

TEST_CASE("a function that a device does not know ends the run with a sentence", "[engine]") {
  CHECK_THROWS_WITH(
      test::run_small_network(test::some_exchange(test::late_functions{}), sgd{.rate = 0.1},
                              recording_device{}),
      test::contains("exchange: names the function gossip::test::shrunk, which a device does not "
                     "know; expected it in using functions = gossip::function_list<...>"));
}

// A dense layer's scratch is its inputs and 16 numbers a lane; a chunk's parameters that a second
// chunk may give beside it are all of the model's.
TEST_CASE("a plain worker has no room for scratch, nor for chunks side by side", "[engine]") {
  using narrow = sequential<input<1, 4, 4>, dense<7>>;
  using plain = serial::worker;
  CHECK(narrow::workspace_bytes<float>(16) - narrow::workspace_bytes<float, plain>(16) ==
        sizeof(float) * 16 * (16 + 16));
  CHECK(narrow::workspace_bytes<float>(16) == narrow::workspace_bytes<float, cpu::worker>(16));
  using wide = sequential<input<1, 4, 4>, batch_norm, dense<7>>;
  static_assert(wide::whole_batch);
  std::size_t const chunks = (100 + wide::chunk - 1) / wide::chunk;
  std::size_t const lanes = lanes_for(wide::chunk);
  CHECK(wide::workspace_bytes<float>(100) - wide::workspace_bytes<float, plain>(100) ==
        sizeof(float) * (chunks * lanes * (16 + 16) + (chunks - 1) * 7 * (16 + 1)));
}

TEST_CASE("the device engine names the node and the step of a loss that is not finite",
          "[engine]") {
  CHECK_THROWS_WITH(test::run_small_network(test::some_exchange(ad_psgd{}), sgd{.rate = 1e30},
                                            recording_device{}),
                    test::contains("node ") && test::contains("the loss is"));
}

namespace {

/// Notes the number of threads that an observer has.
struct count_threads {
  std::size_t *threads;

  void measure(auto &context, record &) { *threads = context.loops().workers(); }
};

}  // namespace

TEST_CASE("observers of a device run have the threads of the host, whose number changes no bit",
          "[engine]") {
  test::environment_variable const usual("OMP_NUM_THREADS");
  auto const run = [&](int threads) {
    usual.set(std::to_string(threads));
    std::size_t counted = 0;
    simulator network{random_regular{.nodes = 12, .degree = 3}, test::small_model{},
                      sgd{.rate = 0.1}, test::some_exchange(d_psgd{}), recording_device{}};
    auto const report =
        network.run({.seed = 3, .stop = rounds{3}}, split(test::small_images(), iid{}),
                    accuracy{test::small_images()}, consensus_distance{}, count_threads{&counted});
    CHECK(counted == static_cast<std::size_t>(threads));
    return report;
  };
  auto const one = run(1), three = run(3);
  CHECK(hex(one.digest) == hex(three.digest));
  CHECK(*one.last.consensus_distance == *three.last.consensus_distance);
  CHECK(*one.last.averaged_model_accuracy == *three.last.averaged_model_accuracy);
}

namespace {

template <class Backend, class Model, class... Options>
run_report trained_by(Backend const &backend, Model const &model, Options const &...options) {
  simulator network{random_regular{.nodes = 12, .degree = 3},
                    model,
                    heavy,
                    test::some_exchange(d_psgd{}),
                    backend,
                    options...};
  return network.run({.seed = 3, .batch = 16, .stop = rounds{3}},
                     split(test::small_images(), iid{}),
                     every(rounds{1}, accuracy{test::small_images()}));
}

}  // namespace

TEST_CASE("models that are chosen at run time have the bits of their types on a device",
          "[engine]") {
  using any_model_here = basic_any_model<float, recording_device>;
  auto const check = [](run_report const &device, run_report const &host) {
    CHECK(hex(device.digest) == hex(host.digest));
    CHECK(device.last.loss == host.last.loss);
    CHECK(*device.last.averaged_model_accuracy == *host.last.averaged_model_accuracy);
    CHECK(device.skipped.has_value() == host.skipped.has_value());
    CHECK(device.provenance.numbers == host.provenance.numbers);
  };
  mixed_precision<fp16> const half{};
  std::vector<any_model_here> const models{small_model{}, normalised_model{},
                                           any_model_here(normalised_model{}, half)};
  check(trained_by(recording_device{}, models[0]), trained_by(serial{}, small_model{}));
  check(trained_by(recording_device{}, models[1]), trained_by(serial{}, normalised_model{}));
  check(trained_by(recording_device{}, models[2]), trained_by(serial{}, normalised_model{}, half));
  CHECK_THROWS_WITH(trained_by(recording_device{}, models[2], numbers<float, bf16>{}),
                    "model: expected gradients in float or bf16 for rows in 16 bits on a device, "
                    "got fp16");
  CHECK_THROWS_WITH(trained_by(recording_device{}, any_model_here(quadratic<4>{})),
                    "run: expected no split, since the model is its own data, got one");
}

namespace {

/// A model of another library, as a program without its type sees it: here small_model.
class foreign_model final : public device_model<float, recording_device> {
 public:
  model_outline const &outline() const override { return own_.outline(); }
  std::vector<named_tensor> tensors() const override { return own_.tensors(); }
  void initialise(std::span<float> row, std::uint64_t seed) const override {
    own_.initialise(row, seed);
  }
  cohort_memory memory(std::size_t batch) const override { return own_.memory(batch); }
  std::unique_ptr<device_cohort<float, recording_device>> cohort(
      cohort_parts<recording_device> const &parts) const override {
    return own_.cohort(parts);
  }
  std::shared_ptr<host_model<float> const> on_host() const override { return own_.on_host(); }

 private:
  typed_device_model<small_model, float, recording_device, full_precision> own_{small_model{}};
};

}  // namespace

TEST_CASE("a model that derives from device_model trains as the model that it hides", "[engine]") {
  basic_any_model<float, recording_device> const hidden(std::make_shared<foreign_model>());
  auto const device = trained_by(recording_device{}, hidden),
             host = trained_by(serial{}, small_model{});
  CHECK(hex(device.digest) == hex(host.digest));
  CHECK(*device.last.averaged_model_accuracy == *host.last.averaged_model_accuracy);
  std::shared_ptr<foreign_model> const none;
  CHECK_THROWS_WITH((basic_any_model<float, recording_device>(none)),
                    test::contains("any_model: expected a model, got none"));
}
