// On a GPU: a thousand resident LeNet-5s in D-PSGD, one ResNet-18, either also with factors of
// products in TF32; the same and 16 ResNet-18s with rows in memory of the host; and X <- W X next
// to a copy.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/gossip.hpp>
#include <gossip/model/resnet.hpp>

#include "figures.hpp"

namespace gossip::bench {

struct seen {
  double node_iterations, seconds;
};

template <class Network>
seen run(Network &network, std::size_t batch, dataset const &train, std::uint64_t count) {
  auto const report =
      network.run({.seed = 1, .batch = batch, .stop = rounds{count}}, split(train, iid{}));
  return {static_cast<double>(report.node_iterations), report.wall_seconds};
}

/// Node-iterations a second between the ends of a short run and of a long one, of whole windows.
template <class Network>
void measure(arguments const &given, figures &results, std::string const &name, Network network,
             std::size_t batch, dataset const &train) {
  if (!given.wants(name)) return;
  constexpr std::uint64_t window = 4;  // rounds
  run(network, batch, train, window);  // the device's first use of everything
  seen const few = run(network, batch, train, 2 * window);
  double const enough = given.quick ? 1.0 : 5.0;
  auto const more = static_cast<std::uint64_t>(enough / few.seconds) + 1;
  seen const many = run(network, batch, train, 2 * window * (1 + more));
  results.add(name + ".rate",
              (many.node_iterations - few.node_iterations) / (many.seconds - few.seconds),
              "node-iterations/s");
}

/// Seconds of the quickest of several, the device being waited for before and after.
template <class F>
double least_seconds(cuda const &backend, F f) {
  double least = 1e30;
  for (int k = 0; k < 5; ++k) {
    backend.wait();
    auto const begin = std::chrono::steady_clock::now();
    f();
    backend.wait();
    std::chrono::duration<double> const time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count());
  }
  return least;
}

void measure_mixing(arguments const &given, figures &results) {
  if (!given.wants("mixing")) return;
  constexpr std::size_t nodes = 1000, d = lenet5::parameters;
  cuda const backend;
  fleet<float, device::buffer> const rows(fleet_size{nodes, d, 0, false});
  graph const network = random_regular{.nodes = nodes, .degree = 8}.build(1);
  auto const weights = cast_rows<float>(metropolis_hastings{}.weights(network));
  auto const functions = device_functions_of<float, float, cuda>(sgd{}, false, d);
  device_mixing<float, float, cuda> mixing(nodes);
  auto const view = device_op::rows_of(rows.columns(gossip::changed_slots(1), 0, d));
  operation const models{0, 0, {{0, false, true, true}}, gossip::work::mix{}};
  auto const mix = [&] { mixing.run(backend, *functions, weights, view, models, d, {}); };
  mix();
  mix();  // kept from now on
  double const bytes = 2.0 * nodes * d * sizeof(float);
  results.add("mixing", bytes / least_seconds(backend, mix) * 1e-9, "GB/s");

  device::buffer<float> const from(nodes * d), to(nodes * d);
  auto const copy = [&] {
    device::check(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                                  backend.context->stream()),
                  "copy");
  };
  copy();
  results.add("copy", bytes / least_seconds(backend, copy) * 1e-9, "GB/s");
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip;
  bench::arguments const given(argc, argv);
  bench::figures results(given);
  if (!gossip::cuda::available()) {
    std::cerr << argv[0] << ": there is no GPU here\n";
    return 1;
  }
  sgd const momentum{.rate = 0.01, .momentum = 0.9};
  dataset const digits = synthetic{.samples = 64'000, .shape = {1, 28, 28}, .classes = 10}.build();
  dataset const images = synthetic{.samples = 2'000, .shape = {3, 32, 32}, .classes = 10}.build();
  for (std::string const rounding : {"", "tf32."}) {
    gossip::cuda const gpu{.multiply =
                               rounding.empty() ? multiplication::fp32 : multiplication::tf32};
    bench::measure(
        given, results, rounding + "lenet5",
        simulator{random_regular{.nodes = 1000, .degree = 8}, lenet5{}, momentum, d_psgd{}, gpu},
        64, digits);
    bench::measure(given, results, rounding + "resnet18",
                   simulator{ring{.nodes = 1}, resnet18{}, momentum, none{}, gpu}, 128, images);
  }
  std::size_t const some = std::size_t{16} << 30;  // bytes of the GPU
  bench::measure(given, results, "offload.lenet5",
                 simulator{random_regular{.nodes = 1000, .degree = 8},
                           cpu_offload(lenet5{}, gossip::cuda{}, some), momentum, d_psgd{}, cpu{}},
                 64, digits);
  bench::measure(given, results, "offload.resnet18",
                 simulator{ring{.nodes = 16}, cpu_offload(resnet18{}, gossip::cuda{}, some),
                           momentum, d_psgd{}, cpu{}},
                 128, images);
  bench::measure_mixing(given, results);
}
