// Definitions of plan/plan.hpp.
#pragma once

#include <gossip/plan/plan.hpp>

#include <gossip/core/inline.hpp>
#include <gossip/plan/node_times.hpp>

namespace gossip {

GOSSIP_INLINE plan::plan(exchange_calls const &calls, exchange_facts const &facts, graph const &g,
                         prepared_clock const &time, plan_settings settings)
    : calls_(calls),
      facts_(facts),
      in_rounds_(calls.on_round != nullptr),
      has_items_(calls.on_message != nullptr || calls.on_timer != nullptr),
      settings_(std::move(settings)),
      drawn_(facts.data_shares),
      network_(g, *facts_.properties.when_network_changes),
      times_(times_of({time, g.nodes(), facts.servers, settings_.seed, settings_.times}, in_rounds_,
                      false)),
      participants_(time.participation, has_population() ? 0 : g.nodes(), settings_.seed,
                    in_rounds_ && times_->excludes()),
      rows_(settings_.optimizer_rows, facts.rows, facts.declares_rows),
      functions_(settings_.functions, settings_.functions_are_all),
      writer_(g.nodes() + facts.servers +
              (calls.on_message || facts.edge_rows > 0 ? payloads_of(settings_.outboxes) : 0)),
      boxes_(g.nodes() + facts.servers, g.nodes() + facts.servers, settings_.outboxes,
             [&](std::size_t i) {
               if (facts.edge_rows == 0 || i >= g.nodes()) return std::uint32_t{0};
               return checked_index(g.degree(static_cast<node>(i)) * facts.edge_rows,
                                    "plan: rows of a node's edges");
             }),
      nodes_(g.nodes() + facts.servers),
      log_(settings_.answers) {}

GOSSIP_INLINE node plan::server(std::size_t k) const {
  if (k >= servers())
    throw error("exchange: names server " + std::to_string(k) + " of " + std::to_string(servers()) +
                "; expected static constexpr std::size_t servers with their number");
  return static_cast<node>(nodes() + k);
}

GOSSIP_INLINE double plan::samples(node share) const {
  if (share >= data_shares()) [[unlikely]]
    detail::refuse_unknown("samples", share, data_shares(), 0);
  auto const &known = settings_.samples;
  if (share < known.size()) return static_cast<double>(known[share]);
  return static_cast<double>(settings_.epoch.samples) / static_cast<double>(data_shares());
}

GOSSIP_INLINE completion plan::average_beside(node i, node j, completion const &after,
                                              row_name row) {
  require_form(!in_rounds_,
               "gossip::plan: average_beside belongs to events; in rounds in_background lets "
               "messages travel. See docs/policies/exchange.md");
  completion end = after;
  on_pair<op::mean_of_two>(i, j, row, 0.0, true, &end);
  return end;
}

GOSSIP_INLINE void plan::ask(measured what) {
  require_form(calls_.on_answer != nullptr,
               "gossip::plan: ask needs an exchange with on_answer(auto &plan, double answer) "
               "const. See docs/policies/exchange.md");
  if (asked_) throw error("exchange: asks again before it has had its answer");
  asked_ = what;
}

// Apart from step, which is not inlined where it is recursive.
[[gnu::noinline]] GOSSIP_INLINE void plan::step_and_leave(node i, step_rows const &by) {
  if (by.displacement->kept_by != row_name::keeper::exchange || by.displacement == by.gradient)
    refuse(i, "leaves its displacement in a row that a step needs; expected a row of its own");
  assign(i, *by.displacement, {{1, model_row}});
  step(i, {by.gradient, by.counts});
  assign(i, *by.displacement, {{1, *by.displacement}, {-1, model_row}});
}

GOSSIP_INLINE double plan::take_answer() {
  if (open())
    throw error(std::string("exchange: asks for ") + name_of(*asked_) +
                ", which a plan without a run does not know; give it the answers of a run");
  asked_.reset();
  return log_[answered_++];
}

}  // namespace gossip
