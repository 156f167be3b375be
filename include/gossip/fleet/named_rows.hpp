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

/// Rows of a fleet in host memory.
struct host_row_copies {
  /// to (rows, d) = rows of a stride.
  template <class Row>
  void out(Row const *rows, std::size_t stride, std::size_t count, std::size_t d, Row *to) const {
    for (std::size_t k = 0; k < count; ++k) std::copy_n(rows + k * stride, d, to + k * d);
  }
  template <class Row>
  void in(Row *rows, std::size_t stride, std::size_t count, std::size_t d, Row const *from) const {
    for (std::size_t k = 0; k < count; ++k) std::copy_n(from + k * d, d, rows + k * stride);
  }
};

/// Rows of a fleet in device memory, by way of some host memory. Waits for the device.
template <class Backend>
struct device_row_copies {
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;
  Backend backend;

  template <class Row>
  void out(Row const *rows, std::size_t stride, std::size_t count, std::size_t d, Row *to) const {
    in_parts<Row>(stride, count, d, [&](std::size_t first, std::size_t part, auto &numbers) {
      backend.download(numbers.data(), rows + first * stride, (part - 1) * stride + d);
      host_row_copies{}.out(numbers.data(), stride, part, d, to + first * d);
    });
  }
  template <class Row>
  void in(Row *rows, std::size_t stride, std::size_t count, std::size_t d, Row const *from) const {
    in_parts<Row>(stride, count, d, [&](std::size_t first, std::size_t part, auto &numbers) {
      host_row_copies{}.in(numbers.data(), stride, part, d, from + first * d);
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
      each_owners_part(
          rows, std::span(held).subspan(first, count), [&](node i) { return owner_use{i, used}; },
          [&](auto const &here, auto asked, std::size_t done) {
            for (std::size_t k = 0; k < asked.size();) {
              Row *const row = here.row(s, asked[k]);
              std::size_t together = 1;
              while (k + together < asked.size() &&
                     here.row(s, asked[k + together]) == row + together * here.stride())
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
