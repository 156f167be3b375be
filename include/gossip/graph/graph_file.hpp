// A graph from a file whose format is told by its content: Matrix Market or edge list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gossip/graph/detail/lines.hpp>
#include <gossip/graph/edge_list.hpp>
#include <gossip/graph/matrix_market.hpp>
#include <gossip/graph/topology.hpp>

namespace gossip {

/// A Matrix Market file if it begins with that banner, else an edge list; gzipped or not.
struct graph_file {
  std::string path;
  bool allow_disconnected = false;
  bool largest_component = false;

  /// Throws input_error "path:line: expected ..., got ...".
  graph build(std::uint64_t seed = 0) const {
    if (begins_with_banner())
      return matrix_market{path, allow_disconnected, largest_component}.build(seed);
    return edge_list{path, allow_disconnected, largest_component}.build(seed);
  }

 private:
  bool begins_with_banner() const {
    detail::lines file(path);
    std::string_view first;
    return file.next(first) && matrix_market::is_banner(first);
  }
};

static_assert(topology<graph_file>);

}  // namespace gossip
