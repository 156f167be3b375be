// Training times that were measured, from a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/trace_header.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
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
    virtual_time duration(std::uint64_t, node i, std::uint64_t step) const {
      if (!shared && i >= times->size())
        throw input_error(path, "durations for node " + std::to_string(i),
                          "durations for " + std::to_string(times->size()) + " nodes");
      auto const &own = (*times)[shared ? 0 : i];
      if (step < own.size()) return own[step];
      if (repeats) return own[step % own.size()];
      throw input_error(path,
                        "a duration for training " + std::to_string(step) + " of node " +
                            std::to_string(i) + ", or repeats",
                        std::to_string(own.size()) + " durations");
    }
  };

  /// Reads the file.
  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Reads the file; throws input_error "path:line: expected step 3 of node 0, got 5".
  draws prepare() const {
    if (path.empty()) throw input_error("trace_time: path", "a file", "none");
    detail::lines file(path);
    form const columns = read_header(file);
    std::vector<std::vector<virtual_time>> times(columns.shared ? 1 : 0);
    std::vector<double> numbers;
    for (std::string_view line; file.next(line);)
      if (line.find_first_not_of(" \t") != std::string_view::npos)
        read_line(file, line, columns, numbers, times);
    if (times.empty() || times.front().empty())
      throw input_error(path, "at least one duration", "none");
    return {std::make_shared<std::vector<std::vector<virtual_time>> const>(std::move(times)), path,
            columns.shared, repeats};
  }

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

  static form read_header(detail::lines &file) {
    constexpr std::array<std::string_view, 2> forms{"node,step,duration_*", "step,duration_*"};
    auto const [form, nanoseconds] = detail::read_trace_header(
        file, forms, "a header 'node,step,duration_ms', or ns, us, s, or without node");
    return {form == 1, nanoseconds};
  }

  static void read_line(detail::lines const &file, std::string_view line, form const &columns,
                        std::vector<double> &numbers,
                        std::vector<std::vector<virtual_time>> &times) {
    std::size_t const count = columns.shared ? 2 : 3;
    if (!detail::read_numbers(line, numbers) || numbers.size() != count)
      file.fail(std::to_string(count) + " numbers between commas", detail::lines::quoted(line));
    double const i = columns.shared ? 0.0 : numbers.front(), step = numbers[count - 2];
    auto const nodes = static_cast<double>(times.size());
    if (i == nodes) times.emplace_back();
    auto const owner = static_cast<std::size_t>(i >= 0.0 && i <= nodes ? i : 0.0);
    if (static_cast<double>(owner) != i)
      file.fail("a node from 0 to " + std::to_string(times.size()), shown(i));
    auto &own = times[owner];
    if (step != static_cast<double>(own.size()))
      file.fail("step " + std::to_string(own.size()) + " of node " + std::to_string(owner),
                shown(step));
    double const nanoseconds = numbers.back() * columns.nanoseconds;
    if (!(nanoseconds >= 1.0 && nanoseconds < 0x1p63))
      file.fail("a duration from 1 ns to 292 years", shown(numbers.back()));
    own.push_back(whole_nanoseconds(nanoseconds, "trace_time: duration"));
  }

  static std::string shown(double number) { return detail::shortest(number); }
};

static_assert(compute_model<trace_time>);

}  // namespace gossip
