// A mixing matrix as one rank needs it, and how the rows of other ranks reach it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/engine/distributed/halo_pattern.hpp>
#include <gossip/engine/matrix_cache.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/mixing/cast_weights.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// The form in which the rows of other ranks reach a mixture; the same on all ranks.
enum class halo_form : std::uint8_t { whole, tiled, transposed };

/// Memory for rows that do not come whole: two tiles of them and of those that ranks of a
/// machine publish, or rows and columns to swap. The same on all ranks.
struct halo_staging {
  std::size_t rows;  ///< whose numbers it may take

  /// Columns of a tile; the most as measured: MPI sends them in one piece, and those of a
  /// hundred rows stay in the caches.
  static constexpr std::size_t least_columns = 256, most_columns = 8192;

  /// Where all rows are in memory.
  static constexpr halo_staging of(std::size_t most_nodes) { return {most_nodes / 4 + 1}; }

  /// Upper bound of its numbers for rows of d, on a rank that needs so many nodes of others.
  constexpr std::size_t numbers(std::size_t most_nodes, std::size_t most_halo, std::size_t d,
                                std::size_t ranks) const {
    if (most_halo == 0) return 0;
    if (is_transposed(most_nodes, most_halo))
      return 2 * most_nodes * ranks * slice(most_nodes, d, ranks);
    return 2 * (most_halo + most_nodes) * width(most_nodes, most_halo, d);
  }

  /// A halo so large that all ranks swap rows for columns instead.
  static constexpr bool is_transposed(std::size_t most_nodes, std::size_t most_halo) {
    return most_halo > 2 * most_nodes;
  }

  /// Columns of a tile of rows of d.
  constexpr std::size_t width(std::size_t most_nodes, std::size_t most_halo, std::size_t d) const {
    std::size_t const room = rows * d / (2 * (most_halo + most_nodes));
    return std::clamp(room / lane_group * lane_group, least_columns, most_columns);
  }

  /// Columns of all nodes that a rank gets at a time where ranks swap.
  constexpr std::size_t slice(std::size_t most_nodes, std::size_t d, std::size_t ranks) const {
    std::size_t const room = rows * d / (2 * most_nodes * ranks);
    return std::max(room / lane_group * lane_group, lane_group);
  }
};

/// One matrix as a rank needs it.
template <class T>
struct local_matrix {
  std::uint64_t identity;  // of the matrix
  halo_form form;
  halo_pattern halo;
  std::size_t most_halo;     // rows that a rank receives
  op::mixing_rows<T> local;  // own rows; columns: own places, then halo rows; transposed: all rows
};

/// borrowed: rows that a rank has room for.
template <class T>
local_matrix<T> mixture_of(mixing_matrix const &w, rank_layout const &layout,
                           std::size_t borrowed) {
  local_matrix<T> result{w.identity(), halo_form::whole, halo_of(w, layout), 0, {}};
  result.local.identity = w.identity();
  for (std::size_t const rows : halo_sizes(w, layout))
    result.most_halo = std::max(result.most_halo, rows);
  if (halo_staging::is_transposed(layout.most(), result.most_halo))
    result.form = halo_form::transposed;
  else if (result.most_halo > borrowed)
    result.form = halo_form::tiled;
  std::vector<std::uint32_t> place = layout.places(0);
  std::vector<node> of_rows(layout.own().begin(), layout.own().end());
  if (result.form == halo_form::transposed) {
    of_rows.clear();
    for (std::size_t r = 0; r < layout.ranks(); ++r)
      for (node const i : layout.nodes_of(r)) {
        place[i] = static_cast<std::uint32_t>(of_rows.size());
        of_rows.push_back(i);
      }
  } else {
    for (std::size_t k = 0; k < result.halo.incoming.size(); ++k)
      place[result.halo.incoming[k].row] = static_cast<std::uint32_t>(of_rows.size() + k);
  }
  // The order of the addends stays that of the nodes.
  auto const [offsets, columns, values] = w.compressed();
  std::vector<T> const weights = cast_weights<T>(w);
  result.local.offsets.push_back(0);
  for (node const i : of_rows) {
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      result.local.columns.push_back(place[columns[k]]);
      result.local.values.push_back(weights[k]);
    }
    result.local.offsets.push_back(result.local.columns.size());
  }
  return result;
}

/// Matrices as one rank needs them, each derived once. The layout outlives it.
template <class T>
class local_matrices : public matrix_cache<local_matrix<T>> {
 public:
  /// borrowed: rows that the rank has room for.
  local_matrices(rank_layout const &layout, std::size_t borrowed)
      : layout_(layout), borrowed_(borrowed) {}

  local_matrix<T> const &of(mixing_matrix const &w) {
    return matrix_cache<local_matrix<T>>::of(w,
                                             [&] { return mixture_of<T>(w, layout_, borrowed_); });
  }

 private:
  rank_layout const &layout_;
  std::size_t borrowed_;
};

}  // namespace gossip
