// Runs a plan level by level on a device: cohorts of k nodes as one batch, row operations one a
// column and node, or as one program a column. The serial backend has a device's verbs too, which
// is how this file is tested.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/cpu/threads.hpp>
#include <gossip/engine/cohort_count.hpp>
#include <gossip/engine/device/inputs.hpp>
#include <gossip/engine/device/mixing.hpp>
#include <gossip/engine/device/network_sum.hpp>
#include <gossip/engine/device/state.hpp>
#include <gossip/engine/device/work.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/host/row_program.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Types: engine_types of a device.
template <class Types>
class device_engine {
  using T = typename Types::number;
  using Row = typename Types::storage;
  using Backend = typename Types::backend;
  using work_type = device_work<Types>;
  using mixing_type = device_mixing<T, Row, Backend>;

 public:
  using types = Types;
  using inputs = engine_inputs<Types>;
  static constexpr execution_order order = execution_order::any;
  using fleet_type = typename Types::fleet_type;

  explicit device_engine(engine_inputs<Types> const &p) : work_(p), mixing_(p.rows.size().nodes) {}

  static std::size_t working_bytes(typename work_type::model_type const &model, Backend const &,
                                   std::size_t nodes, std::size_t batch, bool shared) {
    return work_type::working_bytes(model, nodes, batch, shared) + mixing_type::bytes(nodes);
  }

  void set_all(std::span<T const> row) { work_.set_all(row); }

  template <class Observe, class Stop>
  bool run(plan_window const &window, Observe observe, Stop stop) {
    trained_in_window_ = 0;
    work_.take(window.by_level(), window.coefficients);
    work_.begin(window, window.by_level().size());
    matrices_.begin(window);
    std::size_t l = 0;
    for (; l < window.levels() && !stop(); ++l) {
      plan_level const level = window.level(l);
      work_.train(level.cohort);
      cohorts_.add(level.cohort.size());
      trained_in_window_ += level.cohort.size();
      run_row_operations(level.row_operations, window, observe);
      work_.end_stage(level.last);
    }
    work_.settle();
    return l == window.levels();
  }

  progress_mark reached(progress_mark const &before, plan_window const &window) const {
    return window.between(before, trained_in_window_);
  }
  /// A window that was executed before the state that is given to this engine.
  void pass_over(plan_window const &window) { cohorts_.pass_over(window); }
  void name_state(state_visitor const &visit) { name_device_state(visit, work_); }

  loss_record &losses() { return work_.losses(); }
  std::optional<skipped_steps> skipped() const { return work_.scaling().report(); }
  double mean_cohort() const { return cohorts_.mean(); }

  auto extreme(node i, std::uint8_t slot) const { return extreme_on_device(work_, i, slot); }

  /// The parameters of all nodes as the host sees them, as they are now.
  typename work_type::host_rows_type const &host_rows() {
    work_.host_rows().renew();
    return work_.host_rows();
  }
  typename work_type::host_rows_type const &host_rows_of_servers() {
    return work_.host_rows_of_servers();
  }
  /// Loops over them: on all threads of the host.
  host_threads host_loops() const { return {}; }

  std::vector<evaluation> evaluate(std::span<std::uint32_t const> nodes, T const *extra,
                                   dataset const &test, std::span<std::uint32_t const> samples) {
    return work_.evaluate(nodes, extra, test, samples);
  }

 private:
  /// Cuts the row operations where observers look or matrices mix.
  template <class Observe>
  void run_row_operations(std::span<operation const> rest, plan_window const &window,
                          Observe &observe) {
    auto const alone = [](operation const &o) {
      return o.kind() == operation_kind::observe || o.kind() == operation_kind::mix ||
             o.kind() == operation_kind::sum;
    };
    while (!rest.empty()) {
      auto const end = std::find_if(rest.begin(), rest.end(), alone);
      auto const count = static_cast<std::size_t>(end - rest.begin());
      work_.run(rest.first(count));
      if (end != rest.end()) {
        if (end->kind() == operation_kind::observe) {
          work_.settle();
          observe(window.observations[end->observe().observation]);
        } else if (end->kind() == operation_kind::sum) {
          sum_.run(work_, *end, window, [](node) { return true; }, [](auto &) {});
        } else {
          mixing_.run(work_.backend(), work_.functions(),
                      matrices_.of(*window.matrices[end->mix().matrix]), work_.rows(), *end,
                      work_.end_of(*end), work_.mixed_by(*end));
        }
      }
      rest = rest.subspan(std::min(count + 1, rest.size()));
    }
  }

  work_type work_;
  mixing_cache<T> matrices_;
  mixing_type mixing_;
  device_network_sum<T, Row, Backend> sum_;
  cohort_count cohorts_;
  std::size_t trained_in_window_ = 0;
};

}  // namespace gossip
