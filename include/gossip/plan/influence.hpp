// Whether what owners learn reaches the models of others, by the operations of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Follows rows from owner to owner, one window of a plan after another, until the model of a
/// server, or where there is none of a node, has something of another owner. Scalars are not
/// followed.
class planned_influence {
 public:
  planned_influence(std::size_t nodes, std::size_t servers)
      : nodes_(nodes),
        first_watched_(servers > 0 ? nodes : 0),
        owners_(nodes + servers),
        of_others_(owners_, 0) {}

  void count(plan_window const &window) {
    for (operation const &o : window.stream) {
      if (reached_) return;
      take(o, window);
    }
  }

  bool reached() const { return reached_; }

 private:
  static constexpr node nobody = std::numeric_limits<node>::max(), many = nobody - 1;

  void take(operation const &o, plan_window const &window) {
    switch (o.kind) {
      case operation_kind::observe:
      case operation_kind::reduce_rows:
      case operation_kind::compute:
        return;
      case operation_kind::reduce:
        if (nodes_ > 1) fill_all(0);
        return;
      case operation_kind::mix:
        if (mixes(*window.matrices[o.count])) fill_all(o.slot());
        return;
      case operation_kind::sum:
        return take_sum(o, window);
      case operation_kind::train:
      case operation_kind::step:
      case operation_kind::columns:
      case operation_kind::whole_rows:
        if (o.a >= owners_)
          write_payload(o);
        else
          write_rows(o, false);
        if (o.b < owners_ && o.rows.writes_second()) write_rows(o, true);
        return;
    }
  }

  static bool mixes(mixing_matrix const &w) {
    for (std::size_t i = 0; i < w.rows(); ++i) {
      auto const row = w.row(i);
      for (std::size_t k = 0; k < row.columns.size(); ++k)
        if (row.columns[k] != i && row.values[k] != 0) return true;
    }
    return false;
  }

  void take_sum(operation const &o, plan_window const &window) {
    for (std::size_t slot = 0; slot < row_list::most_slots; ++slot) {
      if ((o.rows.written(false) >> slot & 1) == 0) continue;
      if (o.goes_to_all_nodes()) {
        if (nodes_ > 1) fill_all(slot);
        continue;
      }
      bool others = o.sums_all_nodes();
      for (std::size_t k = 0; k < o.b && !others; ++k)
        others = window.terms[o.count + k].owner != o.a;
      set(o.a, slot, others);
    }
  }

  /// The rows that an operation writes of a node or server, its first owner or its second.
  void write_rows(operation const &o, bool second) {
    node const own = second ? o.b : o.a, other = second ? o.a : o.b;
    bool others = (of_others_[own] & o.rows.read(second)) != 0;
    bool const reads_other = o.rows.names_second() && o.rows.read(!second) != 0 && own != other;
    if (reads_other) others = others || other < owners_ || origin(other) != own;
    for (std::size_t slot = 0; slot < row_list::most_slots; ++slot)
      if ((o.rows.written(second) >> slot & 1) != 0) set(own, slot, others);
  }

  /// Rows of a message or an edge, of its sender or of other messages.
  void write_payload(operation const &o) {
    if (!o.rows.writes_first()) return;
    node from = o.rows.read(false) != 0 ? origin(o.a) : nobody;
    if (o.rows.names_second() && o.b != o.a) {
      node const added = o.b >= owners_                               ? origin(o.b)
                         : (of_others_[o.b] & o.rows.read(true)) != 0 ? many
                                                                      : o.b;
      from = from == nobody || from == added ? added : many;
    }
    std::size_t const place = o.a - owners_;
    if (place >= origins_.size()) origins_.resize(place + 1, nobody);
    origins_[place] = from;
  }

  /// The owner whose rows are in a payload.
  node origin(node payload) const {
    std::size_t const place = payload - owners_;
    return place < origins_.size() ? origins_[place] : nobody;
  }

  void set(node owner, std::size_t slot, bool others) {
    auto const bit = static_cast<std::uint16_t>(1U << slot);
    of_others_[owner] =
        static_cast<std::uint16_t>(others ? of_others_[owner] | bit : of_others_[owner] & ~bit);
    reached_ = reached_ || (others && slot == 0 && owner >= first_watched_);
  }
  void fill_all(std::size_t slot) {
    for (node i = 0; i < nodes_; ++i) set(i, slot, true);
  }

  std::size_t nodes_, first_watched_, owners_;
  std::vector<std::uint16_t> of_others_;  // (n + servers) slots that have something of others
  std::vector<node> origins_;             // (payloads)
  bool reached_ = false;
};

}  // namespace gossip
