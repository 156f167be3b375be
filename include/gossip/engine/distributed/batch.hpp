// Tasks that a rank executes together: the operations before a mixture, the mixture, those after,
// and last those that make scalars or work on whole rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Keeps its room from batch to batch.
struct rank_batch {
  std::vector<operation> before, after, last;
  rank_task const *mix = nullptr;  ///< null: there is none, and nothing after it

  /// The tasks of a batch, in an order that they may have; of mixtures at most one. A node of
  /// another rank becomes the borrowed row that a transfer has come to, borrowed(transfer); of an
  /// operation that writes it is the second of the two.
  template <class Borrowed>
  void sort(task_graph const &dag, rank_layout const &layout, std::span<std::uint32_t const> batch,
            Borrowed borrowed) {
    mix = nullptr;
    before.clear();
    after.clear();
    last.clear();
    for (std::uint32_t const t : batch) {
      rank_task const &task = dag.tasks[t];
      if (task.kind == task_kind::mix) {
        mix = &task;
        continue;
      }
      auto &list = task.kind == task_kind::last ? last : mix ? after : before;
      operation &o = list.emplace_back(task.what);
      if (task.arrival_count == 0) continue;
      std::uint32_t next = task.arrivals;
      if (o.reduces_others()) {
        node const first = layout.owns(o.a) ? o.a : borrowed(next++);
        o.rename(first, layout.owns(o.b()) ? o.b() : borrowed(next));
        continue;
      }
      bool const second = !layout.owns(o.a);  // each of two ranks writes its own row
      if (second) o.rows = o.rows.exchanged();
      o.rename(second ? o.b() : o.a, borrowed(next));
    }
  }
};

}  // namespace gossip
