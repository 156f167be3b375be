// Row operations of one rank as one program over columns: those before a mixture, the mixture,
// those after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/node.hpp>
#include <gossip/engine/distributed/batch.hpp>
#include <gossip/engine/distributed/mixing.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/engine/host/column_tiles.hpp>
#include <gossip/engine/host/row_program.hpp>
#include <gossip/engine/host/stage_program.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Local: the engine of this rank, with what its nodes' steps depend on.
template <class T, class Ranks, class Local>
class rank_program {
  using Fleet = typename Local::fleet_type;
  using Row = typename Fleet::element;

 public:
  using mixing_type = rank_mixing<T, Ranks, Fleet>;

  /// inputs: those of the engine on this rank. Rows, layout and ranks outlive it.
  template <class Inputs>
  rank_program(Inputs const &inputs, rank_layout const &layout, Ranks const &ranks, Local &local)
      : machine_(inputs.machine),
        rows_(inputs.rows),
        local_(local),
        layout_(layout),
        columns_(inputs.columns),
        mixing_(inputs.machine, inputs.rows, layout, ranks, inputs.functions),
        before_(inputs.machine, inputs.rows.size(), inputs.arithmetic, inputs.columns,
                inputs.functions),
        after_(inputs.machine, inputs.rows.size(), inputs.arithmetic, inputs.columns,
               inputs.functions),
        stages_(inputs.rows, inputs.columns.trainable, inputs.model.outline().tensors,
                inputs.functions) {}

  mixing_type &mixing() { return mixing_; }
  mixing_type const &mixing() const { return mixing_; }

  /// Before a window.
  void begin(plan_window const &window) {
    stages_.begin(window);
    mixing_.begin(window);
  }

  /// The tasks of a batch, in an order that they may have; of mixtures at most one.
  /// borrowed(transfer): the number of the row that a transfer has come to.
  template <class Borrowed>
  void run(plan_window const &window, task_graph const &dag, std::span<std::uint32_t const> batch,
           Borrowed borrowed) {
    batch_.sort(dag, layout_, batch, borrowed);
    run_columns(window, borrowed);
    stages_.run(machine_, batch_.last, window, local_.writes());
  }

 private:
  template <class Borrowed>
  void run_columns(plan_window const &window, Borrowed borrowed) {
    rank_task const *const mix = batch_.mix;
    prepare(before_, batch_.before, window);
    auto const before = [&](std::size_t f, std::size_t l) { run(before_, f, l); };
    if (!mix && batch_.before.empty()) return;
    if (!mix)
      return each_tile(machine_, 0, columns_.all,
                       [&](std::size_t, std::size_t f, std::size_t l) { before(f, l); });
    auto const &mixture = mixing_.of(*window.matrices[mix->what.count]);
    mixing_.count_writes(mixture, local_.writes());
    prepare(after_, batch_.after, window);
    operation const &o = mix->what;
    arrived_.clear();
    for (std::uint32_t k = 0; k < mix->arrival_count; ++k)
      arrived_.push_back(borrowed(mix->arrivals + k));
    used_slots const used{std::uint32_t{1} << o.slot()};
    auto const halo =
        rows_.whole(arrived_ | std::views::transform([&](node i) { return owner_use{i, used}; }));
    halo_.clear();
    for (node const one : arrived_) halo_.push_back(halo.row(o.slot(), one));
    mixing_.run(mixture, {o.slot(), o.first_column(), end_of_columns(o, columns_), o.code}, halo_,
                before, [&](std::size_t f, std::size_t l) { run(after_, f, l); });
  }

  void run(row_program<T, Row> const &program, std::size_t first, std::size_t last) const {
    program.run(rows_.columns(program.used(), first, last), first, last, nullptr, nullptr);
  }

  void prepare(row_program<T, Row> &program, std::span<operation const> operations,
               plan_window const &window) {
    program.prepare(operations, window, no_matrices_, local_.scaling(), local_.writes(),
                    stages_.scalars());
  }

  host_machine<T> machine_;
  Fleet const &rows_;
  Local &local_;
  rank_layout const &layout_;
  column_counts columns_;
  mixing_type mixing_;
  row_program<T, Row> before_, after_;
  stage_program<T, Fleet> stages_;
  mixing_cache<T> no_matrices_;
  rank_batch batch_;
  std::vector<node> arrived_;
  std::vector<Row const *> halo_;
};

}  // namespace gossip
