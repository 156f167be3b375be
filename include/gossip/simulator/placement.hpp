// The part of a network that this process holds: all of it, or one rank's share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_report.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/run_extent.hpp>

namespace gossip::detail {

/// Everything is here.
template <class Transport>
class placement {
 public:
  placement(Transport const &, graph const &network, attachments const &, bool, bool)
      : part_{network.nodes()} {}

  largest_part const &part() const { return part_; }
  static constexpr void take_in(std::size_t) {}
  static constexpr std::size_t most(std::size_t own) { return own; }

  /// The rows here, and their places in a fleet; none: owner i has row i.
  fleet_size here(fleet_size const &whole) const { return whole; }
  static std::vector<std::uint32_t> places() { return {}; }

  template <class Engine>
  typename Engine::inputs inputs(typename Engine::inputs const &of, fleet_size const &) const {
    return of;
  }
  template <class Engine>
  void complete(run_report &, Engine const &, std::size_t) const {}

 private:
  largest_part part_;
};

/// A rank's share of the nodes; what is borrowed follows from the rank that needs most.
template <class Transport>
  requires(Transport::spans_ranks)
class placement<Transport> {
 public:
  placement(Transport const &ranks, graph const &network, attachments const &attached,
            bool in_rounds, bool on_device)
      : ranks_(ranks), layout_(ranks.owners(network), ranks.size(), ranks.rank(), attached.owners) {
    division_ = describe(network, layout_.owners(), ranks.size());
    part_ = part_of(layout_, division_.most_halo, in_rounds, on_device, attached.owners);
    announced_ = part_of(layout_, division_.most_halo, in_rounds, on_device, attached);
  }

  /// The announced one.
  largest_part const &part() const { return announced_; }
  /// Ranks take in at most so many rows of others.
  void take_in(std::size_t rows) {
    part_ = part_.with_room(rows);
    announced_ = announced_.with_room(rows);
  }
  /// Of all ranks.
  std::size_t most(std::size_t own) const {
    std::vector<double> of{static_cast<double>(own)};
    ranks_.all_reduce_max(of);
    return static_cast<std::size_t>(of[0]);
  }

  fleet_size here(fleet_size whole) const {
    whole.held = layout_.own().size();
    whole.held_servers = layout_.held_servers();
    whole.held_payloads = layout_.held_payloads();
    whole.borrowed = whole.shared ? 0 : part_.borrowed;
    return whole;
  }
  std::vector<std::uint32_t> places() const { return layout_.places(part_.borrowed); }

  /// The inputs of an engine whose local ones these are.
  template <class Engine, class Local>
  typename Engine::inputs inputs(Local const &of, fleet_size const &whole) const {
    return {of, layout_, ranks_, whole, announced_.staging()};
  }

  /// Completes the report with numbers that only all ranks together know.
  template <class Engine>
  void complete(run_report &report, Engine const &engine, std::size_t ranks_a_device) const {
    report.traffic = engine.traffic(report.planning_seconds);
    report.traffic.cut_edges = division_.cut;
    std::vector<double> peaks{static_cast<double>(report.peak_resident_bytes),
                              static_cast<double>(ranks_a_device)};
    ranks_.all_reduce_max(peaks);
    report.peak_resident_bytes = static_cast<std::size_t>(peaks[0]);
    report.traffic.ranks_a_device = static_cast<std::size_t>(peaks[1]);
    if (report.tier) add_up(*report.tier);
  }

 private:
  /// What all ranks have moved, and how long the one that waited longest has waited.
  void add_up(tier_report &tier) const {
    std::vector<std::uint64_t> bytes{tier.bytes, tier.read, tier.written};
    std::vector<double> seconds{tier.waiting_seconds};
    ranks_.all_reduce_sum(std::span<std::uint64_t>(bytes));
    ranks_.all_reduce_max(seconds);
    tier.bytes = bytes[0];
    tier.read = bytes[1];
    tier.written = bytes[2];
    tier.waiting_seconds = seconds[0];
  }

  Transport const &ranks_;
  rank_layout layout_;
  partition_report division_;
  largest_part part_{}, announced_{};
};

}  // namespace gossip::detail
