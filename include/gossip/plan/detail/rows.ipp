// Sums of rows, of messages and of edges in a plan.
#pragma once

#include <gossip/plan/plan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/inline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

GOSSIP_INLINE void plan::add(node i, row_name to, std::vector<message_term> const &held) {
  require_owner("add", i);
  std::uint8_t const slot = rows_.slot(to);
  for (message_term const &term : held) add_held(i, i, slot, false, term, false, term.row.columns);
}

GOSSIP_INLINE void plan::add(node i, row_name to, std::vector<message_term> const &held,
                             fragment const &only) {
  require_owner("add", i);
  require_within(i, held, only);
  std::uint8_t const slot = rows_.slot(to);
  for (message_term const &term : held) add_held(i, i, slot, false, term, false, only);
}

GOSSIP_INLINE edge_row plan::edge(node i, node j, std::size_t number) const {
  require_form(edge_rows() > 0,
               "gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows "
               "with the number of rows of an edge. See docs/policies/exchange.md");
  require_node("edge", i);
  require_node("edge", j);
  auto const near = network_.all().neighbors(i);
  auto const found = std::ranges::lower_bound(near, j);
  if (found == near.end() || *found != j || number >= edge_rows())
    refuse(i, "has no row " + std::to_string(number) + " of an edge to node " + std::to_string(j));
  auto const place = static_cast<std::size_t>(found - near.begin()) * edge_rows() + number;
  edge_row row;
  row.from = i;
  row.to = j;
  row.payload = boxes_.placed(i, static_cast<std::uint32_t>(place));
  row.entry = outboxes::lasting;
  row.whole = false;
  return row;
}

GOSSIP_INLINE message_header plan::required(node i, message_header m) const {
  boxes_.require(m);
  if (m.entry == outboxes::lasting && m.from != i)
    refuse(i, "reads a row of an edge that node " + std::to_string(m.from) + " keeps");
  if (m.named > 0) {
    std::uint32_t const entry = boxes_.entry_of_part(m.entry, m.named);
    m.payload = boxes_.owner(m.from, entry);
    m.whole = m.whole && boxes_.whole(entry);
  }
  return m;
}

GOSSIP_INLINE fragment plan::columns_of(node i, std::span<message_term const> held) const {
  fragment common = fragment::every();
  for (message_term const &term : held) {
    fragment const &own = term.row.columns;
    if (own.is_every() || own == common) continue;
    if (!common.is_every())
      refuse(i, "sums messages of " + detail::described(common) + " and of " +
                    detail::described(own) + "; expected a fragment that all hold");
    common = own;
  }
  return common;
}

GOSSIP_INLINE void plan::require_within(node i, std::span<message_term const> held,
                                        fragment const &only) const {
  detail::require_fragment(i, only, columns());
  for (message_term const &term : held)
    if (!term.row.columns.is_every() && !term.row.columns.holds(only))
      refuse(i, "reads " + detail::described(only) + " of a message that has " +
                    detail::described(term.row.columns));
}

GOSSIP_INLINE void plan::write_payload(message_header const &m, summed_rows const &terms,
                                       double share, fragment const &only) {
  auto const [own, held] = terms;
  if (own.size() + held.size() == 0) refuse(m.from, "makes a row of an edge of no terms");
  for (message_term const &term : held)
    if (required(m.from, term.row).payload == m.payload) share += term.coefficient;
  bool fresh = share == 0;
  if (!fresh && share != 1) {
    row_list const itself{{0, false, false, true, !m.whole}, {0, false, true, false, !m.whole}};
    write_sum(m.payload, m.payload, itself, 0.0, share, only);
  }
  for (row_term const &term : own) {
    detail::require_finite("assign", m.from, term.coefficient);
    row_list rows{{0, false, false, true, !m.whole}};
    if (!fresh) rows.add({0, false, true, false, !m.whole});
    rows.add({rows_.slot(term.row), true});
    write_sum(m.payload, m.from, rows, fresh ? 0.0 : 1.0, term.coefficient, only);
    fresh = false;
  }
  for (message_term const &term : held)
    if (required(m.from, term.row).payload != m.payload)
      add_held(m.from, m.payload, 0, !m.whole, term, std::exchange(fresh, false), only);
}

GOSSIP_INLINE std::uint16_t plan::sum_of(std::size_t terms) {
  switch (terms) {
    case 1:
      return number_of<op::linear<1>>();
    case 2:
      return number_of<op::linear<2>>();
    case 3:
      return number_of<op::linear<3>>();
    case 4:
      return number_of<op::linear<4>>();
    case 5:
      return number_of<op::linear<5>>();
    case 6:
      return number_of<op::linear<6>>();
    default:
      return number_of<op::linear<7>>();
  }
}

GOSSIP_INLINE void plan::assign_within(node i, row_name to, std::initializer_list<row_term> terms,
                                       fragment const &only) {
  require(i, terms);
  row_list const list = rows_.sum(to, terms);
  std::array<double, most_rows> c{};
  std::ranges::transform(terms, c.begin(), &row_term::coefficient);
  require_own_rows();
  if ((list.written(false) & 1) != 0) times_->write(i);
  writer_.columns(i, i, sum_of(terms.size()), list, std::span<double const>(c).first(terms.size()),
                  only);
}

GOSSIP_INLINE void plan::assign_held(node i, row_name to, std::initializer_list<row_term> own,
                                     std::vector<message_term> const &held, fragment const &only) {
  require_owner("assign", i);
  if (own.size() > 0) assign_within(i, to, own, only);
  std::uint8_t const slot = rows_.slot(to);
  bool first = own.size() == 0;
  for (message_term const &term : held)
    add_held(i, i, slot, false, term, std::exchange(first, false), only);
}

GOSSIP_INLINE void plan::add_held(node reader, node owner, std::uint8_t slot, bool trainable,
                                  message_term const &term, bool first, fragment const &only) {
  detail::require_finite("assign", reader, term.coefficient);
  message_header const m = required(reader, term.row);
  bool const part = trainable || !m.whole;
  row_list rows{{slot, false, false, true, part}};
  if (!first) rows.add({slot, false, true, false, part});
  rows.add({0, true, true, false, part});
  write_sum(owner, m.payload, rows, first ? 0.0 : 1.0, term.coefficient, only);
}

GOSSIP_INLINE void plan::write_sum(node i, node j, row_list const &rows, double first, double last,
                                   fragment const &only) {
  require_own_rows();
  if (i < nodes_.size() && (rows.written(false) & 1) != 0) times_->write(i);
  double const both[] = {first, last};
  bool const one = rows.size() == 2;
  writer_.columns(i, j, sum_of(one ? 1 : 2), rows, std::span(both).subspan(one ? 1 : 0), only);
}

}  // namespace gossip
