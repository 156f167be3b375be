// The rows of a fleet as parts of a state: one part a slot, by the numbers of their owners.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

namespace detail {

/// to (count, d) = from (count, d), rows at strides in numbers, in pieces that run in parallel.
template <class Loops, class Row>
void copy_rows(Loops const &loops, Row const *from, std::size_t from_stride, Row *to,
               std::size_t to_stride, std::size_t count, std::size_t d) {
  constexpr std::size_t most = std::size_t{1} << 16;  // numbers of a piece
  std::size_t const together = most / std::clamp<std::size_t>(d, 1, most);
  std::size_t const parts = (d + most - 1) / most;
  std::size_t const groups = (count + together - 1) / together;
  loops.for_each(groups * parts, [=](std::size_t, std::size_t k) {
    std::size_t const first = k / parts * together, column = k % parts * most;
    for (std::size_t row = first; row < std::min(count, first + together); ++row)
      std::copy_n(from + row * from_stride + column, std::min(most, d - column),
                  to + row * to_stride + column);
  });
}

}  // namespace detail

/// Rows of a fleet in host memory. Loops: what runs loops over them; outlives this.
template <class Loops>
struct host_row_copies {
  Loops const &loops;

  /// to (rows, d) = rows of a stride.
  template <class Row>
  void out(Row const *rows, std::size_t stride, std::size_t count, std::size_t d, Row *to) const {
    detail::copy_rows(loops, rows, stride, to, d, count, d);
  }
  template <class Row>
  void in(Row *rows, std::size_t stride, std::size_t count, std::size_t d, Row const *from) const {
    detail::copy_rows(loops, from, d, rows, stride, count, d);
  }
};

/// Rows of a fleet in device memory, by way of some host memory, where loops run. Waits for the
/// device.
template <class Backend, class Loops>
struct device_row_copies {
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;
  Backend backend;
  Loops loops;

  template <class Row>
  void out(Row const *rows, std::size_t stride, std::size_t count, std::size_t d, Row *to) const {
    in_parts<Row>(stride, count, d, [&](std::size_t first, std::size_t part, auto &numbers) {
      backend.download(numbers.data(), rows + first * stride, (part - 1) * stride + d);
      detail::copy_rows(loops, numbers.data(), stride, to + first * d, d, part, d);
    });
  }
  template <class Row>
  void in(Row *rows, std::size_t stride, std::size_t count, std::size_t d, Row const *from) const {
    in_parts<Row>(stride, count, d, [&](std::size_t first, std::size_t part, auto &numbers) {
      detail::copy_rows(loops, from + first * d, d, numbers.data(), stride, part, d);
      backend.upload(rows + first * stride, numbers.data(), (part - 1) * stride + d);
    });
  }

 private:
  /// f(first row, rows, room for them) until all have been worked on.
  template <class Row, class F>
  static void in_parts(std::size_t stride, std::size_t count, std::size_t d, F f) {
    std::size_t const most = std::max<std::size_t>(1, most_bytes / (stride * sizeof(Row)));
    std::vector<Row> numbers((std::min(most, count) - 1) * stride + d);
    for (std::size_t first = 0; first < count; first += most)
      f(first, std::min(most, count - first), numbers);
  }
};

/// Slot 0 of nodes, servers and payloads, the other slots of nodes and servers. Copies: brings rows
/// to the host and back.
template <class Fleet, class Copies>
void name_rows(state_visitor const &visit, Fleet const &rows, Copies const &copies) {
  using Row = typename Fleet::element;
  fleet_size const &size = rows.size();
  for (std::size_t s = 0; s < size.slots(); ++s) {
    std::size_t const owners = size.shared ? 1 : s == 0 ? size.owners() : size.nodes + size.servers;
    std::vector<node> const held = size.shared ? std::vector<node>{0} : held_owners(rows, owners);
    // f(row in memory, which of those asked for, how many) for rows that lie side by side.
    auto const each_block = [&, s](std::size_t first, std::size_t count, used_slots const &used,
                                   auto f) {
      each_owners_part(rows, used, std::span(held).subspan(first, count),
                       [&](auto const &here, auto asked, std::size_t done) {
                         for (std::size_t k = 0; k < asked.size();) {
                           Row *const row = here.row(s, asked[k]);
                           std::size_t together = 1;
                           while (k + together < asked.size() && here.row(s, asked[k + together]) ==
                                                                     row + together * here.stride())
                             ++together;
                           f(row, here.stride(), done + k, together);
                           k += together;
                         }
                       });
    };
    std::size_t const d = size.parameters;
    std::uint32_t const slot = std::uint32_t{1} << s;
    visit.rows<Row>(
        "rows/slot " + std::to_string(s), owners, held, d,
        [&](std::size_t first, std::size_t count, Row *to) {
          each_block(first, count, {slot},
                     [&](Row const *row, std::size_t stride, std::size_t k, std::size_t together) {
                       copies.out(row, stride, together, d, to + k * d);
                     });
        },
        [&](std::size_t first, std::size_t count, Row const *from) {
          each_block(first, count, {0, slot},
                     [&](Row *row, std::size_t stride, std::size_t k, std::size_t together) {
                       copies.in(row, stride, together, d, from + k * d);
                     });
        });
  }
}

}  // namespace gossip
