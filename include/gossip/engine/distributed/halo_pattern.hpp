// The halo of a mixing matrix: rows that ranks send to each other, each once per destination.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

/// A row of a node that one rank sends and another receives.
struct halo_row {
  std::uint32_t rank;  // the other one
  node row;
  friend bool operator==(halo_row const &, halo_row const &) = default;
  friend bool operator<(halo_row const &a, halo_row const &b) {
    return a.rank != b.rank ? a.rank < b.rank : a.row < b.row;
  }
};

/// The rows that a rank receives and sends for one matrix, each by rank and then by node.
struct halo_pattern {
  std::vector<halo_row> incoming, outgoing;
};

/// O(entries of all rows).
halo_pattern halo_of(mixing_matrix const &w, rank_layout const &layout);

/// Number of rows that each rank receives, (ranks).
std::vector<std::size_t> halo_sizes(mixing_matrix const &w, rank_layout const &layout);

/// The transport of a halo's rows: some are published by ranks of this machine, others sent.
struct halo_ways {
  std::vector<std::size_t> places;               // of incoming rows, in the ranks that have them
  std::size_t far = 0;                           // incoming rows that are sent
  std::vector<node> published;                   // own rows, each once
  std::vector<std::size_t> publishers, readers;  // ranks, ascending
};

/// reaches(rank): whether that rank and this one read rows of each other.
template <class Reaches>
halo_ways ways_of(halo_pattern const &halo, rank_layout const &layout, Reaches reaches) {
  halo_ways ways;
  for (halo_row const &in : halo.incoming) {
    ways.places.push_back(layout.place(in.row));
    if (reaches(in.rank))
      ways.publishers.push_back(in.rank);
    else
      ++ways.far;
  }
  for (halo_row const &out : halo.outgoing)
    if (reaches(out.rank)) {
      ways.readers.push_back(out.rank);
      ways.published.push_back(out.row);
    }
  auto const keep_one_of_each = [](auto &values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  keep_one_of_each(ways.published);
  keep_one_of_each(ways.publishers);
  keep_one_of_each(ways.readers);
  return ways;
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/distributed/detail/halo_pattern.ipp>
#endif
