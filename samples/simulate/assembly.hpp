// From a complete configuration to the parts of a run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "configuration.hpp"
#include "evaluation.hpp"
#include "job.hpp"

namespace simulate {

/// Absent for files.
std::optional<gossip::graph_size> size_of_graph(configuration const &c);

gossip::graph graph_of(configuration const &c);

/// Number of training samples, of which files are read as by data_of.
gossip::sample_outline training_of(configuration const &c);

/// Training and test samples. Files are read once, see file_data().
data_pair data_of(configuration const &c);

/// The model that the configuration names.
model const &model_of(configuration const &c);

/// Everything but the graph and the data.
job job_of(configuration const &c);

/// Node-iterations of the whole run, in whole rounds of its clients where it has some.
std::uint64_t trainings_of(job const &j, std::size_t nodes, bool learns_from_samples);

/// Gives schedules of 0 epochs their length, a part of the run's, which depends on the nodes.
void scale_schedule(job &j, std::size_t nodes, bool learns_from_samples);

/// Numbers of nodes and samples that are evaluated on the way and at the end.
watcher watcher_of(configuration const &c);

}  // namespace simulate
