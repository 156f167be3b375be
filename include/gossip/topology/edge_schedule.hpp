// A network that a file describes moment by moment, as measured contacts are published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/topology/topology.hpp>

namespace gossip {

/// Lines "time node node", gzipped or not, times ascending: from the round (time - first time) /
/// unit on, rounded down, the edges of that round are those of its lines alone. The last stay, or
/// all begin again; with `keep` unset edges hold for their round alone. Comments, separators and
/// node numbers are those of edge_list; all lines have the same number of columns, of which those
/// behind the third are not used. The union of all rounds is to be connected; nodes without an edge
/// in a round keep to themselves.
struct edge_schedule {
  std::string path;
  std::size_t unit = 1;
  bool keep = true;
  bool repeats = false;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected a time and two node numbers, got 'abc'".
  graph build(std::uint64_t /*seed*/ = 0) const;

  static constexpr char const *name = "edge_schedule";
  static constexpr char const *meaning =
      "file with a time and two node numbers per line, in ascending order of times";
  static constexpr auto members() {
    return member_list{
        described("path", &edge_schedule::path, "path of the file, gzipped or not"),
        described("unit", &edge_schedule::unit, "duration of a round, in units of the file's times",
                  {.least = 1}),
        described("keep", &edge_schedule::keep, "keep edges until the next time of the file"),
        described("repeats", &edge_schedule::repeats, "repeat the schedule after the last line"),
        described("allow_disconnected", &edge_schedule::allow_disconnected,
                  "accept a network that is not connected"),
        described("largest_component", &edge_schedule::largest_component,
                  "keep only the largest connected component")};
  }

 private:
  struct contact {
    round_number round;
    std::uint64_t from, to;
  };

  /// columns: of a line but for the time.
  std::vector<contact> read(std::size_t &columns) const;
};

static_assert(topology<edge_schedule>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/edge_schedule.ipp>
#endif
