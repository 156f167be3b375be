// Records and reports as JSON, by templates: a file that writes no JSON compiles none.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include <gossip/mixing/graph_report.hpp>
#include <gossip/observer/provenance.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>

namespace gossip {

namespace detail {

template <class Json>
struct json_member {
  char const *name;
  Json value;
};

/// An object with these members. Lists in braces of nlohmann-json say the same, but instantiate a
/// conversion for every length of a name: a fifth of the time to compile this header.
template <class Json>
Json json_object(std::initializer_list<json_member<Json>> members) {
  Json j;
  for (json_member<Json> const &one : members) j[one.name] = one.value;
  return j;
}

/// null where it is none.
template <class Json>
Json json_number(double value) {
  Json number;
  if (std::isfinite(value)) number = value;
  return number;
}

}  // namespace detail

/// One line of metrics.jsonl; what was not measured is absent, what is not a number is null.
template <class Json = nlohmann::ordered_json>
Json to_json(record const &r) {
  Json j;
  j["round"] = r.mark.round;
  j["node_iterations"] = r.mark.node_iterations;
  j["epoch"] = r.mark.epoch;
  j["virtual_seconds"] = static_cast<double>(r.mark.time.count()) * 1e-9;
  j["wall_seconds"] = r.wall_seconds;
  j["bytes_sent"] = r.mark.bytes_sent;
  j["loss"] = detail::json_number<Json>(r.loss);
  if (r.test_loss) j["test_loss"] = *r.test_loss;
  if (r.accuracy)
    j["accuracy"] = detail::json_object<Json>({{"mean", r.accuracy->mean},
                                               {"min", r.accuracy->min},
                                               {"max", r.accuracy->max},
                                               {"std", r.accuracy->std}});
  if (r.averaged_model_accuracy) j["averaged_model_accuracy"] = *r.averaged_model_accuracy;
  if (r.consensus_distance) j["consensus_distance"] = *r.consensus_distance;
  if (r.statistics_distance) j["statistics_distance"] = *r.statistics_distance;
  for (named_number const &one : r.numbers) j[one.name] = detail::json_number<Json>(one.value);
  if (r.evaluated_nodes > 0) {
    j["evaluated_nodes"] = r.evaluated_nodes;
    j["evaluated_samples"] = r.evaluated_samples;
  }
  return j;
}

/// The figures of a graph; a gap that has not converged is smaller than given, and null where the
/// run has no matrix of weights.
template <class Json = nlohmann::ordered_json>
Json to_json(graph_report const &r) {
  Json gap, converged;
  if (r.spectral_gap) {
    gap = *r.spectral_gap;
    converged = r.spectral_gap_converged;
  }
  return detail::json_object<Json>(
      {{"nodes", r.nodes},
       {"edges", r.edges},
       {"components", r.components},
       {"largest_component", r.largest_component},
       {"self_loops_dropped", r.self_loops_dropped},
       {"duplicates_dropped", r.duplicates_dropped},
       {"unused_columns", r.unused_columns},
       {"degree", detail::json_object<Json>(
                      {{"min", r.min_degree}, {"mean", r.mean_degree}, {"max", r.max_degree}})},
       {"spectral_gap", gap},
       {"spectral_gap_converged", converged}});
}

namespace detail {

/// A number or a truth value as such, other words as text, without the parser of nlohmann-json,
/// which takes its time to compile.
template <class Json>
Json value_of_word(std::string const &word) {
  if (word == "true" || word == "false") return word == "true";
  char const *const first = word.data(), *const last = first + word.size();
  std::uint64_t whole = 0;
  double number = 0;
  auto const read = [&](auto &value) {
    auto const [end, fault] = std::from_chars(first, last, value);
    return end == last && fault == std::errc();
  };
  if (read(whole)) return whole;
  if (read(number) && std::isfinite(number)) return number;
  return word;
}

}  // namespace detail

/// {"kind": name, ...} as a configuration has it.
template <class Json = nlohmann::ordered_json>
Json to_json(named_policy const &policy) {
  Json j;
  j["kind"] = policy.name;
  for (auto const &[member, value] : policy.members) j[member] = detail::value_of_word<Json>(value);
  return j;
}

namespace detail {

/// Everything that the digest depends on beside the configuration; null for the unknown.
template <class Json>
void add(Json &j, provenance const &of) {
  j["seed"] = of.seed;
  j["topology_seed"] = nullptr;
  j["split_seed"] = nullptr;
  if (of.topology_seed) j["topology_seed"] = *of.topology_seed;
  if (of.split_seed) j["split_seed"] = *of.split_seed;
  j["exchange"] = to_json<Json>(of.exchange);
  using text = std::pair<char const *, std::string const *>;
  for (auto const &[key, value] :
       {text{"backend", &of.backend}, text{"numbers", &of.numbers},
        text{"processor", &of.processor}, text{"device", &of.device},
        text{"compiler", &of.compiler}, text{"flags", &of.flags}, text{"commit", &of.commit},
        text{"blas", &of.blas}, text{"blas_kernels", &of.kernels}, text{"library", &of.library}}) {
    j[key] = nullptr;
    if (!value->empty()) j[key] = *value;
  }
}

}  // namespace detail

/// summary.json.
template <class Json = nlohmann::ordered_json>
Json to_json(run_report const &r) {
  Json j;
  j["gossip"] = version;
  j["digest"] = hex(r.digest);
  detail::add(j, r.provenance);
  j["nodes"] = r.nodes;
  j["parameters"] = r.parameters;
  j["ranks"] = r.ranks;
  j["threads"] = r.threads;
  j["node_iterations"] = r.node_iterations;
  j["wall_seconds"] = r.wall_seconds;
  j["evaluation_seconds"] = r.evaluation_seconds;
  j["planning_seconds"] = r.planning_seconds;
  j["replay_seconds"] = r.replay_seconds;
  j["node_iterations_per_second"] = r.node_iterations_per_second();
  j["virtual_seconds"] = r.virtual_seconds;
  j["bytes_sent"] = r.bytes_sent;
  j["state_bytes_per_node"] = r.state_bytes_per_node;
  j["announced_bytes"] = r.announced.total();
  j["peak_resident_bytes"] = r.peak_resident_bytes;
  j["mean_cohort"] = r.mean_cohort;
  j["ended"] = r.ended();
  j["interrupted"] = r.interrupted;
  if (r.tier)
    j["rows_on_disk"] = detail::json_object<Json>({{"store", r.tier->store},
                                                   {"bytes", r.tier->bytes},
                                                   {"frames", r.tier->frames},
                                                   {"columns", r.tier->columns},
                                                   {"by_owner", r.tier->by_owner},
                                                   {"read_bytes", r.tier->read},
                                                   {"written_bytes", r.tier->written},
                                                   {"waiting_seconds", r.tier->waiting_seconds}});
  if (r.skipped)
    j["skipped_steps"] = detail::json_object<Json>(
        {{"total", r.skipped->steps},
         {"nodes", r.skipped->nodes},
         {"worst_node", r.skipped->worst},
         {"of_worst_node", r.skipped->most},
         {"loss_scale", detail::json_object<Json>({{"min", r.skipped->smallest_scale},
                                                   {"max", r.skipped->largest_scale}})}});
  auto const last = to_json<Json>(r.last);
  for (char const *key : {"loss", "test_loss", "accuracy", "averaged_model_accuracy",
                          "consensus_distance", "statistics_distance"})
    if (last.contains(key)) j[key] = last[key];
  for (named_number const &one : r.last.numbers) j[one.name] = last[one.name];
  if (r.ranks > 1)
    j["traffic"] = detail::json_object<Json>(
        {{"bytes_sent", r.traffic.bytes_sent},
         {"planned_bytes", r.traffic.planned_bytes},
         {"waiting_seconds", r.traffic.waiting_seconds},
         {"most_waiting_seconds", r.traffic.most_waiting_seconds},
         {"planning_seconds", r.traffic.planning_seconds},
         {"most_planning_seconds", r.traffic.most_planning_seconds},
         {"levels", r.traffic.levels},
         {"level_waiting_seconds", r.traffic.level_waiting_seconds()},
         {"most_awaited", detail::json_object<Json>({{"seconds", r.traffic.most_awaited.seconds},
                                                     {"rank", r.traffic.most_awaited.rank},
                                                     {"window", r.traffic.most_awaited.window},
                                                     {"level", r.traffic.most_awaited.level}})},
         {"imbalance", r.traffic.imbalance},
         {"most_uneven", detail::json_object<Json>({{"imbalance", r.traffic.most_uneven.imbalance},
                                                    {"trainings", r.traffic.most_uneven.trainings},
                                                    {"window", r.traffic.most_uneven.window},
                                                    {"level", r.traffic.most_uneven.level}})},
         {"most_nodes", r.traffic.most_nodes},
         {"cut_edges", r.traffic.cut_edges},
         {"rows", name_of(r.traffic.rows)},
         {"copies_down", r.traffic.copies_down},
         {"ranks_a_device", r.traffic.ranks_a_device}});
  for (rank_account const &one : r.traffic.accounts)
    j["traffic"]["accounts"].push_back(
        detail::json_object<Json>({{"machine", one.machine},
                                   {"nodes", one.nodes},
                                   {"bytes_sent", one.bytes_sent},
                                   {"waiting_seconds", one.waiting_seconds},
                                   {"planning_seconds", one.planning_seconds}}));
  j["graph"] = to_json<Json>(r.graph);
  j["remarks"] = r.remarks;
  return j;
}

}  // namespace gossip
