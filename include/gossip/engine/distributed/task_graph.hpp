// One rank's part of a window: its tasks, what each waits for, and the rows that cross ranks.
//
// Every rank derives its part from the same stream. An operation on nodes of one rank is a task of
// that rank. One on nodes of two ranks is a task of each that writes a row of its own; the row that
// it lacks comes as a transfer, which the owner sends as a task of its own. Between tasks on a row
// the order is that of the stream: a writer waits for all users of the row before it, a reader or
// sender for its last writer. Everything else is free, so a rank computes while rows travel, and
// the bits are those of the stream executed one operation at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/engine/distributed/halo_pattern.hpp>
#include <gossip/engine/distributed/task.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Keeps its room from window to window.
class task_graph {
  static constexpr std::uint32_t none = rank_task::none;

 public:
  explicit task_graph(rank_layout const &layout, std::uint32_t largest_tag)
      : layout_(&layout),
        largest_tag_(largest_tag),
        place_(layout.places(0)),
        version_(layout.all(), 0),
        last_in_(layout.ranks()),
        sent_(layout.ranks()),
        received_(layout.ranks()) {}

  /// The tasks of a window. pattern(matrix): its halo_pattern, or null where a mixture brings its
  /// rows itself.
  template <class Pattern>
  void build(plan_window const &window, Pattern pattern) {
    clear();
    scalar_writers_.assign(window.scalars, none);
    other_rows_ = std::ranges::any_of(window.stream, [](operation const &o) {
      if (o.kind() == operation_kind::train) return false;
      if (o.kind() == operation_kind::step) return o.step().takes_row();
      return !o.rows.only_models();
    });
    for (operation const &o : window.stream) {
      switch (o.kind()) {
        case operation_kind::train:
        case operation_kind::step:
          if (layout_->owns(o.a)) {
            auto const kind = o.kind() == operation_kind::train ? task_kind::train : task_kind::row;
            use_rows(add({o, kind}), o.a, uses_of(o).first);
          }
          written(o.a, uses_of(o).first);
          break;
        case operation_kind::columns:
        case operation_kind::reduce_rows:
        case operation_kind::whole_rows:
          o.reduces_others() ? reduce_others(o, window) : columns(o, window);
          break;
        case operation_kind::compute:
          if (layout_->owns(o.a)) add_reader(o, window);
          break;
        case operation_kind::mix:
          mix(o, pattern(*window.matrices[o.mix().matrix]));
          break;
        case operation_kind::reduce:
        case operation_kind::observe:
        case operation_kind::sum:
          collective(o);
          break;
      }
    }
  }

  std::vector<rank_task> tasks;
  std::vector<row_transfer> transfers;  ///< in the order in which they are needed

  /// f(task) for all that follow a task or a transfer.
  template <class Entry, class F>
  void each_follower(Entry const &of, F f) const {
    lists_.each(of.followers, f);
  }

 private:
  /// The task that wrote an own row last, and the tasks that have used it since.
  struct row_use {
    std::uint32_t writer = none, readers = none;
  };

  void clear();

  std::uint32_t add(rank_task const &task) {
    tasks.push_back(task);
    return static_cast<std::uint32_t>(tasks.size() - 1);
  }

  void follow(std::uint32_t task, std::uint32_t before) {
    lists_.push(tasks[before].followers, task);
    ++tasks[task].waits;
  }

  void read_place(std::uint32_t task, row_use &use) {
    if (use.writer != none) follow(task, use.writer);
    lists_.push(use.readers, task);
  }

  void write_place(std::uint32_t task, row_use &use);

  /// After everything before, and before everything after.
  void write_all(std::uint32_t task);

  /// The rows that an operation uses of a node.
  void use_rows(std::uint32_t task, node i, used_slots const &slots);
  void use_kind(std::uint32_t task, row_use &use, std::uint32_t reads, std::uint32_t writes) {
    if (writes != 0) return write_place(task, use);
    if (reads != 0) read_place(task, use);
  }

  /// Rows of a node have changed, of those that may cross ranks.
  void written(node i, used_slots const &slots) {
    version_[i] += (other_rows_ ? slots.written : slots.written & 1) != 0;
  }

  /// The task of an operation that may end a stage or read scalars; they are of this rank.
  std::uint32_t add_reader(operation const &o, plan_window const &window);

  void columns(operation const &o, plan_window const &window);

  /// Rows of two nodes for a third: a rank that has neither waits for both, of which the second
  /// comes right behind the first.
  void reduce_others(operation const &o, plan_window const &window);

  /// A task of all ranks at once.
  void collective(operation const &o) {
    write_all(add({o, task_kind::collective}));
    if (o.kind() == operation_kind::sum)
      std::fill(last_in_.begin(), last_in_.end(), row_delivery{});
  }

  void mix(operation const &o, halo_pattern const *halo);

  /// The row reaches rank `to` as it is now. Returns the transfer on that rank. May be the same as
  /// before where the reader only reads, and nothing else has reached that rank since: a rank with
  /// room for one row, or for two where an operation takes two, could not go on if it had to keep
  /// an older one.
  std::uint32_t deliver(node row, std::uint8_t slot, std::size_t to, bool only_read);

  void send(node row, std::uint8_t slot, std::uint32_t to);

  std::uint32_t receive(node row, std::uint8_t slot);

  /// Rows between two ranks have a tag each, since they may overtake each other.
  std::uint32_t next_tag(std::uint32_t &used) const {
    if (used == largest_tag_)
      throw error(
          "ranks: expected at most " + std::to_string(largest_tag_) +
          " rows between two ranks in a window, which is the number of tags of this MPI, got more");
    return used++;
  }

  /// The task needs the transfer, which follows the one that it needed before; returns the task.
  std::uint32_t use(std::uint32_t task, std::uint32_t transfer);

  rank_layout const *layout_;
  std::uint32_t largest_tag_;
  std::vector<std::uint32_t> place_;      // (n)
  std::vector<row_use> models_, others_;  // (own) slot 0, and all other slots together
  std::vector<row_use> counts_;           // (own) of writes: rows that round count them in order
  bool other_rows_ = false;               // whether anything but trainings and steps uses them
  std::vector<std::uint32_t> version_;    // (n)
  std::vector<row_delivery> last_in_;     // (ranks)
  std::vector<std::uint32_t> sent_, received_;  // (ranks)
  std::vector<std::uint32_t> scalar_writers_;   // (scalars) tasks of this rank that make them
  task_lists lists_;
  std::uint32_t last_of_all_ = none;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/distributed/detail/task_graph.ipp>
#endif
