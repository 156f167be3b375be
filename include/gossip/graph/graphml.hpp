// A graph as a GraphML file, for Gephi, Cytoscape, networkx and others.
#pragma once

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <gossip/core/error.hpp>
#include <gossip/graph/boost.hpp>
#include <gossip/graph/graph.hpp>

#include <boost/graph/graphml.hpp>
#include <boost/property_map/dynamic_property_map.hpp>

namespace gossip {

namespace detail {

[[noreturn]] inline void refuse_to_write(std::string const &path, std::string const &reason) {
  throw input_error(path, "a file that can be written", "'" + reason + "'");
}

inline void print_graphml(graph const &g, std::ostream &out) {
  boost::dynamic_properties const none;
  if (g.directed())
    boost::write_graphml(out, to_boost<boost::bidirectionalS>(g), none, true);
  else
    boost::write_graphml(out, to_boost(g), none, true);
}

}  // namespace detail

/// Writes the graph through a file beside it that is renamed when complete: a reader finds the old
/// file or the new one, never a part. Throws input_error "x.graphml: expected a file that can be
/// written, got 'No such file or directory'".
inline void write_graphml(graph const &g, std::string const &path) {
  std::string const beside = path + ".part";
  errno = 0;
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  if (!out) detail::refuse_to_write(path, std::generic_category().message(errno));
  detail::print_graphml(g, out);
  out.close();
  std::error_code fault;
  if (out.fail())
    fault = std::make_error_code(std::errc::io_error);
  else
    std::filesystem::rename(beside, path, fault);
  if (!fault) return;
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  detail::refuse_to_write(path, fault.message());
}

}  // namespace gossip
