#include "measured_run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <ostream>
#include <system_error>
#include <utility>

#include <gossip/clock/trace_time.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>

#include "configuration.hpp"
#include "json_reason.hpp"

namespace simulate {

namespace {

constexpr char const *live_run_folder = "a folder that gossip-live --run has written";

bool is_file(std::string const &path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

json compared(double measured, double predicted) {
  json j{{"measured", measured}, {"predicted", predicted}};
  j["deviation"] = measured != 0 ? json(predicted / measured - 1) : json(nullptr);
  return j;
}

}  // namespace

measured_run::measured_run(std::string folder) : folder_(std::move(folder)) {
  for (char const *name : {"computing.csv", "exchanges.csv"})
    if (!is_file(file(name)))
      throw gossip::input_error("--clock-from " + folder_, live_run_folder,
                                std::string("no ") + name);
  nodes_ = gossip::trace_time{.path = file("computing.csv")}.prepare().times->size();
  read_exchanges();
  if (is_file(file("summary.json"))) read_summary();
}

// Of a round, every learner has the time from where it began to where all had arrived, so the
// waiting for those that began later is in all but the least of them. No clock is compared with
// another's. A mean, since a run pays for the slow ones too. One size of messages cannot tell
// latency from bandwidth; all of it goes to the bandwidth.
void measured_run::read_exchanges() {
  gossip::detail::lines lines(file("exchanges.csv"));
  std::string_view line;
  if (!lines.next(line) || line != "node,partner,number,begin_ns,end_ns,bytes")
    lines.fail("a header 'node,partner,number,begin_ns,end_ns,bytes'",
               gossip::detail::lines::quoted(line));
  std::map<std::pair<double, double>, double> least;  // of (asking node or none, number): ns a byte
  std::vector<double> numbers;
  while (lines.next(line)) {
    if (!gossip::detail::read_numbers(line, numbers) || numbers.size() != 6)
      lines.fail("6 numbers between commas", gossip::detail::lines::quoted(line));
    double const node = numbers[0], partner = numbers[1], time = numbers[4] - numbers[3];
    auto const n = static_cast<double>(nodes_);
    if (!(node >= 0 && node < n && partner >= 0 && partner < n))
      lines.fail("nodes below " + std::to_string(nodes_), gossip::detail::lines::quoted(line));
    if (!(time >= 1 && numbers[5] >= 1))
      lines.fail("an exchange that takes time and has bytes", gossip::detail::lines::quoted(line));
    double const of_byte = time / numbers[5];
    auto const at = least.try_emplace({partner == node ? -1.0 : node, numbers[2]}, of_byte).first;
    at->second = std::min(at->second, of_byte);
  }
  if (least.empty()) return;  // one learner
  double sum = 0;
  for (auto const &[which, of_byte] : least) sum += of_byte;
  link_ = {.latency = gossip::virtual_time(0),
           .bandwidth = 1e9 * static_cast<double>(least.size()) / sum};
}

void measured_run::read_summary() {
  std::ifstream in(file("summary.json"));
  try {
    json const j = json::parse(in);
    totals all{j.at("method").get<std::string>() != "ad_psgd",
               j.at("seconds_per_epoch").get<double>(),
               j.at("staleness").at("mean").get<double>(),
               {}};
    double end = 0;  // of the last learner, for whom those that are done wait
    for (json const &one : j.at("learners")) end = std::max(end, one.at("seconds").get<double>());
    for (json const &one : j.at("learners")) {
      double const own = one.at("seconds").get<double>() - one.at("waiting_seconds").get<double>();
      all.learners.push_back({end > 0 ? own / end : 0, one.at("mean_staleness").get<double>()});
    }
    measured_ = std::move(all);
  } catch (json::exception const &fault) {
    throw gossip::input_error(file("summary.json"), "the summary of a live run",
                              "a damaged summary: " + reason(fault));
  }
  if (measured_->learners.size() != nodes_)
    throw gossip::input_error(file("summary.json"), std::to_string(nodes_) + " learners",
                              std::to_string(measured_->learners.size()));
}

std::string measured_run::setting() const {
  quoted_json("--clock-from", folder_);  // a path that no JSON can hold is refused
  json const clock{{"compute", {{"kind", "trace"}, {"path", file("computing.csv")}}},
                   {"link",
                    {{"latency", gossip::exact_duration(link_.latency)},
                     {"bandwidth", gossip::exact_bandwidth(link_.bandwidth)}}}};
  return "/clock=" + clock.dump();
}

void measured_run::require_nodes(std::size_t nodes) const {
  if (nodes != nodes_)
    throw gossip::input_error("--clock-from " + folder_,
                              "a run of " + std::to_string(nodes) + " learners, one per node",
                              std::to_string(nodes_));
}

json measured_run::beside(gossip::plan_report const &plan) const {
  if (!measured_) return nullptr;
  json j;
  // Live learners leave their last gradients where they do not wait for each other.
  double const epoch_seconds = measured_->in_rounds && plan.epochs > 0
                                   ? plan.virtual_seconds / plan.epochs
                                   : plan.epoch_seconds_from_start;
  double computing = 0;
  for (learner const &one : measured_->learners)
    computing += one.computing / static_cast<double>(nodes_);
  j["epoch_seconds"] = compared(measured_->epoch_seconds, epoch_seconds);
  j["staleness"] = compared(measured_->staleness, plan.staleness.mean());
  j["computing"] = compared(computing, plan.use.training);
  j["waiting"] = compared(1 - computing, 1 - plan.use.training);
  for (std::size_t i = 0; i < nodes_; ++i) {
    learner const &one = measured_->learners[i];
    j["nodes"].push_back({{"computing", compared(one.computing, plan.use.training_of[i])},
                          {"staleness", compared(one.staleness, plan.node_staleness[i])}});
  }
  return j;
}

void print_beside(std::ostream &out, json const &held) {
  if (held.is_null()) return;
  auto const flags = out.flags();
  auto const precision = out.precision(4);
  auto const row = [&](std::string const &name, json const &one) {
    out << std::left << std::setw(24) << name << std::right << std::setw(10)
        << one["measured"].get<double>() << std::setw(11) << one["predicted"].get<double>();
    if (one["deviation"].is_number()) {
      double const percent = 100 * one["deviation"].get<double>();
      out << std::setw(10) << std::showpos << std::fixed << std::setprecision(1) << percent << " %"
          << std::noshowpos << std::defaultfloat << std::setprecision(4);
    }
    out << '\n';
  };
  out << std::left << std::setw(24) << "the live run" << std::right << std::setw(10) << "measured"
      << std::setw(11) << "predicted" << std::setw(12) << "deviation" << '\n';
  row("seconds of an epoch", held["epoch_seconds"]);
  row("staleness", held["staleness"]);
  row("share computing", held["computing"]);
  row("share waiting", held["waiting"]);
  for (std::size_t i = 0; i < held["nodes"].size(); ++i) {
    row("  computing of node " + std::to_string(i), held["nodes"][i]["computing"]);
    row("  staleness of node " + std::to_string(i), held["nodes"][i]["staleness"]);
  }
  out.precision(precision);
  out.flags(flags);
}

}  // namespace simulate
