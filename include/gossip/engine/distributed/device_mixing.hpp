// As rank_mixing, on a device: the own rows of X <- W X where others are on other ranks, in the
// same three forms. Rows that come whole are there beforehand; in the other forms all ranks are at
// it together, and the host waits for the device before MPI gets what it has written.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/matrix.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/tiles.hpp>
#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip {

template <class T, class Backend, class Ranks>
class device_rank_mixing {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  template <class V>
  using pinned = typename Backend::template pinned<V>;

 public:
  using functions_type = device_functions<T, T, Backend>;

  /// columns: of a row; `borrowed` rows of the fleet take a halo.
  device_rank_mixing(Backend const &backend, functions_type const &functions,
                     device_op::rows<T> const &rows, rank_layout const &layout, Ranks const &ranks,
                     std::size_t columns, std::size_t borrowed)
      : backend_(backend),
        functions_(functions),
        all_(rows),
        rows_(rows),
        layout_(layout),
        ranks_(ranks),
        columns_(columns),
        borrowed_(borrowed),
        own_(layout.own().size()),
        place_(layout.places(0)),
        direct_(ranks.reads_device_memory()),
        flights_(ranks.tiles()),
        mixtures_(layout, borrowed) {}

  /// Bytes of device memory for rows that come whole.
  static std::size_t working_bytes(std::size_t rows) {
    return rows * (device_tile(rows) * sizeof(T) + sizeof(std::uint32_t));
  }

  void begin(plan_window const &window) { mixtures_.begin(window); }
  local_matrix<T> const &of(mixing_matrix const &w) { return mixtures_.of(w); }

  /// Columns of the slot that an operation mixes, up to `columns`. halo: the places of other ranks'
  /// rows, for a mixture whose rows come whole.
  void run(local_matrix<T> const &w, operation const &mix, std::size_t columns,
           std::span<std::uint32_t const> halo) {
    rows_ = device_op::with_slot(all_, mix.slot());
    mix_ = mix;
    mixed_ = columns;
    if (w.form == halo_form::whole) return run_whole(w, halo);
    matrix_.take(backend_, w.local);
    w.form == halo_form::tiled ? run_tiled(w) : run_transposed();
  }

  std::uint64_t sent_bytes() const { return flights_.sent_bytes() + swapped_bytes_; }
  std::uint64_t copies_down() const { return copies_down_; }
  /// Seconds in which mixtures had nothing to do but wait for others' rows.
  double waiting_seconds() const { return waiting_.count(); }

 private:
  template <class Buffer>
  static auto *room(Buffer &in, std::size_t numbers) {
    if (in.size() < numbers) in = Buffer(numbers);
    return in.data();
  }

  /// Columns first to first + width of `count` rows.
  void mix_rows(std::size_t count, device_op::rows<T> const &rows, T const *scratch,
                std::size_t first, std::size_t width) const {
    functions_.mix(backend_, count, matrix_.mixes(rows, scratch, nullptr, first, width, mix_));
  }

  // Whole ----------------------------------------------------------------------------------------

  void run_whole(local_matrix<T> const &w, std::span<std::uint32_t const> halo) {
    if (own_ == 0) return;
    chosen_.clear();
    for (std::uint32_t k = 0; k < own_; ++k) chosen_.push_back(k);
    chosen_.insert(chosen_.end(), halo.begin(), halo.end());
    std::size_t const tile = device_tile(own_ + borrowed_);
    std::uint32_t *const places = room(device_chosen_, own_ + borrowed_);
    T *const scratch = room(scratch_, (own_ + borrowed_) * tile);
    backend_.upload(places, chosen_.data(), chosen_.size());
    auto const launch = [&] {
      for (std::size_t first = mix_.first_column(); first < mixed_; first += tile) {
        std::size_t const width = std::min(tile, mixed_ - first);
        backend_.launch(chosen_.size() * width,
                        device_op::copy_tile<T, T>{rows_, scratch, first, width, places});
        mix_rows(own_, rows_, scratch, first, width);
      }
    };
    recorded_mixture<Backend> &kept = kept_[mix_.slot()];
    if (!matrix_.is(w.local)) {
      matrix_.take(backend_, w.local);
      for (auto &other : kept_) other = {};
    } else if (kept.repeats(mix_, mixed_)) {
      return backend_.replay(kept.launches, launch);
    }
    kept = {mix_.mix().function, mix_.first_column(), mixed_, {}};
    launch();
  }

  // Tiled ---------------------------------------------------------------------------------

  void run_tiled(local_matrix<T> const &w) {
    std::size_t const halo = w.halo.incoming.size(), leaving = w.halo.outgoing.size();
    std::size_t const width =
        halo_staging::of(layout_.most()).width(layout_.most(), w.most_halo, columns_);
    T *const scratch = room(scratch_, (own_ + halo) * width);
    T *const out = room(out_, leaving * width);
    T *const host_out = direct_ ? nullptr : room(host_out_, leaving * width);
    T *const host_in = direct_ ? nullptr : room(host_in_, halo * width);
    chosen_.clear();
    for (halo_row const &row : w.halo.outgoing) chosen_.push_back(place_[row.row]);
    std::uint32_t *const places = room(device_chosen_, leaving);
    backend_.upload(places, chosen_.data(), leaving);
    for (std::size_t first = mix_.first_column(); first < mixed_; first += width) {
      std::size_t const count = std::min(width, mixed_ - first), own = own_ * count;
      backend_.launch(leaving * count,
                      device_op::copy_tile<T, T>{rows_, out, first, count, places});
      backend_.launch(own, device_op::copy_tile<T, T>{rows_, scratch, first, count});
      swap_rows(w, count, ready(out, host_out, leaving * count), direct_ ? scratch + own : host_in);
      if (!direct_) backend_.begin_upload(scratch + own, host_in, halo * count);
      mix_rows(own_, rows_, scratch, first, count);
    }
  }

  /// Columns (outgoing, count) to the ranks that need them, and theirs (incoming, count).
  void swap_rows(local_matrix<T> const &w, std::size_t count, T *out, T *in) {
    waited([&] {
      for (halo_row const &row : w.halo.incoming) {
        flights_.receive(row.rank, tag_of(row.row), std::as_writable_bytes(std::span(in, count)),
                         0);
        in += count;
      }
      for (halo_row const &row : w.halo.outgoing) {
        flights_.send(row.rank, tag_of(row.row), std::as_bytes(std::span(out, count)), 0);
        out += count;
      }
      flights_.wait();
    });
  }

  std::uint32_t tag_of(node i) const { return i % ranks_.largest_tag(); }

  // Transposed ------------------------------------------------------------------------------------

  /// Ranks swap tiles of their rows for slices of all rows, mix those, and swap back.
  void run_transposed() {
    std::size_t const ranks = layout_.ranks(), n = layout_.nodes(), me = layout_.rank();
    std::size_t const slice =
        halo_staging::of(layout_.most()).slice(layout_.most(), columns_, ranks);
    std::size_t const width = slice * ranks;
    T *const mine = room(out_, own_ * width), *const all = room(scratch_, 2 * n * slice);
    T *const mixed = all + n * slice;
    T *const host_mine = direct_ ? nullptr : room(host_out_, own_ * width);
    T *const host_all = direct_ ? nullptr : room(host_in_, n * slice);
    std::vector<std::size_t> out(ranks), in(ranks);
    for (std::size_t first = mix_.first_column(); first < mixed_; first += width) {
      std::size_t const last = std::min(first + width, mixed_);
      auto const begin = [&](std::size_t q) { return std::min(first + q * slice, last); };
      std::size_t const share = begin(me + 1) - begin(me);
      for (std::size_t q = 0; q < ranks; ++q) {
        std::size_t const count = begin(q + 1) - begin(q);
        out[q] = own_ * count * sizeof(T);
        in[q] = layout_.nodes_of(q).size() * share * sizeof(T);
        if (q != me) swapped_bytes_ += out[q] + in[q];
        backend_.launch(
            own_ * count,
            device_op::copy_tile<T, T>{rows_, mine + own_ * (begin(q) - first), begin(q), count});
      }
      swap_columns(mine, host_mine, own_ * (last - first), out, all, host_all, n * share, in);
      device_op::rows<T> const slices{mixed, share, false};
      mix_rows(n, slices, all, 0, share);
      swap_columns(mixed, host_all, n * share, in, mine, host_mine, own_ * (last - first), out);
      for (std::size_t q = 0; q < ranks; ++q)
        backend_.launch(own_ * (begin(q + 1) - begin(q)),
                        device_op::put_tile<T>{rows_, mine + own_ * (begin(q) - first), begin(q),
                                               begin(q + 1) - begin(q)});
    }
  }

  /// Blocks of `from` for each rank, sizes in bytes, to those of `to`; by way of pinned memory.
  void swap_columns(T *from, T *host_from, std::size_t leaving,
                    std::span<std::size_t const> from_sizes, T *to, T *host_to,
                    std::size_t arriving, std::span<std::size_t const> to_sizes) {
    T *const source = ready(from, host_from, leaving), *const target = direct_ ? to : host_to;
    waited([&] {
      ranks_.all_to_all(reinterpret_cast<std::byte const *>(source), from_sizes,
                        reinterpret_cast<std::byte *>(target), to_sizes);
    });
    if (!direct_) backend_.begin_upload(to, host_to, arriving);
  }

  // ----------------------------------------------------------------------------------------------

  /// The memory in which MPI finds what the device has written, once this returns; earlier uploads
  /// are complete, so that MPI may write there too.
  T *ready(T *on_device, T *on_host, std::size_t numbers) {
    if (!direct_ && numbers > 0) {
      backend_.begin_download(on_host, on_device, numbers);
      ++copies_down_;
    }
    backend_.wait();
    return direct_ ? on_device : on_host;
  }

  template <class F>
  void waited(F f) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    waiting_ += std::chrono::steady_clock::now() - begin;
  }

  Backend backend_;
  functions_type const &functions_;
  device_op::rows<T> all_, rows_;  // of all slots; with the slot at work in the models' place
  rank_layout const &layout_;
  Ranks const &ranks_;
  std::size_t columns_, borrowed_, own_;
  operation mix_{};  // at work
  std::size_t mixed_ = 0;
  std::vector<std::uint32_t> place_;  // (n)
  bool direct_;
  typename Ranks::requests flights_;
  std::uint64_t swapped_bytes_ = 0, copies_down_ = 0;
  std::chrono::duration<double> waiting_{0};
  local_matrices<T> mixtures_;
  device_matrix<T, Backend> matrix_;
  std::array<recorded_mixture<Backend>, row_list::most_slots> kept_;  // whose rows come whole
  std::vector<std::uint32_t> chosen_;
  buffer<std::uint32_t> device_chosen_;  // rows that leave, or all that are mixed
  buffer<T> scratch_, out_;
  pinned<T> host_out_, host_in_;
};

}  // namespace gossip
