// Whether what owners learn reaches the models of others, by the operations of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/used_slots.hpp>
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

  void take(operation const &o, plan_window const &window);

  static bool mixes(mixing_matrix const &w);

  /// A sum to one owner.
  void write_sum(operation const &o, row_uses const &uses, plan_window const &window);

  /// The rows that an operation writes of a node or server, with those that it uses of another.
  void write_rows(node own, node other, used_slots const &of_own, used_slots const &of_other);

  /// Rows of a message or an edge, of its sender or of other messages.
  void write_payload(operation const &o, row_uses const &uses);

  /// The owner whose rows are in a payload.
  node origin(node payload) const {
    std::size_t const place = payload - owners_;
    return place < origins_.size() ? origins_[place] : nobody;
  }

  /// Slots of an owner, as bits, have something of other owners from now on, or nothing.
  void set(node owner, std::uint32_t slots, bool others) {
    of_others_[owner] =
        static_cast<std::uint16_t>(others ? of_others_[owner] | slots : of_others_[owner] & ~slots);
    reached_ = reached_ || (others && (slots & 1) != 0 && owner >= first_watched_);
  }
  void fill_all(std::uint32_t slots) {
    for (node i = 0; i < nodes_; ++i) set(i, slots, true);
  }

  std::size_t nodes_, first_watched_, owners_;
  std::vector<std::uint16_t> of_others_;  // (n + servers) slots that have something of others
  std::vector<node> origins_;             // (payloads)
  bool reached_ = false;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/influence.ipp>
#endif
