// A user's program that says the same with the companion library and without.
#include <gossip/gossip.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

std::uint32_t drawn_elsewhere();

int main() {
  gossip::simulator events{
      gossip::watts_strogatz{.nodes = 32, .degree = 4}, gossip::quadratic<10>{},
      gossip::sgd{.rate = 0.05, .momentum = 0.9}, gossip::ad_psgd{},
      gossip::virtual_clock<gossip::lognormal_time>{
          .network = {.bandwidth = 1e6},
          .outages = {.churn = {.up = std::chrono::seconds(20), .down = std::chrono::seconds(2)}}}};
  gossip::simulator rounds{gossip::ring{32}, gossip::quadratic<10>{}, gossip::sgd{.rate = 0.05},
                           gossip::d_psgd<>{}, gossip::numbers<float, gossip::bf16>{}};
  gossip::run_settings const settings{.seed = 3, .stop = gossip::rounds{50}};
  // A model of the zoo: the library has its kernels for the registers of this file's processor.
  gossip::simulator learners{gossip::ring{4}, gossip::mlp{}, gossip::sgd{.rate = 0.05},
                             gossip::d_psgd<>{}};
  std::vector<float> images(32 * 28 * 28);
  std::vector<std::uint16_t> labels(32);
  for (std::size_t i = 0; i < images.size(); ++i)
    images[i] = static_cast<float>(i * 37 % 101) / 101;
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint16_t>(i % 10);
  gossip::dataset const data("patterns", {1, 28, 28}, 10, std::move(images), std::move(labels));
  for (gossip::run_report const &report :
       {events.run(settings), rounds.run(settings),
        learners.run(settings, gossip::split(data, gossip::iid{}))})
    std::cout << std::hex << report.digest << std::dec << ' ' << report.virtual_seconds << " s, "
              << report.bytes_sent << " bytes, " << report.node_iterations << " gradients\n";
  std::cout << drawn_elsewhere() << '\n';
}
