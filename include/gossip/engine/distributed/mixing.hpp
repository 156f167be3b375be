// The own rows of X <- W X where others are on other ranks. Their rows come whole and early where
// there is room for them; otherwise in tiles of columns, the next on its way while one is
// mixed; and where a rank needs more than twice as many rows as it has, ranks swap rows for
// columns and back, which moves fewer bytes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/engine/column_access.hpp>
#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/engine/distributed/published_tiles.hpp>
#include <gossip/engine/host/column_tiles.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// The operands of a mixture, columns `first` to `columns` of a slot, the number of its function,
/// and the slots that it and the operations beside it use.
struct mixed_slot {
  std::size_t slot = 0, first = 0, columns = 0;
  std::uint16_t code = 0;
  used_slots used{};
};

template <class T, class Ranks, class Fleet>
class rank_mixing {
  using requests = typename Ranks::requests;
  using Row = typename Fleet::element;
  using writes_type = row_writes<Row, T>;

 public:
  /// Borrowed rows of the fleet take a halo.
  rank_mixing(host_machine<T> const &machine, Fleet const &rows, rank_layout const &layout,
              Ranks const &ranks, function_tables<T> const &functions, halo_staging const &staging)
      : machine_(machine),
        rows_(rows),
        layout_(layout),
        ranks_(ranks),
        columns_(rows.size().parameters),
        functions_(functions),
        sizes_(staging),
        flights_{ranks.tiles(), ranks.tiles()},
        published_(ranks),
        mixtures_(layout, rows.size().borrowed) {}

  void begin(plan_window const &window) { mixtures_.begin(window); }
  local_matrix<T> const &of(mixing_matrix const &w) { return mixtures_.of(w); }

  /// The next write of every row that a run of this mixture will round; all ranks at once.
  void count_writes(local_matrix<T> const &w, writes_type &writes) {
    if constexpr (writes_type::rounds) {
      writes_.clear();
      for (node const i : layout_.own()) writes_.push_back(writes.next(i));
      if (w.form != halo_form::transposed) return;
      // Of a slice this rank rounds the rows of all; what they have written may depend on values.
      counts_.assign(layout_.nodes(), 0);
      for (row_write const &own : writes_) counts_[own.owner] = own.count;
      ranks_.all_reduce_sum(std::span<std::uint64_t>(counts_));
      writes_.clear();
      for (std::size_t r = 0; r < layout_.ranks(); ++r)
        for (node const i : layout_.nodes_of(r)) writes_.push_back(writes.numbered(i, counts_[i]));
    }
  }

  /// before(leased rows, first, last) and after(the same) run on the same columns, before and after
  /// they are mixed. slots: the places of the halo's rows, for one that comes whole.
  template <class Before, class After>
  void run(local_matrix<T> const &w, mixed_slot what, std::span<Row const *const> slots,
           Before before, After after) {
    what_ = what;
    make_scratch(w);
    auto const beside = [&](std::size_t from, std::size_t to) {
      each_leased_tile(from, to,
                       [&](auto const &rows, std::size_t, std::size_t first, std::size_t last) {
                         before(rows, first, last);
                         after(rows, first, last);
                       });
    };
    std::size_t done = 0;
    beside(0, what_.first);
    if (w.form == halo_form::whole) {
      each_leased_tile(
          what_.first, what_.columns,
          [&](auto const &rows, std::size_t worker, std::size_t first, std::size_t last) {
            before(rows, first, last);
            mix_own(w, rows, worker, first, last, {slots, first});
            after(rows, first, last);
          });
      done = what_.columns;
    } else {
      done = w.form == halo_form::tiled ? run_tiled(w, before, after)
                                        : run_transposed(w, before, after);
    }
    beside(done, columns_);
  }

  std::uint64_t sent_bytes() const {
    return flights_[0].sent_bytes() + flights_[1].sent_bytes() + swapped_bytes_ + published_bytes_;
  }

  /// Seconds in which mixtures had nothing to do but wait for others' rows.
  double waiting_seconds() const { return waiting_.count(); }

 private:
  void make_scratch(local_matrix<T> const &w) {
    std::size_t const rows = w.form == halo_form::transposed
                                 ? layout_.nodes()
                                 : layout_.own().size() + w.halo.incoming.size();
    std::size_t const size = rows * machine_.columns_at_once();
    if (scratch_.size() == machine_.workers() && (size == 0 || scratch_[0].size() >= size)) return;
    scratch_.clear();
    for (std::size_t k = 0; k < machine_.workers(); ++k) scratch_.emplace_back(size);
  }

  Row *staging(std::size_t numbers) {
    if (staging_.size() < numbers) staging_ = host_buffer<Row>(numbers);
    return staging_.data();
  }

  /// f(leased rows, worker, first, last) for tiles of columns of the slots in use.
  template <class F>
  void each_leased_tile(std::size_t begin, std::size_t end, F f) const {
    each_part(rows_, what_.used, begin, end,
              [&](auto const &rows, std::size_t from, std::size_t to) {
                each_tile(machine_, from, to,
                          [&](std::size_t worker, std::size_t first, std::size_t last) {
                            f(rows, worker, first, last);
                          });
              });
  }

  /// A lease of columns from `first` on; the block behind theirs is likely to be leased next.
  leased_rows<Row> leased(std::size_t first, std::size_t last) const {
    auto rows = rows_.columns(what_.used, first, last);
    std::size_t const most = rows_.parts().columns, next = first - first % most + most;
    if (next < what_.columns) rows_.expect_columns(what_.used, next);
    return rows;
  }
  /// The end of the columns from `first` on, of `count` at most, that are mixed at once: the same
  /// on all ranks.
  std::size_t end_of(std::size_t first, std::size_t count) const {
    std::size_t const most = rows_.parts().columns;
    return std::min(first + std::min(count, most - first % most), what_.columns);
  }

  /// Own rows, columns first to last.
  void mix_own(local_matrix<T> const &w, leased_rows<Row> const &rows, std::size_t worker,
               std::size_t first, std::size_t last, op::rows_beside<Row> halo) {
    if (layout_.own().empty()) return;
    mix(w, rows.nodes(what_.slot, first, last), worker, {halo, first, what_.slot});
  }

  /// All columns of x.
  void mix(local_matrix<T> const &w, rows_view<Row> x, std::size_t worker,
           mixed_part<Row> const &part) {
    change_columns(machine_, functions_.neighborhoods, what_.code, w.local, x, 0, x.columns,
                   scratch_[worker].data(), writes_.data(), part);
  }

  // Tiled ---------------------------------------------------------------------------------

  template <class Before, class After>
  std::size_t run_tiled(local_matrix<T> const &w, Before before, After after) {
    std::size_t const width = sizes_.width(layout_.most(), w.most_halo, columns_);
    auto const end = [&](std::size_t first) { return end_of(first, width); };
    waited([&] { published_.begin(layout_.most(), width); });
    halo_ways const ways =
        ways_of(w.halo, layout_, [&](auto rank) { return published_.reaches(rank); });
    published_.between(ways.publishers, ways.readers);
    Row *const staged = staging(2 * ways.far * width);
    std::optional<leased_rows<Row>> tiles[2];  // until rows have left and are mixed
    auto const start = [&](std::size_t first, std::size_t turn) {
      auto const &rows = tiles[turn].emplace(leased(first, end(first)));
      each_tile(machine_, first, end(first),
                [&](std::size_t, std::size_t f, std::size_t l) { before(rows, f, l); });
      std::size_t const count = end(first) - first;
      for (std::size_t k = 0, far = 0; k < w.halo.incoming.size(); ++k)
        if (halo_row const &in = w.halo.incoming[k]; !published_.reaches(in.rank))
          flights_[turn].receive(
              in.rank, tag_of(in.row),
              std::as_writable_bytes(std::span(staged + (turn * ways.far + far++) * width, count)),
              0);
      for (halo_row const &out : w.halo.outgoing)
        if (!published_.reaches(out.rank))
          flights_[turn].send(out.rank, tag_of(out.row),
                              std::as_bytes(std::span(rows.row(what_.slot, out.row, first), count)),
                              0);
        else
          published_bytes_ += count * sizeof(Row);
      publish(rows, ways.published, first, count);
    };
    std::vector<Row const *> from(w.halo.incoming.size());
    std::uint64_t tile = published_.published_so_far();
    if (what_.columns > what_.first) start(what_.first, 0);
    for (std::size_t first = what_.first, turn = 0; first < what_.columns;
         first = end(first), turn ^= 1) {
      if (end(first) < what_.columns) start(end(first), turn ^ 1);
      waited([&] {
        published_.wait_for_rows(tile);
        flights_[turn].wait();
      });
      for (std::size_t k = 0, far = 0; k < from.size(); ++k)
        if (std::size_t const rank = w.halo.incoming[k].rank; published_.reaches(rank))
          from[k] = published_.row(rank, ways.places[k], tile);
        else
          from[k] = staged + (turn * ways.far + far++) * width;
      each_tile(machine_, first, end(first), [&](std::size_t worker, std::size_t f, std::size_t l) {
        mix_own(w, *tiles[turn], worker, f, l, {from, f - first});
        after(*tiles[turn], f, l);
      });
      tiles[turn].reset();
      published_.done(tile++);
    }
    return what_.columns;
  }

  /// Columns from `first` on of what ranks of this machine want, each row once for all of them.
  void publish(leased_rows<Row> const &rows, std::span<node const> wanted, std::size_t first,
               std::size_t count) {
    waited([&] { published_.wait_for_room(); });
    machine_.for_each(wanted.size(), [&](std::size_t, std::size_t k) {
      std::copy_n(rows.row(what_.slot, wanted[k], first), count,
                  published_.room(layout_.place(wanted[k])));
    });
    published_.publish();
  }

  std::uint32_t tag_of(node i) const { return i % ranks_.largest_tag(); }

  // Transposed ------------------------------------------------------------------------------------

  /// Ranks swap tiles of their rows for slices of all rows, mix those, and swap back.
  template <class Before, class After>
  std::size_t run_transposed(local_matrix<T> const &w, Before before, After after) {
    std::size_t const ranks = layout_.ranks(), own = layout_.own().size(), n = layout_.nodes();
    std::size_t const at_once = std::min(rows_.parts().columns, what_.columns);
    std::size_t const fair = (at_once / ranks + lane_group) / lane_group * lane_group;
    std::size_t const slice = std::min(sizes_.slice(layout_.most(), columns_, ranks), fair);
    std::size_t const width = slice * ranks;
    Row *const mine = staging(own * width + n * slice), *const swapped = mine + own * width;
    for (std::size_t first = what_.first, last; first < what_.columns; first = last) {
      last = end_of(first, width);
      auto const rows = leased(first, last);
      auto const begin = [&](std::size_t q) { return std::min(first + q * slice, last); };
      std::size_t const share = begin(layout_.rank() + 1) - begin(layout_.rank());
      std::vector<std::size_t> out(ranks), in(ranks);
      for (std::size_t q = 0; q < ranks; ++q) {
        out[q] = own * (begin(q + 1) - begin(q)) * sizeof(Row);
        in[q] = layout_.nodes_of(q).size() * share * sizeof(Row);
        if (q != layout_.rank()) swapped_bytes_ += out[q] + in[q];
      }
      each_tile(machine_, first, last,
                [&](std::size_t, std::size_t f, std::size_t l) { before(rows, f, l); });
      pack(rows, begin, mine,
           [](Row *row, Row *block, std::size_t count) { std::copy_n(row, count, block); });
      swap(mine, out, swapped, in);
      std::size_t const column = begin(layout_.rank());
      each_tile(machine_, 0, share, [&](std::size_t worker, std::size_t f, std::size_t l) {
        rows_view<Row> const x{swapped + f, n, l - f, share};
        mix(w, x, worker, {{}, column + f, what_.slot});
      });
      swap(swapped, in, mine, out);
      pack(rows, begin, mine,
           [](Row *row, Row *block, std::size_t count) { std::copy_n(block, count, row); });
      each_tile(machine_, first, last,
                [&](std::size_t, std::size_t f, std::size_t l) { after(rows, f, l); });
    }
    return what_.columns;
  }

  void swap(Row const *from, std::span<std::size_t const> from_sizes, Row *to,
            std::span<std::size_t const> to_sizes) {
    waited([&] {
      ranks_.all_to_all(reinterpret_cast<std::byte const *>(from), from_sizes,
                        reinterpret_cast<std::byte *>(to), to_sizes);
    });
  }

  template <class F>
  void waited(F f) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    waiting_ += std::chrono::steady_clock::now() - begin;
  }

  /// copy(own row at the slice of rank q, its place in the block of rank q, numbers).
  template <class Begin, class Copy>
  void pack(leased_rows<Row> const &rows, Begin begin, Row *blocks, Copy copy) {
    std::size_t const own = layout_.own().size(), first = begin(0), last = begin(layout_.ranks());
    rows_view<Row> const mine = rows.nodes(what_.slot, first, last);
    machine_.for_each(own, [&](std::size_t, std::size_t k) {
      for (std::size_t q = 0; q < layout_.ranks(); ++q) {
        std::size_t const count = begin(q + 1) - begin(q);
        Row *const block = blocks + own * (begin(q) - first) + k * count;
        copy(mine[k].data() + (begin(q) - first), block, count);
      }
    });
  }

  host_machine<T> machine_;
  Fleet const &rows_;
  rank_layout const &layout_;
  Ranks const &ranks_;
  std::size_t columns_;
  mixed_slot what_;  // the mixture at work
  function_tables<T> const &functions_;
  halo_staging sizes_;
  requests flights_[2];
  std::uint64_t swapped_bytes_ = 0, published_bytes_ = 0;
  std::chrono::duration<double> waiting_{0};
  published_tiles<Row, Ranks> published_;
  local_matrices<T> mixtures_;
  std::vector<host_buffer<T>> scratch_;
  host_buffer<Row> staging_;
  std::vector<row_write> writes_;      // of rows in 16 bits: own, or all of them rank by rank
  std::vector<std::uint64_t> counts_;  // (n)
};

}  // namespace gossip
