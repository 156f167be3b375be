#include "preparation.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gossip/backend/cpu/blas.hpp>
#include <gossip/data/flipped_labels.hpp>

#include "build_facts.hpp"
#include "earlier_files.hpp"
#include "sweep_fields.hpp"

#if defined(GOSSIP_SIMULATE_GRAPHML)
#include <gossip/graph/graphml.hpp>
#endif

namespace simulate {

namespace {

template <class World>
gossip::graph graph_for(std::optional<World> const &world, configuration const &config) {
  if constexpr (World::spans_ranks)
    if (world) return world->from_root([&] { return graph_of(config); });
  return graph_of(config);
}

/// Throws input_error where servers are looked at in the place of nodes.
void require_models_of_nodes(char const *what, char const *otherwise, job const &j) {
  if (j.exchange.outline().evaluated == gossip::evaluated_models::servers)
    throw gossip::input_error(what,
                              "an exchange whose nodes are evaluated" + std::string(otherwise),
                              "an exchange whose servers are evaluated");
}

/// Throws input_error where no node has an accuracy of its own.
void require_scores_of_nodes(model const &m, job const &j) {
  if (!m.learns_from_samples)
    throw gossip::input_error("each_node", "a model that learns from samples, or false",
                              std::string(m.name));
  require_models_of_nodes("each_node", ", or false", j);
}

/// Nodes, or clients of a population, that have samples.
std::size_t shares_of(job const &j) {
  return j.exchange.outline().shares_for(j.topology.network->nodes());
}

/// The data of a job whose last nodes have flipped labels; the job keeps its split as it is made
/// here. Throws as flipped_labels does.
data_pair with_flipped_labels(job &j, data_pair const &data) {
  std::size_t const nodes = shares_of(j);
  auto const shares = std::make_shared<gossip::partition const>(
      j.split.assign(data.first, nodes, gossip::detail::seed_of_split(j.settings)));
  j.split.made = shares;
  std::vector<gossip::node> attackers(j.flipped_nodes);
  std::iota(attackers.begin(), attackers.end(), static_cast<gossip::node>(nodes - j.flipped_nodes));
  return {gossip::flipped_labels(data.first, *shares, attackers), data.second};
}

/// The files of the network that are asked for.
void add_network(run_folder &folder, configuration const &config, arguments const &given,
                 job const &j) {
  if (config["/evaluate/each_node"].get<bool>()) folder.keep_nodes(*j.topology.network);
  export_graph(given, folder.path(), j);
}

}  // namespace

prepared_run prepared(configuration const &config, arguments const &given,
                      std::optional<ranks> const &world, std::size_t threads) {
  prepared_run run{&model_of(config), job_of(config)};
  model const &m = *run.of;
  job &j = run.work;
  j.world = world;
  j.settings.ranks = given.ranks;
  j.settings.traced = given.traced;
  j.settings.memory = given.memory;
  j.device_memory = given.device_memory;
  if (!given.scratch.empty()) j.settings.scratch = given.scratch;
  if (j.threads == 0) j.threads = threads;
  if (config["/evaluate/each_node"].get<bool>()) require_scores_of_nodes(m, j);
  if (given.export_nodes) require_models_of_nodes("--export nodes", "", j);
  if (auto need = memory_of(config, m, j)) {
    if (given.dry_run) need->rows = need->working = need->data = 0;
    std::size_t const sharing = world ? world->local_size() : 1;
    gossip::require_memory(*need, gossip::available_memory() / sharing);
  }
  j.topology.network = std::make_shared<gossip::graph const>(graph_for(world, config));
  if (std::size_t const n = shares_of(j); j.flipped_nodes > n)
    throw gossip::input_error("flipped_nodes", "at most the " + std::to_string(n) + " nodes",
                              std::to_string(j.flipped_nodes));
  scale_schedule(j, j.topology.network->nodes(), m.learns_from_samples);
  return run;
}

std::optional<gossip::memory_need> memory_of(configuration const &config, model const &m,
                                             job const &j) {
  auto const size = size_of_graph(config);
  if (!size) return std::nullopt;
  return m.memory(j, size->nodes, static_cast<std::size_t>(std::min(size->edges, 1e15)));
}

void begin_folder(run_folder &folder, configuration const &config, json const &identity,
                  arguments const &given, job const &j) {
  folder.begin(config.complete(), identity, files_of_sweep(folder.path()));
  add_network(folder, config, given, j);
}

void go_on_in(run_folder &folder, configuration const &config, json identity, json const &machines,
              arguments const &given, job const &j) {
  json changed = read_json(folder.path() + "/config.json");
  json const &stop = config.complete().at("stop");
  if (changed["stop"] == stop)
    changed = nullptr;
  else
    changed["stop"] = stop;
  folder.go_on(j.settings.state != nullptr, changed);
  if (!machines.empty()) {
    identity["earlier_machines"] = machines;
    write_whole(folder.path() + "/identity.json", identity.dump(2) + "\n");
  }
  add_network(folder, config, given, j);
}

void export_graph(arguments const &given, std::string const &path, job const &j) {
  if (!given.export_graph) return;
#if defined(GOSSIP_SIMULATE_GRAPHML)
  gossip::write_graphml(*j.topology.network, path + "/graph.graphml");
#else
  throw gossip::input_error("--export graph", "a gossip-simulate built with Boost.Graph", "none");
#endif
}

std::optional<gossip::model_files> exported(arguments const &given, std::string const &path) {
  if (!given.export_mean && !given.export_nodes) return std::nullopt;
  return gossip::model_files{
      .folder = path, .mean = given.export_mean, .nodes = given.export_nodes};
}

gossip::run_report trained(model const &m, job j, data_pair const *data, watcher &watch,
                           run_folder *folder) {
  std::optional<data_pair> attacked;
  if (data && j.flipped_nodes > 0) attacked = with_flipped_labels(j, *data);
  try {
    gossip::run_report report = m.run(j, attacked ? &*attacked : data, watch);
    report.provenance.flags = build_flags;
    report.provenance.commit = build_commit;
    return report;
  } catch (std::exception const &fault) {
    if (folder) folder->fail(fault);
    throw;
  }
}

std::string refusal_of(configuration const &config, model const &m, job const &j,
                       gossip::plan_report const &report) {
  if (!m.learns_from_samples || j.training.samples >= report.nodes) return "";
  return config["/data"].at("kind").get<std::string>() + " has " +
         std::to_string(j.training.samples) + " samples for " + std::to_string(report.nodes) +
         " nodes";
}

void advise_on_kernels() {
#if defined(__x86_64__)
  std::string const kernel = gossip::blas::kernel_name();
  bool generic = false;
  for (char const *old :
       {"Prescott", "Core2", "Penryn", "Dunnington", "Atom", "Nano", "Nehalem", "Sandybridge",
        "Generic", "Athlon", "Opteron", "Opteron_SSE3", "Barcelona", "Bobcat"})
    generic = generic || kernel == old;
  char const *better = nullptr;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) better = "Haswell";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    better = "SkylakeX";
  if (generic && better)
    std::fprintf(stderr,
                 "OpenBLAS takes this processor for '%s' and is slow; set OPENBLAS_CORETYPE=%s in "
                 "the environment to correct this\n",
                 kernel.c_str(), better);
#endif
}

}  // namespace simulate
