// Sums over taps and planes on one core, for outputs and for gradients of inputs. Planes of a block
// of sources are packed so that a tile of (planes x packs of samples) stays in registers while
// weights and sources stream by; the sums wait in the target from block to block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/backend/cpu/packed_row.hpp>
#include <gossip/backend/cpu/tile.hpp>
#include <gossip/op/convolution_axis.hpp>
#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_pass.hpp>

namespace gossip::host {

/// Targets (plane, y, x, lanes) = bias + sums of weights times sources (plane, y, x, lanes).
template <class Pass, std::size_t Lanes, class T>
class correlation {
  using blocks = op::correlation_blocks<Pass, Lanes>;
  using packed_row = op::packed_row<Pass>;
  using axis = op::convolution_axis;
  using range = typename blocks::range;
  static constexpr std::size_t packs = 2;
  static constexpr std::size_t tile_rows = (registers - packs - 1) / packs;
  /// Targets side by side in one tile.
  static constexpr std::size_t positions =
      std::max<std::size_t>(1, packs *pack_size<T> / blocks::lanes);

 public:
  T const *weights, *bias, *source;  // bias may be null
  T *target, *packed;                // blocks::scratch numbers to pack sources in

  void run() const {
    for (std::size_t lane = 0; lane < Lanes; lane += blocks::lanes)
      for (std::size_t t = 0; t < blocks::height; t += blocks::rows)
        for (std::size_t s = 0; s < Pass::sources; s += blocks::sources)
          add_block(lane, t, {s, std::min(s + blocks::sources, Pass::sources)});
  }

 private:
  /// The taps that a tile's targets meet sources with.
  struct tap {
    std::uint32_t weight, source;
  };
  struct tap_list {
    std::array<tap, Pass::shape.taps()> at;
    std::size_t count = 0;
  };
  /// A row of targets of one residue, and what is packed for it.
  struct row_place {
    axis y;
    std::size_t row, lane;
    range planes, rows;  // of sources
    std::size_t plane() const { return (rows.last - rows.first) * blocks::row_numbers; }
  };
  struct tile_place {
    row_place const &row;
    tap_list const &taps;
    T const *from;
    T *to;
  };

  /// Target rows t to t + blocks::rows of every residue [+]= the planes of sources.
  [[gnu::noinline]] void add_block(std::size_t lane, std::size_t t, range planes) const {
    range const rows = blocks::source_rows(t);
    pack_sources(rows, lane, planes);
    for (std::size_t ry = 0; ry < Pass::residues; ++ry) {
      axis const y = Pass::vertical(ry);
      for (std::size_t row = t; row < std::min(y.count, t + blocks::rows); ++row)
        for (std::size_t rx = 0; rx < Pass::residues; ++rx)
          add_row({y, row, lane, planes, rows}, Pass::horizontal(rx));
    }
  }

  void pack_sources(range rows, std::size_t lane, range planes) const {
    constexpr std::size_t stride = Pass::vertical(0).stride;
    constexpr std::size_t row_size = Pass::source_width * Lanes;
    T *to = packed;
    for (std::size_t plane = planes.first; plane < planes.last; ++plane)
      for (std::size_t row = rows.first; row < rows.last; ++row, to += blocks::row_numbers)
        if ((row + Pass::shape.padding) % stride < Pass::shape.kernel)  // met by some tap
          pack_row<packed_row, Lanes, blocks::lanes>(
              source + (plane * Pass::source_height + row) * row_size + lane, Pass::source_width,
              to);
  }

  void add_row(row_place const &place, axis const &x) const {
    T *const to = target + (place.y.first + place.row * place.y.step) * Pass::target_width * Lanes +
                  place.lane;
    for (std::size_t column = 0; column < x.count; column += positions) {
      std::size_t const end = std::min(column + positions, x.count);
      tap_list const taps = list_taps(place, x, column, end);
      if (taps.count == 0 && place.planes.first > 0) continue;  // written already
      for (std::size_t l = 0; l < blocks::lanes; l += packs * pack_size<T>) {
        tile_place const tile{place, taps, packed + column * blocks::lanes + l,
                              to + (x.first + column * x.step) * Lanes + l};
        if (end - column == positions)
          add_tiles<packs>(tile);
        else
          add_tiles<packs / positions>(tile);  // a single target at the end of the row
      }
    }
  }

  /// Taps by which some target of columns first to end of a row meets a source.
  static tap_list list_taps(row_place const &place, axis const &x, std::size_t first,
                            std::size_t end) {
    tap_list list{};
    for (std::size_t jy = 0; jy < place.y.taps; ++jy) {
      auto const row = static_cast<std::size_t>(place.y.source(place.row, jy));
      if (row >= Pass::source_height) continue;  // huge where it would be negative
      std::size_t const ky = place.y.kernel_first + jy * place.y.kernel_step;
      for (std::size_t jx = 0; jx < x.taps; ++jx) {
        bool meets = false;
        for (std::size_t column = first; column < end; ++column)
          meets |= static_cast<std::size_t>(x.source(column, jx)) < Pass::source_width;
        std::size_t const kx = x.kernel_first + jx * x.kernel_step;
        std::size_t const from = (row - place.rows.first) * blocks::row_numbers +
                                 packed_row::first(x, jx) * blocks::lanes;
        if (meets)
          list.at[list.count++] = {static_cast<std::uint32_t>(ky * Pass::shape.kernel + kx),
                                   static_cast<std::uint32_t>(from)};
      }
    }
    return list;
  }

  template <std::size_t Packs>
  void add_tiles(tile_place const &place) const {
    for_each_tile<Pass::targets, tile_rows>(
        [&]<std::size_t Rows>(std::size_t plane) { add_tile<Rows, Packs>(place, plane); });
  }

  /// One tile of target planes first to first + Rows.
  template <std::size_t Rows, std::size_t Packs>
  [[gnu::noinline]] void add_tile(tile_place const &place, std::size_t first) const {
    constexpr std::size_t plane = Pass::target_height * Pass::target_width * Lanes;
    range const planes = place.row.planes;
    tile<T, Rows, Packs> sums;
    T *const to = place.to + first * plane;
    if (planes.first == 0) {
      sums.fill(bias ? bias + first : nullptr);
      sums.prefetch(to, plane, pack_places<Packs>);
    } else {
      sums.read(to, plane, pack_places<Packs>);
    }
    T const *w = weights + first * Pass::target_stride + planes.first * Pass::source_stride;
    T const *from = place.from;
    for (std::size_t i = planes.first; i < planes.last; ++i) {
      for (std::size_t k = 0; k < place.taps.count; ++k) {
        tap const at = place.taps.at[k];
        sums.add(w + at.weight, Pass::target_stride, from + at.source);
      }
      w += Pass::source_stride;
      from += place.row.plane();
    }
    sums.write(to, plane, pack_places<Packs>);
  }

  /// Offsets of a tile's packs in the target, from its first.
  template <std::size_t Packs>
  static constexpr auto pack_places = [] {
    std::array<std::size_t, Packs> places{};
    for (std::size_t p = 0; p < Packs; ++p) {
      std::size_t const position = p * pack_size<T> / blocks::lanes;
      places[p] = position * Pass::horizontal(0).step * Lanes + p * pack_size<T> % blocks::lanes;
    }
    return places;
  }();
};

}  // namespace gossip::host
