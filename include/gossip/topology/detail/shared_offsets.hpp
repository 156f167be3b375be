// Offsets that all nodes share: how EquiTopo's networks are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/graph/graph.hpp>

namespace gossip::detail {

/// Throws input_error where so many nodes have fewer distinct offsets; of an undirected network a
/// and nodes - a are one.
void require_offsets(char const *where, std::size_t nodes, std::size_t offsets, bool directed);

/// So many distinct numbers of 1 to nodes - 1, each uniform among those that are left; of an
/// undirected network not a and nodes - a both.
std::vector<std::size_t> draw_offsets(std::size_t nodes, std::size_t count, bool directed,
                                      keyed_random &random);

/// Appends i + offset -> i (modulo nodes) for every node i; the pairs of an undirected network once
/// where the offset is nodes / 2.
void append_shift(std::vector<edge> &edges, std::size_t nodes, std::size_t offset, bool directed);

/// Pairs of i and i + offset (modulo nodes), each node in one at most: from node `start` on, in
/// their order, every node that is free takes its partner if that is free too.
std::vector<edge> offset_matching(std::size_t nodes, std::size_t offset, std::size_t start);

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/shared_offsets.ipp>
#endif
