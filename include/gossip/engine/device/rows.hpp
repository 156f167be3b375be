// The parameters of a device's nodes as the host sees them: a window of pinned memory at a time,
// the next on its way meanwhile. All of them are copied only if somebody asks for a row by its
// node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/fleet/server_rows.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

template <class Row, class Backend>
class device_rows {
 public:
  using element = Row;
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  /// there: slot 0 of the device's rows. size and places: those of its fleet. window: bytes.
  device_rows(Backend const &backend, Row const *there, fleet_size const &size,
              std::span<std::uint32_t const> places, std::size_t window = most_bytes)
      : backend_(backend),
        device_(there),
        size_{size.nodes, size.parameters, 0, size.shared, size.held},
        stride_(size.template stride<Row>()),
        places_(places.begin(), places.end()),
        room_(numbers(size, window)),
        half_(std::max(room_ / 2 / window_columns, one) * window_columns) {}

  /// Host memory of the window.
  static std::size_t bytes(fleet_size const &size, std::size_t window = most_bytes) {
    return numbers(size, window) * sizeof(Row);
  }

  fleet_size const &size() const { return size_; }

  /// The rows have changed.
  void renew() {
    all_.reset();
    window_has_all_ = false;
  }

  /// The parameters of a node (d). The first call since renew() copies the rows of all nodes;
  /// throws gossip::error where the host has no memory for them.
  Row *parameters(node i) const { return all().parameters(i); }

  /// See fleet/row_window.hpp.
  template <class F>
  void each_window(std::size_t first, std::size_t last, F f) const {
    std::size_t const rows = size_.rows();
    if (rows == 0 || first == last) return;
    if (window_.size() == 0) window_ = pinned(room_);
    if (rows * stride_ <= room_) return f(window_of_all(first, last));
    std::size_t const width = std::min(last - first, half_);
    bool const whole = last - first == size_.parameters && stride_ <= half_;
    std::size_t const step = whole ? stride_ : width;  // numbers from row to row
    std::size_t const together = width < last - first ? 1 : std::max(half_ / step, one);
    std::size_t const cuts = (last - first + width - 1) / width;
    std::size_t const count = (rows + together - 1) / together * cuts;
    auto const part = [&](std::size_t k) {
      std::size_t const begin = k / cuts * together, from = first + k % cuts * width;
      std::size_t const to = std::min(from + width, last);
      return row_window<Row>{
          begin,
          from,
          to,
          {window_.data() + k % 2 * half_, std::min(together, rows - begin), to - from, step}};
    };
    bring(part(0), window_.data(), whole);
    backend_.wait();
    for (std::size_t k = 0; k < count; ++k) {
      if (k + 1 < count) bring(part(k + 1), window_.data() + (k + 1) % 2 * half_, whole);
      f(part(k));
      backend_.wait();
    }
  }

  /// See fleet/row_window.hpp. Its windows have whole rows, or a part of one.
  template <class F>
  void each_row(F f) const {
    std::size_t const d = size_.parameters;
    std::vector<Row> row;
    each_window(0, d, [&](auto const &part) {
      for (std::size_t k = 0; k < part.values.rows; ++k) {
        if (part.first == 0) row.clear();
        row.insert(row.end(), part.values[k].begin(), part.values[k].end());
        if (part.last == d) f(part.begin + k, std::span<Row const>(row));
      }
    });
  }

 private:
  using pinned = typename Backend::template pinned<Row>;
  static constexpr std::size_t one = 1;

  /// Two halves of at least one cut of a row, or all rows if they are fewer.
  static std::size_t numbers(fleet_size const &size, std::size_t window) {
    return std::min(size.rows() * size.template stride<Row>(),
                    std::max(window / sizeof(Row), 2 * window_columns));
  }

  /// A window of all rows, which are brought down once where there is room for all.
  row_window<Row> window_of_all(std::size_t first, std::size_t last) const {
    if (!window_has_all_) {
      backend_.begin_download(window_.data(), device_, size_.rows() * stride_);
      backend_.wait();
      window_has_all_ = true;
    }
    return {0, first, last, {window_.data() + first, size_.rows(), last - first, stride_}};
  }

  /// Begins to copy a part; rows as they lie where they are whole.
  void bring(row_window<Row> const &part, Row *to, bool whole) const {
    Row const *const from = device_ + part.begin * stride_ + part.first;
    std::size_t const rows = part.values.rows, columns = part.values.columns;
    if (whole) return backend_.begin_download(to, from, (rows - 1) * stride_ + columns);
    for (std::size_t k = 0; k < rows; ++k)
      backend_.begin_download(to + k * part.values.stride, from + k * stride_, columns);
  }

  fleet<Row, host_buffer> const &all() const {
    std::lock_guard const one_at_a_time(copying_);
    if (all_) return *all_;
    require_memory({.rows = size_.template bytes<Row>()}, available_memory());
    all_.emplace(size_, places_);
    auto const here = all_->columns(changed_slots(1), 0, size_.parameters);
    if (size_.rows() > 0)
      backend_.download(here.nodes(0, 0, size_.parameters).data, device_, size_.rows() * stride_);
    return *all_;
  }

  Backend backend_;
  Row const *device_;  // (rows, d) with a stride, in device memory
  fleet_size size_;
  std::size_t stride_;
  std::vector<std::uint32_t> places_;
  std::size_t room_, half_;  // numbers of the window
  mutable pinned window_;    // from the first look on
  mutable bool window_has_all_ = false;
  mutable std::mutex copying_;
  mutable std::optional<fleet<Row, host_buffer>> all_;
};

/// The parameters of a device's servers as the host sees them, as if they were nodes.
template <class Row, class Backend>
class device_rows_of_servers {
 public:
  /// Current values. there: the first server's row of slot 0; all: the size of the fleet.
  device_rows<Row, Backend> const &now(Backend const &backend, Row const *there,
                                       fleet_size const &all) {
    if (!rows_)
      rows_.emplace(backend, there, size_of_servers(all), std::span<std::uint32_t const>{});
    rows_->renew();
    return *rows_;
  }

 private:
  std::optional<device_rows<Row, Backend>> rows_;
};

}  // namespace gossip
