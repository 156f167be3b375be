// gossip-live: every MPI rank is one learner on the wall clock.
#include <iostream>
#include <optional>
#include <string>

#include <gossip/core/files_read.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/transport/facts.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include "live/arguments.hpp"
#include "live/job.hpp"
#include "live/measurements.hpp"
#include "live/output.hpp"
#include "live/start.hpp"

namespace live_sample {

namespace {

static_assert(gossip::live::channel<gossip::mpi_ranks>);

simulate::chosen_optimizer optimizer_of(arguments const &a) {
  switch (place_of("--optimizer", a.optimizer, {"sgd", "adam", "adamw"})) {
    case 0:
      return {
          {gossip::sgd{.rate = a.rate, .momentum = a.momentum, .weight_decay = a.weight_decay}}};
    case 1:
      return {{gossip::adam{.rate = a.rate, .weight_decay = a.weight_decay}}};
    default:
      return {{gossip::adamw{.rate = a.rate, .weight_decay = a.weight_decay}}};
  }
}

job job_of(arguments const &a, std::size_t ranks) {
  gossip::graph network = graph_of(a.topology, ranks);
  if (a.make_bipartite) network = gossip::live::made_bipartite(network);
  job j{method_of(a.method), std::move(network), optimizer_of(a), a.options};
  place_of("--model", a.model, {"lenet5", "mlp", "softmax_regression"});
  try {
    j.check();
  } catch (gossip::input_error const &fault) {
    if (fault.got().find("odd cycle") == std::string::npos) throw;
    throw gossip::input_error(
        std::string(fault.what()) +
        "; --topology even_odd has no odd cycle, --make-bipartite removes edges");
  }
  return j;
}

/// The content of the files that were read, in their order.
gossip::fact_list contents_of(gossip::files_read const &read) {
  gossip::fact_list all;
  for (gossip::file_content const &one : read.files())
    all.emplace_back("content of file " + std::to_string(all.size() + 1), gossip::hex(one.digest));
  return all;
}

gossip::live::report train(gossip::mpi_ranks const &mpi, arguments const &a, job const &j,
                           sets const &data) {
  if (a.model == "lenet5") return run<gossip::lenet5>(mpi, j, data);
  if (a.model == "mlp") return run<gossip::mlp>(mpi, j, data);
  return run<gossip::softmax_regression>(mpi, j, data);
}

int live(gossip::mpi_ranks const &mpi, std::span<char const *const> words) {
  std::optional<arguments> given;
  std::optional<job> todo;
  std::optional<sets> data;
  // What one rank refuses comes first, then what differs, and both before anything is acted upon.
  if (!prepared(mpi, "gossip-live", [&] { given = parse(words); })) return 2;
  if (!prepared(mpi, "gossip-live", [&] { mpi.require_same(facts_of(*given)); })) return 2;
  gossip::files_read const read;
  bool const ready = prepared(mpi, "gossip-live", [&] {
    if (given->help) return;
    todo = job_of(*given, mpi.size());
    if (mpi.rank() == 0 && !given->json.empty()) check_writable(given->json);
    if (mpi.rank() == 0 && !given->run.empty()) check_new_folder(given->run);
    data = gossip::digits(digits_folder(given->data));
  });
  if (!ready) return 2;
  if (given->help) {
    if (mpi.rank() == 0) std::cout << help_text;
    return 0;
  }
  if (!prepared(mpi, "gossip-live", [&] { mpi.require_same(contents_of(read)); })) return 2;
  gossip::live::report const report = train(mpi, *given, *todo, *data);
  if (mpi.rank() > 0) return 0;
  print(std::cout, *given, todo->network, report);
  if (!given->json.empty())
    write_file(given->json, summary(*given, todo->network, report).dump(2) + "\n");
  if (!given->run.empty()) write_measurements(given->run, *given, todo->network, report);
  return 0;
}

}  // namespace

}  // namespace live_sample

int main(int count, char **words) {
  return live_sample::start("gossip-live", count, words, live_sample::live);
}
