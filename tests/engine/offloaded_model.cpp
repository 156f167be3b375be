// Gradients by a device and rows in memory of the host, tested without a device: the serial backend
// has a device's verbs too, and late_device is late with them.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/observer/mean_gradient.hpp>
#include <gossip/simulator/cpu_offload.hpp>
#include <gossip/topology/ring.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "../exchange/message_exchanges.hpp"
#include "../fleet/stores.hpp"
#include "late_device.hpp"
#include "recording_device.hpp"
#include "small_runs.hpp"

using namespace gossip;
using test::late_device;
using test::normalised_model;
using test::recording_device;
using test::small_model;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 30;

template <class Model, class Backend, class... Options>
test::small_run trained(Model const &model, test::some_exchange const &exchange,
                        test::some_optimizer const &optimizer, Backend backend,
                        run_settings settings, Options const &...options) {
  simulator network{
      random_regular{.nodes = 12, .degree = 3}, model, optimizer, exchange, backend, options...};
  settings.seed = 3;
  settings.batch = 70;
  settings.stop = rounds{6};
  return {network.run(
              settings, split(test::small_images(), iid{}),
              every(rounds{3}, accuracy{test::small_images(), {.nodes = 5}}, consensus_distance{})),
          {}};
}

/// 200 nodes, of which four are in work at a time.
run_settings const many_nodes{.batch = 6};

/// The bits of the host, where that and the device compute alike.
template <class Model, class Precision = full_precision, class... Options>
void check_offloaded_in(run_settings const &settings, test::some_exchange const &exchange,
                        test::some_optimizer const &optimizer, Precision precision = {},
                        Options const &...options) {
  auto const host =
      trained(Model{}, exchange, optimizer, serial{}, settings, precision, options...);
  auto const by = [&](auto device) {
    return trained(cpu_offload<float, serial>(Model{}, device, plenty, precision), exchange,
                   optimizer, serial{}, settings, options...);
  };
  check_same(by(serial{}), host);
  check_same(by(recording_device{}), host);
  check_same(by(late_device{}), host);
  CHECK(by(recording_device{}).report.announced.device == plenty);
}

template <class Model, class... Options>
void check_offloaded(test::some_exchange const &exchange, test::some_optimizer const &optimizer,
                     Options const &...options) {
  check_offloaded_in<Model>({}, exchange, optimizer, options...);
}

test::some_optimizer const heavy{sgd{.rate = 0.05, .momentum = 0.9}};

}  // namespace

TEST_CASE("gradients of a device for rows of the host have the bits of the host", "[engine]") {
  check_offloaded<small_model>(d_psgd{}, heavy);
  check_offloaded<small_model>(ad_psgd{}, heavy);
  check_offloaded<small_model>(all_reduce{}, {adam{.rate = 0.01}});
  check_offloaded<normalised_model>(d_psgd{}, heavy);
  check_offloaded<normalised_model>(clipped_gossip{.radius = 0.05}, heavy);
  check_offloaded<normalised_model>(test::letters{}, heavy);
}

TEST_CASE("and so have those of several nodes at a time", "[engine]") {
  check_offloaded_in<normalised_model>(many_nodes, d_psgd{}, heavy);
  check_offloaded_in<small_model>(many_nodes, ad_psgd{}, heavy,
                                  mixed_precision<fp16>{.loss_scale = 0x1p24});
  check_offloaded_in<small_model>(many_nodes, all_reduce{}, heavy, full_precision{},
                                  numbers<float, bf16>{});
  check_same(trained(cpu_offload(small_model{}, serial{}, plenty), ad_psgd{}, heavy,
                     cpu{.threads = 3}, many_nodes),
             trained(small_model{}, ad_psgd{}, heavy, serial{}, many_nodes));
}

// They take a gradient apart, of many samples and without a scale of the loss.
TEST_CASE("observers take gradients on the host", "[engine]") {
  dataset const &images = test::small_images();
  auto const gradient = [&](auto model, auto... options) {
    simulator network{ring{5}, model, sgd{.rate = 0.1}, d_psgd{}, options...};
    return network.run({.batch = 8, .stop = rounds{3}}, split(images, iid{}), mean_gradient{images})
        .last.numbers.at(0)
        .value;
  };
  mixed_precision<fp16> const scaled{};
  double const by_type = gradient(small_model{});
  CHECK(by_type > 0);
  CHECK(gradient(cpu_offload(small_model{}, serial{}, plenty, scaled)) ==
        Approx(by_type).epsilon(0.05));
}

TEST_CASE("and so they have in 16 bits", "[engine]") {
  mixed_precision<fp16> const scaled{.loss_scale = 0x1p24};
  check_offloaded<small_model>(ad_psgd{}, heavy, scaled);
  check_offloaded<small_model>(d_psgd{}, heavy, mixed_precision<bf16>{}, numbers<float, bf16>{});
}

TEST_CASE("threads have a stream of the device each", "[engine]") {
  auto const host = trained(small_model{}, d_psgd{}, heavy, serial{}, {});
  for (std::size_t const threads : {1, 3, 8})
    check_same(trained(cpu_offload(small_model{}, serial{}, plenty), d_psgd{}, heavy,
                       cpu{.threads = threads}, {}),
               host);
}

TEST_CASE("rows on a disk reach a device too", "[engine]") {
  tier_shape const least{.frames = 6, .owners = 2, .columns = 2048};
  auto const on_disk = [&](bool by_owner) {
    run_settings settings{.tier = least};
    settings.tier->by_owner = by_owner;
    settings.store = [](std::uint64_t bytes) {
      return std::make_unique<test::awkward_store>(bytes);
    };
    return settings;
  };
  auto const model = cpu_offload(normalised_model{}, serial{}, plenty);
  check_same(trained(model, d_psgd{}, heavy, cpu{.threads = 2}, on_disk(false)),
             trained(normalised_model{}, d_psgd{}, heavy, serial{}, {}));
  check_same(trained(model, ad_psgd{}, heavy, cpu{.threads = 2}, on_disk(true)),
             trained(normalised_model{}, ad_psgd{}, heavy, serial{}, {}));
}

namespace {

/// Memory of a device for one node, with batches of 70 samples.
std::size_t bytes_of_a_node() {
  typed_device_model<small_model, float, serial> const model{small_model{}};
  return offload_memory<float, serial>{model, 0}.each(70);
}

}  // namespace

TEST_CASE("a model that is its own data has nothing to compute on a device", "[engine]") {
  auto const there =
      std::make_shared<typed_device_model<quadratic<2>, float, serial> const>(quadratic<2>{});
  CHECK_THROWS_WITH((offloaded_model<float, serial>(there, serial{}, plenty)),
                    "cpu_offload: expected a model that learns from samples, got one that is its "
                    "own data");
}

TEST_CASE("a device has as many nodes in work as its memory has room for", "[engine]") {
  dataset const &images = test::small_images();
  partition const shares = split(images, iid{}).assign(300, 1);
  auto const nodes_at_once = [&](std::size_t bytes, std::size_t nodes, std::size_t threads) {
    auto const model = cpu_offload(small_model{}, serial{}, bytes);
    worker_settings const of{
        .samples = {&images, &shares}, .batch = 70, .nodes = nodes, .test_bytes = 0};
    return model.held().team(of, threads).front()->tasks_at_once();
  };
  std::size_t const samples = device_samples<serial>::bytes(images), one = bytes_of_a_node();
  CHECK(samples == 300 * (64 * sizeof(float) + sizeof(std::uint16_t)));
  CHECK(nodes_at_once(samples + one, 300, 1) == 1);
  CHECK(nodes_at_once(samples + 3 * one, 300, 1) == 3);
  CHECK(nodes_at_once(samples + 5 * one, 300, 2) == 2);
  CHECK(nodes_at_once(samples + 500 * one, 300, 2) == 300 / 64 + 1);
  CHECK(nodes_at_once(samples + 500 * one, 300, 100) == 1);
  CHECK_THROWS_WITH(nodes_at_once(samples + one, 300, 2),
                    "cpu_offload: device_memory: expected at least " +
                        enough_bytes(samples + 2 * one) + ": " + enough_bytes(samples) +
                        " for samples, 0 B for libraries, and " + enough_bytes(one) +
                        " for a node of each of 2 threads, got " + format_bytes(samples + one));
}

TEST_CASE("a device whose memory has room for one node a thread has the same bits", "[engine]") {
  dataset const &images = test::small_images();
  std::size_t const lists = images.size() * sizeof(std::uint32_t);
  std::size_t const sets = 2 * device_samples<serial>::bytes(images) + lists;  // trains, tests
  std::size_t const ones = 2 * bytes_of_a_node();
  auto const under = [&](std::size_t bytes) {
    return trained(cpu_offload(small_model{}, serial{}, bytes), ad_psgd{}, heavy, cpu{.threads = 2},
                   {});
  };
  check_same(under(sets + ones), trained(small_model{}, ad_psgd{}, heavy, serial{}, {}));
  CHECK_THROWS_AS(under(sets + ones - 1), input_error);
}
