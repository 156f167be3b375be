// A run by an engine: all that lives as long as the run, in the order of construction. It depends
// on no policy's type but those that its engine is compiled for, on hosts none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/compiled.hpp>
#include <gossip/core/error.hpp>
#include <gossip/engine/device/inputs.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/background_planner.hpp>
#include <gossip/simulator/causes.hpp>
#include <gossip/simulator/engine_needs.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/observed_engine.hpp>
#include <gossip/simulator/paused_source.hpp>
#include <gossip/simulator/placement.hpp>
#include <gossip/simulator/provenance.hpp>
#include <gossip/simulator/resources.hpp>
#include <gossip/simulator/row_memory.hpp>
#include <gossip/simulator/run_loop.hpp>
#include <gossip/simulator/run_state.hpp>
#include <gossip/simulator/run_types.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/sizes.hpp>
#include <gossip/simulator/tier_home.hpp>
#include <gossip/simulator/training_run.hpp>

namespace gossip::detail {

/// A run from its first rows to its report; see training_run for its pieces. Types: run_types.
template <class Engine, class Types>
class engine_run final : public run_machine<typename Types::rows_type> {
  using T = typename Types::number;
  using row_type = typename Types::row_type;
  using fleet_type = typename Types::fleet_type;
  using context_type = typename Types::context_type;
  using machine_type = typename Types::machine;
  static constexpr bool on_device = machine_type::on_device;

 public:
  using rows_type = typename Types::rows_type;

  /// The first rows are there, and observers have begun.
  explicit engine_run(run_parts<Types> parts)
      : parts_(std::move(parts)),
        here_(parts_.transport, run_.network, plan_.attached, outline_.in_rounds, on_device),
        need_(needed()),
        tier_(placed()),
        ranks_a_device_(room()),
        report_(first_report()),
        source_{planned(plan_.settings), {}},
        rows_(fleet()),
        engine_(here_.template inputs<Engine>(engine_parts(), plan_.size)),
        models_(engine_),
        context_(models_, parts_.model, plan_.size, run_.settings.seed, outline_.evaluated),
        causes_(causes()),
        seen_(engine_, context_, observers_, causes_, report_.answers, pauses_),
        state_{seen_,
               observers_,
               report_,
               pauses_,
               std::move(plan_.facts),
               plan_.settings.node_iterations},
        windows_([this](plan_window &w, std::uint64_t limit) { return source_(w, limit); }, 0) {
    session const here{machine()};
    start_from_one<T>(engine_, parts_.model.held(), plan_.size.parameters, run_.settings);
    run_.settings.start = {};
    if (is_root(engine_)) {
      parts_.program.warn();
#ifdef GOSSIP_COMPILED
      warn_of_library();
#endif
    }
    seen_.begin({report_.nodes, report_.parameters, plan_.settings.node_iterations, report_.graph,
                 report_.announced, report_.ranks, report_.remarks});
    begin_run(source_, state_, run_.settings);
  }

  void advance_to(std::uint64_t limit) override {
    session const here{machine()};
    bool const ended = follow(windows_, state_, run_.settings, limit);
    seen_.end_piece();
    if (!ended) return;
    complete(report_);
    over_ = true;
    if (is_root(engine_)) observers_.end(report_);
  }

  bool over() const override { return over_; }
  progress_mark const &reached() const override { return state_.reached; }
  double iterations(epochs e) const override { return iterations_of(e); }
  double iterations(rounds r) const override { return iterations_of(r); }

  rows_type const &rows() override {
    session const here{machine()};
    return engine_.host_rows();
  }
  named_state state() override {
    if (report_.interrupted)
      throw error("run: expected a run between two windows, got one that was interrupted");
    session const here{machine()};
    return named_state::of([this](state_visitor const &visit) { state_.name_state(visit); });
  }
  run_report report() override {
    if (over_) return report_;
    session const here{machine()};
    run_report now = report_;
    complete(now);
    return now;
  }

 private:
  /// Settings of libraries, and threads that stand ready, while one of the functions above is at
  /// work: between them the thread is its caller's.
  using session = typename machine_type::session;

  machine_type const &machine() const { return parts_.machine; }

  run_extent extent() const {
    return {plan_.size,           here_.part(),        plan_.attached.operations,
            run_.network.edges(), run_.settings.batch, run_.data_bytes};
  }

  memory_need need_for(run_extent const &run) const {
    return need_of_engine<T, row_type, Engine>(run, parts_.model, machine());
  }
  memory_need needed() const {
    memory_need need = need_for(extent());
    if (on_device) need.data += observers_.test_bytes();
    add_copy(need, run_.settings, on_device);
    return need;
  }

  /// Ranks have a copy of the state together or not at all. Returns the ranks that share a device.
  std::size_t room() {
    std::size_t const sharing =
        require_room(run_resources(machine(), parts_.transport), need_, run_.data_bytes);
    if (run_.settings.copy_of_state && here_.most(need_.copy == 0 ? 1 : 0) > 0)
      need_.leave_copy_out();
    return sharing;
  }

  /// The tier of rows that are not in memory.
  std::optional<tier_shape> placed() {
    run_extent run = extent();
    auto tier = tier_under_limit<row_type>(
        machine(), outline_.in_rounds, run_.settings, run, need_,
        [this](run_extent const &other) { return need_for(other); },
        [this](std::size_t own) { return here_.most(own); });
    if (tier) here_.take_in(rows_taken_in<row_type>(run.size, run_.settings.memory));
    return tier;
  }

  fleet_type fleet() {
    fleet_size const size = here_.here(plan_.size);
    if constexpr (!on_device)
      if (tier_) {
        auto home = make_tier<row_type, host_buffer>(size, here_.places(), *tier_, run_.settings);
        home_ = home.get();
        return fleet_type(size, std::move(home), here_.places());
      }
    return fleet_type(size, here_.places());
  }

  /// The parts of an engine for this process.
  auto engine_parts() const {
    run_settings const &settings = run_.settings;
    model_outline const &outline = parts_.model.outline();
    engine_numbers const sizes{settings.seed, settings.batch, columns_of_rows(settings, outline),
                               reestimation_batches(settings, outline), observers_.test_bytes()};
    if constexpr (on_device)
      return engine_inputs<typename Engine::types>{sizes, machine(),          parts_.model.held(),
                                                   rows_, *parts_.arithmetic, run_.source};
    else
      return host_inputs<T, row_type>{sizes, machine(),         parts_.model.held(),
                                      rows_, parts_.arithmetic, run_.source};
  }

  /// Frees what was known of the first window. A session refuses a limit that BLAS has no room
  /// under, before the report asks BLAS for its name.
  run_report first_report() {
    session const here{machine()};
    run_report report;
    report.parameters = parts_.model.outline().parameters;
    report.nodes = plan_.size.nodes;
    report.announced = need_;
    report.graph = std::move(plan_.attached.known.graph);
    report.remarks = std::move(plan_.attached.known.remarks);
    report.ranks = parts_.transport.size();
    report.threads = machine().workers();
    report.state_bytes_per_node = state_bytes(plan_.size, sizeof(row_type));
    report.provenance =
        provenance_of(run_.settings, parts_.exchange.in_words(),
                      numbers_in_words<T, row_type>(parts_.model.precision_name()), machine());
    report.provenance.compiler = parts_.program.compiler;
    report.provenance.flags = parts_.program.flags;
    if constexpr (!on_device) report.provenance.device = parts_.model.device_name();
    plan_.attached = {};
    return report;
  }

  /// The windows of the plan from its beginning.
  window_source planned(plan_settings const &settings) const {
    return parts_.exchange.plan(run_.network, plan_.clock.clock, settings, plan_.weights);
  }

  run_causes causes() const {
    using types = typename Engine::types;
    return {plan_.size, static_cast<double>(std::numeric_limits<typename types::number>::max()),
            Engine::order, types::on_device,
            [this](std::vector<double> const &answers, std::vector<std::uint64_t> const &pauses) {
              plan_settings same = plan_.settings;
              same.answers = answers;
              return paused_source{planned(same), pauses};
            }};
  }

  template <class Period>
  double iterations_of(Period p) const {
    return node_iterations(p, run_.epoch, run_.network.nodes());
  }

  /// The numbers of the models as they are now.
  void complete(run_report &report) {
    judge(engine_, causes_, state_.windows + report.interrupted, pauses_, report);
    if (home_) report.tier = home_->report();
    report.peak_resident_bytes = peak_resident_bytes();
    here_.complete(report, engine_, ranks_a_device_);
  }

  run_parts<Types> parts_;
  exchange_outline outline_ = parts_.exchange.outline();
  run_context<typename Types::source_type> &run_ = parts_.run;
  prepared_plan &plan_ = parts_.plan;
  run_observers<context_type> const &observers_ = parts_.observers;
  placement<typename Types::transport_type> here_;
  memory_need need_;
  std::optional<tier_shape> tier_;
  row_home<row_type> const *home_ = nullptr;
  std::size_t ranks_a_device_;
  run_report report_;
  paused_source source_;
  fleet_type rows_;
  Engine engine_;
  models_of_engine<Engine, T, rows_type, typename Types::loops_type> models_;
  context_type context_;
  run_causes causes_;
  std::vector<std::uint64_t> pauses_;
  observed<Engine, context_type> seen_;
  run_state<observed_engine> state_;
  bool over_ = false;
  background_planner windows_;  // last: its thread uses the source
};

}  // namespace gossip::detail
