// The members that graphs of files have in common, described.
#pragma once

#include <gossip/core/described.hpp>

namespace gossip::detail {

/// Of a topology with path, allow_disconnected and largest_component.
template <class Topology>
constexpr auto file_members() {
  return member_list{described("path", &Topology::path, "path of the file, gzipped or not"),
                     described("allow_disconnected", &Topology::allow_disconnected,
                               "accept a graph that is not connected"),
                     described("largest_component", &Topology::largest_component,
                               "keep only the largest connected component")};
}

}  // namespace gossip::detail
