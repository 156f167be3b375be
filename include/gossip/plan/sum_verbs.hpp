// The verbs of a plan for sums of rows: of rows of a node, of messages and of edges.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

/// A part of plan_verbs. Given a fragment, a verb changes its columns, and all others of a row stay
/// as they are. A sum with messages that are fragments changes their columns, which must be the
/// same, unless a fragment is given that all of them hold.
template <class Verbs>
class sum_verbs {
 public:
  /// The trainable columns of a model, which all rows have.
  std::size_t columns() const { return self().settings_.columns; }
  /// The tensors that they belong to; none where the planner is told none.
  row_tensors tensors() const { return row_tensors(self().settings_.tensors); }
  /// Bytes of a number of a row on the wire.
  std::size_t bytes_of_number() const { return self().settings_.row_bytes / columns(); }
  /// The k-th of n nearly equal fragments of them, from 0 on.
  fragment fragment_of(std::size_t k, std::size_t n) const {
    return detail::nth_fragment(k, n, columns());
  }

  /// A row of node i becomes the sum of up to seven rows of its own, in this order, each times its
  /// coefficient. The row itself may be among them.
  void assign(node i, row_name to, std::initializer_list<row_term> terms) {
    require(i, terms);
    row_list const list = self().rows_.sum(to, terms);
    std::array<double, most_rows> c{};
    std::ranges::transform(terms, c.begin(), &row_term::coefficient);
    self().require_own_rows();
    if ((list.written(false) & 1) != 0) self().times_->write(i);
    self().writer_.columns(i, i, sum_of(terms.size()), list,
                           std::span<double const>(c).first(terms.size()));
  }
  void assign(node i, row_name to, std::initializer_list<row_term> terms,
              std::same_as<fragment> auto only) {
    detail::require_fragment(i, only, columns());
    assign_within(i, to, terms, only);
  }

  /// A row of node i becomes the sum of rows of its own and of rows of messages to it, each times
  /// its coefficient, in this order.
  void assign(node i, row_name to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held) {
    assign_held(i, to, own, held, columns_of(i, held));
  }
  void assign(node i, row_name to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held, fragment const &only) {
    require_within(i, held, only);
    assign_held(i, to, own, held, only);
  }

  /// Adds rows of messages to a row of node i, each to the columns that it has.
  void add(node i, row_name to, std::vector<message_term> const &held) {
    self().require_owner("add", i);
    std::uint8_t const slot = self().slot(to);
    for (message_term const &term : held)
      add_held(i, i, slot, false, term, false, term.row.columns);
  }
  void add(node i, row_name to, std::vector<message_term> const &held, fragment const &only) {
    self().require_owner("add", i);
    require_within(i, held, only);
    std::uint8_t const slot = self().slot(to);
    for (message_term const &term : held) add_held(i, i, slot, false, term, false, only);
  }

  /// Row `number` of the edge from node i to its neighbour j, which node i keeps; zeros at first.
  /// It has the parameters' columns, and is read where messages are. A network that changes has the
  /// edges of its rounds' union.
  edge_row edge(node i, node j, std::size_t number = 0) const {
    static_assert(
        Verbs::edge_rows() > 0,
        "gossip::plan: edge needs an exchange with static constexpr std::size_t edge_rows "
        "with the number of rows of an edge. See docs/policies/exchange.md");
    self().require_node("edge", i);
    self().require_node("edge", j);
    auto const near = self().network_.all().neighbors(i);
    auto const found = std::ranges::lower_bound(near, j);
    if (found == near.end() || *found != j || number >= Verbs::edge_rows())
      self().refuse(
          i, "has no row " + std::to_string(number) + " of an edge to node " + std::to_string(j));
    auto const place = static_cast<std::size_t>(found - near.begin()) * Verbs::edge_rows() + number;
    edge_row row;
    row.from = i;
    row.to = j;
    row.payload = boxes_.placed(i, static_cast<std::uint32_t>(place));
    row.entry = outboxes::lasting;
    row.whole = false;
    return row;
  }

  /// A row of an edge becomes the sum of rows of the node that keeps it, and of rows of messages
  /// and edges of that node, itself among them or not, each times its coefficient.
  void assign(edge_row const &to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held = {}) {
    write_payload(to, {{own.begin(), own.size()}, held}, 0, columns_of(to.from, held));
  }
  void assign(edge_row const &to, std::initializer_list<row_term> own,
              std::vector<message_term> const &held, fragment const &only) {
    require_within(to.from, held, only);
    write_payload(to, {{own.begin(), own.size()}, held}, 0, only);
  }
  /// Adds such a sum to it.
  void add(edge_row const &to, std::initializer_list<row_term> own,
           std::vector<message_term> const &held = {}) {
    write_payload(to, {{own.begin(), own.size()}, held}, 1, columns_of(to.from, held));
  }
  void add(edge_row const &to, std::initializer_list<row_term> own,
           std::vector<message_term> const &held, fragment const &only) {
    require_within(to.from, held, only);
    write_payload(to, {{own.begin(), own.size()}, held}, 1, only);
  }

 protected:
  /// Rows of a sum.
  struct sum_terms {
    std::span<row_term const> own;
    std::span<message_term const> held;
  };

  sum_verbs(graph const &g, std::size_t servers, std::span<std::uint32_t const> sizes)
      : boxes_(g.nodes() + servers, g.nodes() + servers, sizes, [&](std::size_t i) {
          if (Verbs::edge_rows() == 0 || i >= g.nodes()) return std::uint32_t{0};
          return checked_index(g.degree(static_cast<node>(i)) * Verbs::edge_rows(),
                               "plan: rows of a node's edges");
        }) {}

  /// A message or an edge with the row that stands for it. Throws error unless node i may read it.
  message_header required(node i, message_header m) const {
    boxes_.require(m);
    if (m.entry == outboxes::lasting && m.from != i)
      self().refuse(i, "reads a row of an edge that node " + std::to_string(m.from) + " keeps");
    if (m.named > 0) {
      std::uint32_t const entry = boxes_.entry_of_part(m.entry, m.named);
      m.payload = boxes_.owner(m.from, entry);
      m.whole = m.whole && boxes_.whole(entry);
    }
    return m;
  }

  /// The columns that a sum with these messages has where none are named.
  fragment columns_of(node i, std::span<message_term const> held) const {
    fragment common = fragment::every();
    for (message_term const &term : held) {
      fragment const &own = term.row.columns;
      if (own.is_every() || own == common) continue;
      if (!common.is_every())
        self().refuse(i, "sums messages of " + detail::described(common) + " and of " +
                             detail::described(own) + "; expected a fragment that all hold");
      common = own;
    }
    return common;
  }
  /// Throws error unless all of these messages have a fragment's columns.
  void require_within(node i, std::span<message_term const> held, fragment const &only) const {
    detail::require_fragment(i, only, columns());
    for (message_term const &term : held)
      if (!term.row.columns.is_every() && !term.row.columns.holds(only))
        self().refuse(i, "reads " + detail::described(only) + " of a message that has " +
                             detail::described(term.row.columns));
  }

  /// share: of what the payload held before, and held may name the payload itself.
  void write_payload(message_header const &m, sum_terms const &terms, double share,
                     fragment const &only) {
    auto const [own, held] = terms;
    if (own.size() + held.size() == 0) self().refuse(m.from, "makes a row of an edge of no terms");
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
      rows.add({self().slot(term.row), true});
      write_sum(m.payload, m.from, rows, fresh ? 0.0 : 1.0, term.coefficient, only);
      fresh = false;
    }
    for (message_term const &term : held)
      if (required(m.from, term.row).payload != m.payload)
        add_held(m.from, m.payload, 0, !m.whole, term, std::exchange(fresh, false), only);
  }

  outboxes boxes_;

 private:
  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }

  /// The number of the sum of so many rows, 1 to 7.
  std::uint16_t sum_of(std::size_t terms) {
    switch (terms) {
      case 1:
        return self().template number_of<op::linear<1>>();
      case 2:
        return self().template number_of<op::linear<2>>();
      case 3:
        return self().template number_of<op::linear<3>>();
      case 4:
        return self().template number_of<op::linear<4>>();
      case 5:
        return self().template number_of<op::linear<5>>();
      case 6:
        return self().template number_of<op::linear<6>>();
      default:
        return self().template number_of<op::linear<7>>();
    }
  }

  void require(node i, std::initializer_list<row_term> terms) const {
    self().require_owner("assign", i);
    for (row_term const &term : terms) detail::require_finite("assign", i, term.coefficient);
  }

  void assign_within(node i, row_name to, std::initializer_list<row_term> terms,
                     fragment const &only) {
    require(i, terms);
    row_list const list = self().rows_.sum(to, terms);
    std::vector<double> c;
    for (row_term const &term : terms) c.push_back(term.coefficient);
    self().require_own_rows();
    if ((list.written(false) & 1) != 0) self().times_->write(i);
    self().writer_.columns(i, i, sum_of(terms.size()), list, std::span<double const>(c), only);
  }

  void assign_held(node i, row_name to, std::initializer_list<row_term> own,
                   std::vector<message_term> const &held, fragment const &only) {
    self().require_owner("assign", i);
    if (own.size() > 0) only.is_every() ? assign(i, to, own) : assign_within(i, to, own, only);
    std::uint8_t const slot = self().slot(to);
    bool first = own.size() == 0;
    for (message_term const &term : held)
      add_held(i, i, slot, false, term, std::exchange(first, false), only);
  }

  /// To a row of an owner, by a reader who has the message. first: the row's own number does not
  /// count.
  void add_held(node reader, node owner, std::uint8_t slot, bool trainable,
                message_term const &term, bool first, fragment const &only) {
    detail::require_finite("assign", reader, term.coefficient);
    message_header const m = required(reader, term.row);
    bool const part = trainable || !m.whole;
    row_list rows{{slot, false, false, true, part}};
    if (!first) rows.add({slot, false, true, false, part});
    rows.add({0, true, true, false, part});
    write_sum(owner, m.payload, rows, first ? 0.0 : 1.0, term.coefficient, only);
  }

  /// A sum of one row or two into a row of owner i, the last of them a row of owner j.
  void write_sum(node i, node j, row_list const &rows, double first, double last,
                 fragment const &only) {
    self().require_own_rows();
    if (i < self().nodes_.size() && (rows.written(false) & 1) != 0) self().times_->write(i);
    double const both[] = {first, last};
    bool const one = rows.size() == 2;
    self().writer_.columns(i, j, sum_of(one ? 1 : 2), rows, std::span(both).subspan(one ? 1 : 0),
                           only);
  }
};

}  // namespace gossip
