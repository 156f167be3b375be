// A run of an assembly by an engine: all that lives as long as the run, in the order of
// construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/error.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/row_home.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/background_planner.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/causes.hpp>
#include <gossip/simulator/observed_engine.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/paused_source.hpp>
#include <gossip/simulator/placement.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/simulator/row_memory.hpp>
#include <gossip/simulator/run_context.hpp>
#include <gossip/simulator/run_loop.hpp>
#include <gossip/simulator/run_plan.hpp>
#include <gossip/simulator/run_state.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/training_run.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip::detail {

/// The plan of a run and what is known of it beforehand; on ranks the same on all of them.
struct prepared_plan {
  plan_settings settings;
  read_clock clock;
  fact_list facts;
  by_round<mixing_matrix> weights;
  fleet_size size;  ///< of the whole network
  attachments attached;

  template <class Assembly>
  prepared_plan(Assembly const &of, run_context<typename Assembly::source_type> const &run,
                std::vector<cadence> cadences)
      : settings(of.plan_of(run.settings, run.network.nodes(), run.epoch)),
        clock(read(of.options.clock_value(), run.network.nodes())),
        size(of.size_of(run.network.nodes())) {
    std::size_t const n = run.network.nodes();
    settings.samples = samples_of_shares(run.source, of.exchanges().shares_for(n));
    settings.cadences = std::move(cadences);
    facts = facts_of(run.settings, settings, n, of.model, of.optimizer, of.exchange, of.options);
    facts.insert(facts.end(), clock.contents.begin(), clock.contents.end());
    if constexpr (Assembly::transport_type::spans_ranks) {
      fact_list rank = of_rank(facts, run.settings, of.options.backend_value());
      if constexpr (!Assembly::on_device)
        rank.emplace_back("device of gradients", of.model.device_name());
      of.options.transport_value().require_same(rank);
    }
    weights = of.weights_for(run.network);
    attached = attach(of.exchange, run.network, clock.clock, settings, weights, size);
    if (run.settings.state)
      settings.answers = run.settings.state->template list<double>("run/answers");
  }
};

/// Assembly: of the policies. Arguments: a tuple of the observers of run().
template <class Assembly, class Engine, class Kernel, class Arguments>
class assembled_run final
    : public run_machine<std::remove_cvref_t<decltype(std::declval<Engine &>().host_rows())>> {
  using T = typename Assembly::T;
  using row_type = typename Assembly::row_type;
  using context_type = observation_context<Engine, T, typename Assembly::model_type>;
  using fleet_type = typename Engine::fleet_type;

 public:
  using rows_type = std::remove_cvref_t<decltype(std::declval<Engine &>().host_rows())>;

  /// The first rows are there, and observers have begun.
  assembled_run(std::shared_ptr<Assembly const> of, run_context<typename Assembly::source_type> run,
                Kernel const &kernel, Arguments arguments)
      : of_(std::move(of)),
        run_(std::move(run)),
        arguments_(std::move(arguments)),
        observers_(observer_list(arguments_, run_.epoch, run_.network.nodes()), arguments_),
        plan_(*of_, run_, observers_.cadences()),
        here_(of_->options.transport_value(), run_.network, plan_.attached,
              of_->exchanges().in_rounds, Assembly::on_device),
        need_(needed()),
        tier_(placed()),
        ranks_a_device_(room()),
        report_(first_report()),
        planner_(of_->exchange, run_.network, plan_.clock.clock, plan_.settings, plan_.weights),
        rows_(fleet()),
        engine_(here_.template inputs<Engine>(
            of_->engine_parts(run_, rows_, kernel, observers_.test_bytes()), plan_.size)),
        context_(engine_, of_->model, plan_.size, run_.settings.seed, of_->exchanges().evaluated),
        causes_(causes_of<Engine>(of_->exchange, run_.network, plan_.clock.clock, plan_.settings,
                                  plan_.weights, plan_.size)),
        seen_(engine_, context_, observers_, causes_, report_.answers, pauses_),
        state_{seen_,
               observers_,
               report_,
               pauses_,
               std::move(plan_.facts),
               plan_.settings.node_iterations},
        windows_([this](plan_window &w, std::uint64_t limit) { return source_(w, limit); }, 0) {
    session const here{of_->options.backend_value()};
    start_from_one<T>(engine_, of_->model.held(), plan_.size.parameters, run_.settings);
    run_.settings.start = {};
    seen_.begin({report_.nodes, report_.parameters, plan_.settings.node_iterations, report_.graph,
                 report_.announced, report_.ranks, report_.remarks});
    begin_run(source_, state_, run_.settings);
  }

  void advance_to(std::uint64_t limit) override {
    session const here{of_->options.backend_value()};
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
    session const here{of_->options.backend_value()};
    return engine_.host_rows();
  }
  named_state state() override {
    if (report_.interrupted)
      throw error("run: expected a run between two windows, got one that was interrupted");
    session const here{of_->options.backend_value()};
    return named_state::of([this](state_visitor const &visit) { state_.name_state(visit); });
  }
  run_report report() override {
    if (over_) return report_;
    session const here{of_->options.backend_value()};
    run_report now = report_;
    complete(now);
    return now;
  }

 private:
  /// Settings of libraries, and threads that stand ready, while one of the functions above is at
  /// work: between them the thread is its caller's.
  using session = typename Assembly::backend_type::session;

  run_extent extent() const {
    return {plan_.size,           here_.part(),        plan_.attached.operations,
            run_.network.edges(), run_.settings.batch, run_.data_bytes};
  }

  /// Ranks have a copy of the state together or not at all. Returns the ranks that share a device.
  std::size_t room() {
    std::size_t const sharing = require_room(of_->options, need_, run_.data_bytes);
    if (run_.settings.copy_of_state && here_.most(need_.copy == 0 ? 1 : 0) > 0)
      need_.leave_copy_out();
    return sharing;
  }

  /// The tier of rows that are not in memory.
  std::optional<tier_shape> placed() {
    run_extent run = extent();
    auto tier =
        of_->tier(run_.settings, run, need_, [this](std::size_t own) { return here_.most(own); });
    if (tier) here_.take_in(rows_taken_in<row_type>(run.size, run_.settings.memory));
    return tier;
  }

  fleet_type fleet() {
    fleet_size const size = here_.here(plan_.size);
    if constexpr (!Assembly::on_device)
      if (tier_) {
        auto home = make_tier<row_type, host_buffer>(size, here_.places(), *tier_, run_.settings);
        home_ = home.get();
        return fleet_type(size, std::move(home), here_.places());
      }
    return fleet_type(size, here_.places());
  }

  memory_need needed() const {
    memory_need need =
        need_of<T, row_type, Engine>(extent(), of_->model, of_->options.backend_value());
    if (Assembly::on_device) need.data += observers_.test_bytes();
    add_copy(need, run_.settings, Assembly::on_device);
    return need;
  }

  /// Frees what was known of the first window. A session refuses a limit that BLAS has no room
  /// under, before the report asks BLAS for its name.
  run_report first_report() {
    session const here{of_->options.backend_value()};
    run_report report =
        report_on(std::move(plan_.attached.known), of_->outline(), of_->model.precision_name(),
                  plan_.size, need_, run_.settings, of_->exchange, of_->options);
    if constexpr (!Assembly::on_device) report.provenance.device = of_->model.device_name();
    plan_.attached = {};
    return report;
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

  std::shared_ptr<Assembly const> of_;
  run_context<typename Assembly::source_type> run_;
  Arguments arguments_;
  run_observers<context_type> observers_;
  prepared_plan plan_;
  placement<typename Assembly::transport_type> here_;
  memory_need need_;
  std::optional<tier_shape> tier_;
  row_home<row_type> const *home_ = nullptr;
  std::size_t ranks_a_device_;
  run_report report_;
  planner<typename Assembly::exchange_type> planner_;
  fleet_type rows_;
  Engine engine_;
  context_type context_;
  run_causes causes_;
  std::vector<std::uint64_t> pauses_;
  observed<Engine, context_type> seen_;
  run_state<observed_engine> state_;
  paused_source source_{
      [this](plan_window &w, std::uint64_t limit) { return planner_.next(w, limit); }};
  bool over_ = false;
  background_planner windows_;  // last: its thread uses the planner
};

}  // namespace gossip::detail
