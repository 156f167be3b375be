// Training times that were measured, from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/lines.hpp>

namespace gossip {

/// The times of a CSV file, gzipped or not, with the columns node, step and duration_ns,
/// duration_us, duration_ms or duration_s, named so in its first line, or the last two for times
/// that all nodes share. Nodes count from 0 and come in that order, the steps (trainings) of each
/// from 0 on without a gap; lines of several nodes may alternate. Empty lines are skipped.
struct trace_time {
  std::string path;
  bool repeats = true;  ///< after the last training of a node its first comes again

  /// What was read; times of one node belong to all where `shared`.
  struct draws {
    std::shared_ptr<std::vector<std::vector<virtual_time>> const> times;  // (nodes, steps)
    std::string path;
    bool shared, repeats;

    /// Throws input_error for a node that the file does not have, and beyond its end.
    virtual_time duration(std::uint64_t, node i, std::uint64_t step) const;
  };

  /// Reads the file.
  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Reads the file; throws input_error "path:line: expected step 3 of node 0, got 5".
  draws prepare() const;

  static constexpr char const *name = "trace";
  static constexpr char const *meaning = "measured durations, read from a CSV file";
  static constexpr auto members() {
    return member_list{described("path", &trace_time::path,
                                 "CSV file with columns node, step, duration_ms, gzipped or not"),
                       described("repeats", &trace_time::repeats,
                                 "repeat the durations of a node after the last one")};
  }

 private:
  struct form {
    bool shared;
    double nanoseconds;  // of a unit
  };

  static form read_header(detail::lines &file);

  static void read_line(detail::lines const &file, std::string_view line, form const &columns,
                        std::vector<double> &numbers,
                        std::vector<std::vector<virtual_time>> &times);

  static std::string shown(double number) { return detail::shortest(number); }
};

static_assert(compute_model<trace_time>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/trace_time.ipp>
#endif
