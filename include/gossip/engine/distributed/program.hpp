// Row operations of one rank as one program over columns: those before a mixture, the mixture,
// those after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/node.hpp>
#include <gossip/engine/distributed/batch.hpp>
#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/engine/distributed/mixing.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/engine/host/column_tiles.hpp>
#include <gossip/engine/host/row_program.hpp>
#include <gossip/engine/host/stage_program.hpp>
#include <gossip/engine/used_rows.hpp>
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
  rank_program(Inputs const &inputs, rank_layout const &layout, Ranks const &ranks, Local &local,
               halo_staging const &staging)
      : machine_(inputs.machine),
        rows_(inputs.rows),
        local_(local),
        layout_(layout),
        columns_(inputs.columns),
        mixing_(inputs.machine, inputs.rows, layout, ranks, functions_, staging),
        before_(inputs.machine, inputs.rows.size(), inputs.arithmetic, inputs.columns, functions_),
        after_(inputs.machine, inputs.rows.size(), inputs.arithmetic, inputs.columns, functions_),
        stages_(inputs.rows, inputs.columns.trainable, inputs.model.outline().tensors, functions_) {
  }

  mixing_type &mixing() { return mixing_; }
  mixing_type const &mixing() const { return mixing_; }

  /// Takes the functions that a window is the first to name.
  void take_functions(plan_window const &window) { functions_.take(window.functions); }

  /// Before a window.
  void begin(plan_window const &window) {
    take_functions(window);
    stages_.begin(window);
    mixing_.begin(window);
  }

  /// The tasks of a batch, in an order that they may have; of mixtures at most one.
  /// borrowed(transfer): the number of the row that a transfer has come to.
  template <class Borrowed>
  void run(plan_window const &window, task_graph const &dag, std::span<std::uint32_t const> batch,
           Borrowed borrowed) {
    batch_.sort(dag, layout_, batch, borrowed);
    if (batch_.mix)
      run_mixture(*batch_.mix, window, borrowed);
    else
      run_operations(batch_.before, window);
    stages_.run(machine_, batch_.last, window, local_.writes());
  }

 private:
  void run_operations(std::span<operation const> operations, plan_window const &window) {
    if (operations.empty()) return;
    each_program_part(
        rows_, columns_.all, operations, {},
        [&](std::span<operation const> some) { return prepare(before_, some, window); },
        [&](auto const &rows, std::size_t begin, std::size_t end) {
          each_tile(machine_, begin, end, [&](std::size_t, std::size_t first, std::size_t last) {
            before_.run(rows, first, last, nullptr, nullptr);
          });
        });
  }

  /// A mixture with the operations before and after it, or between these where rows are leased by
  /// owner.
  template <class Borrowed>
  void run_mixture(rank_task const &mix, plan_window const &window, Borrowed borrowed) {
    bool const apart = rows_.prefers_owners();
    if (apart) run_operations(batch_.before, window);
    operation const &o = mix.what;
    used_slots used = changed_slots(std::uint32_t{1} << o.slot());
    used |= prepare(before_, apart ? none : std::span(batch_.before), window);
    auto const &mixture = mixing_.of(*window.matrices[o.mix().matrix]);
    mixing_.count_writes(mixture, local_.writes());
    used |= prepare(after_, apart ? none : std::span(batch_.after), window);
    halo_.clear();
    for (std::uint32_t k = 0; k < mix.arrival_count; ++k) {
      node const one = borrowed(mix.arrivals + k);
      halo_.push_back(
          rows_.whole(used_slots{std::uint32_t{1} << o.slot()}, one).row(o.slot(), one));
    }
    auto const run = [](row_program<T, Row> const &program) {
      return [&program](auto const &rows, std::size_t first, std::size_t last) {
        program.run(rows, first, last, nullptr, nullptr);
      };
    };
    mixing_.run(mixture,
                {o.slot(), o.first_column(), end_of_columns(o, columns_), o.mix().function, used},
                halo_, run(before_), run(after_));
    if (apart) run_operations(batch_.after, window);
  }

  /// Returns the slots that the operations use.
  used_slots prepare(row_program<T, Row> &program, std::span<operation const> operations,
                     plan_window const &window) {
    program.prepare(operations, window, no_matrices_, local_.scaling(), local_.writes(),
                    stages_.scalars());
    return program.used();
  }

  static constexpr std::span<operation const> none{};

  host_machine<T> machine_;
  Fleet const &rows_;
  Local &local_;
  rank_layout const &layout_;
  column_counts columns_;
  function_tables<T> functions_;
  mixing_type mixing_;
  row_program<T, Row> before_, after_;
  stage_program<T, Fleet> stages_;
  mixing_cache<T> no_matrices_;
  rank_batch batch_;
  std::vector<Row const *> halo_;  // borrowed rows, which stay where they are
};

}  // namespace gossip
