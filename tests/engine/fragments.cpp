// Operations on a fragment of a row, on all engines: its columns become what they become where all
// do, and the others keep their bits.
#include <gossip/exchange/none.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../exchange/conformance.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

namespace gossip::test {

namespace {

constexpr std::size_t broad = 5003;  // three tiles of an engine on the host

using rows_seen = std::vector<std::vector<double>>;

/// The models of all nodes at the end; the vector outlives the run.
struct look_at_rows {
  rows_seen *seen;
  template <class Context>
  void measure(Context &context, record &) {
    auto const &rows = context.rows();
    seen->assign(rows.size().nodes, {});
    for (node i = 0; i < rows.size().nodes; ++i)
      for (std::size_t c = 0; c < rows.size().parameters; ++c)
        (*seen)[i].push_back(static_cast<double>(rows.parameters(i)[c]));
  }
};

/// The operations that end a run.
enum class last_operations { nothing, all_columns, some };

/// In its last round, operations on rows of a node, of two, of messages and of all nodes; on all
/// columns, on a fragment, or none.
struct trimmed {
  last_operations which;
  fragment only{1001, 3331};

  static constexpr std::size_t rows = 1;

  void on_round(auto &plan, round_number k) const {
    if (k == 0) plan.assign_all(kept, {{1, model_row}});
    plan.train_all();
    plan.step_all();
    if (k < 2 || which == last_operations::nothing) return;
    bool const all = which == last_operations::all_columns;
    auto const n = static_cast<node>(plan.nodes());
    for (node i = 0; i < n; ++i)
      all ? plan.send(i, (i + 1) % n, {{0.3, model_row}, {0.9, kept}})
          : plan.send(i, (i + 1) % n, {{0.3, model_row}, {0.9, kept}}, only);
    plan.deliver();
    all ? plan.average(0, 1, model_row) : plan.average(0, 1, model_row, only);
    all ? plan.combine(2, 1, 0.3, model_row) : plan.combine(2, 1, 0.3, model_row, only);
    mixing_matrix const &w = plan.weights(k), before = next_of(n);
    all ? plan.mix_all(w) : plan.mix_fragments(model_row, {{w, only}});
    all ? plan.mix_all(kept, before) : plan.mix_fragments(kept, {{before, only}});
    all ? plan.average_all(kept) : plan.average_all(kept, only);
    all ? plan.mix_all(w) : plan.mix_fragments(model_row, {{w, only}});
    for (node i = 0; i < n; ++i) {
      if (all)
        plan.apply(op::add_difference{}, i, {model_row, kept, model_row}, {0.7, 0.3});
      else
        plan.apply(op::add_difference{}, i, {model_row, kept, model_row}, {0.7, 0.3}, only);
    }
  }
  static mixing_matrix weights(graph const &g) { return metropolis_hastings{}.weights(g); }
  void on_message(auto &plan, node i, auto const &m) const {
    plan.assign(i, model_row, {{0.6, model_row}}, {{0.4, m}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }

 private:
  static constexpr row_name kept = exchange_row(0);

  /// Halves of a node and of the next.
  static mixing_matrix next_of(node n) {
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    for (node i = 0; i < n; ++i) {
      node const next = (i + 1) % n;
      columns.insert(columns.end(), {std::min(i, next), std::max(i, next)});
      offsets.push_back(columns.size());
    }
    return {offsets, columns, std::vector<double>(columns.size(), 0.5)};
  }
};

template <class Numbers, class Backend>
rows_seen run_trimmed(Numbers kept, Backend backend, execution engine, last_operations which) {
  rows_seen seen;
  simulator network{ring{4},          scattered<broad>{.drift = 0.01},
                    sgd{.rate = 1.0}, some_exchange(trimmed{which}),
                    backend,          kept,
                    with_reference{}};
  network.run({.seed = 5, .stop = rounds{3}, .engine = engine}, look_at_rows{&seen});
  return seen;
}

template <class Numbers, class Backend>
void check_trimmed(Numbers kept, Backend backend, execution engine) {
  auto const nothing = run_trimmed(kept, backend, engine, last_operations::nothing);
  auto const all = run_trimmed(kept, backend, engine, last_operations::all_columns);
  auto const some = run_trimmed(kept, backend, engine, last_operations::some);
  CHECK(some == run_trimmed(kept, serial{}, execution::reference, last_operations::some));
  fragment const only = trimmed{last_operations::some}.only;
  std::size_t wrong = 0, changed = 0;
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t c = 0; c < broad; ++c) {
      bool const inside = c >= only.first && c < only.end();
      wrong += some[i][c] != (inside ? all : nothing)[i][c];
      changed += all[i][c] != nothing[i][c];
    }
  CHECK(wrong == 0);
  CHECK(changed > 3 * broad);
}

}  // namespace

TEMPLATE_TEST_CASE("operations on a fragment keep the bits of all other columns", "[engine]",
                   numbers<float>, (numbers<float, bf16>)) {
  TestType const kept{};
  check_trimmed(kept, serial{}, execution::reference);
  check_trimmed(kept, cpu{.threads = 1}, execution::levelled);
  check_trimmed(kept, cpu{.threads = 3}, execution::levelled);
  check_trimmed(kept, recording_device{}, execution::levelled);
}

}  // namespace gossip::test
