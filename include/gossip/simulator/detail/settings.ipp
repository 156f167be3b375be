// Definitions of simulator/settings.hpp.
#pragma once

#include <gossip/simulator/settings.hpp>

#include <charconv>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip::detail {

GOSSIP_INLINE void check_batch(std::size_t batch) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  if (batch == 0) throw input_error("run: batch must be at least 1, got 0");
  if (batch > largest)
    throw input_error("run: batch must be at most " + std::to_string(largest) + ", got " +
                      std::to_string(batch));
}

GOSSIP_INLINE std::uint64_t total_iterations(run_settings const &s, epoch_length epoch,
                                             std::size_t nodes) {
  return std::visit(
      [&](auto period) {
        double const about = node_iterations(period, epoch, nodes);
        if (!(about > 0)) throw input_error("run: stop must be above 0");
        if (!(about < 1e15))
          throw input_error("run: stop", "fewer than 10^15 node-iterations",
                            detail::shortest(about));
        cadence const whole = cadence_of(period, epoch, nodes);
        return (next_due(whole, 0) + nodes - 1) / nodes * nodes;
      },
      s.stop);
}

GOSSIP_INLINE fact_list facts_of(run_settings const &s, plan_settings const &plan,
                                 std::size_t nodes, std::size_t parameters) {
  auto const text = [](auto number) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  };
  return {{"nodes", text(nodes)},
          {"parameters of a model", text(parameters)},
          {"bytes of a message", text(plan.message_bytes)},
          {"seed", text(plan.seed)},
          {"seed of the topology", text(seed_of_topology(s))},
          {"seed of the split", text(seed_of_split(s))},
          {"batch", text(s.batch)},
          {"node-iterations", text(plan.node_iterations)},
          {"training samples", text(plan.epoch.samples)},
          {"rate at the start", text(plan.rate(0))},
          {"rate at the end", text(plan.rate(plan.epoch.after(plan.node_iterations)))}};
}

}  // namespace gossip::detail
