// A run from its configuration to where it can begin: checked against the memory of the machine,
// its graph built.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <gossip/observer/model_files.hpp>
#include <gossip/simulator/plan_report.hpp>

#include "arguments.hpp"
#include "assembly.hpp"
#include "configuration.hpp"
#include "job.hpp"
#include "ranks.hpp"
#include "run_folder.hpp"

namespace simulate {

/// A run that can begin.
struct prepared_run {
  model const *of;
  job work;
};

/// Reads or builds the graph, on ranks the root's. `threads`: where the configuration leaves them
/// open, 0: gossip::usual_threads(). Throws input_error where parts do not fit each other,
/// gossip::error where the memory does not suffice.
prepared_run prepared(configuration const &config, arguments const &given,
                      std::optional<ranks> const &world, std::size_t threads);

/// The bytes that a run needs, as far as they are known before its graph is there.
std::optional<gossip::memory_need> memory_of(configuration const &config, model const &m,
                                             job const &j);

/// Makes the files of a run that is about to train, with its network where the configuration asks
/// for each node. Throws as run_folder does.
void begin_folder(run_folder &folder, configuration const &config, json const &identity,
                  arguments const &given, job const &j);

/// The same in the folder of a run that goes on, from the state of the job or from its beginning.
/// machines: on which it was before, where these are not this one.
void go_on_in(run_folder &folder, configuration const &config, json identity, json const &machines,
              arguments const &given, job const &j);

/// Writes the network to graph.graphml in the folder of a run, where that is asked for.
void export_graph(arguments const &given, std::string const &path, job const &j);

/// The files of models that are asked for, in the folder of a run.
std::optional<gossip::model_files> exported(arguments const &given, std::string const &path);

/// The report of the run, with the labels of the job's flipped nodes flipped; it names how the
/// driver is built. A run that fails leaves the summary of its failure in the folder, if there is
/// one. Throws input_error where a sample of theirs is another node's too.
gossip::run_report trained(model const &m, job j, data_pair const *data, watcher &watch,
                           run_folder *folder);

/// The sentence by which the run of a plan would be refused, or "".
std::string refusal_of(configuration const &config, model const &m, job const &j,
                       gossip::plan_report const &report);

/// Says so where OpenBLAS takes this processor for an old one, as it does with those that it does
/// not know, and is several times slower.
void advise_on_kernels();

/// f() by the one that writes; what it throws is thrown on all ranks.
template <class World, class F>
void on_root(std::optional<World> const &world, F f) {
  if constexpr (World::spans_ranks)
    if (world) return world->on_root(f);
  f();
}

}  // namespace simulate
