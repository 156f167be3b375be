// Two ranks of one thread against one process of two threads, in turns: LeNet-5 networks in D-PSGD
// and AD-PSGD on a random 8-regular graph and on a ring. Run without mpirun, which it starts
// itself.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <gossip/gossip.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include "figures.hpp"
#include "seconds.hpp"
#include "steady_rate.hpp"

namespace gossip::bench {

/// The results of one process or of the ranks together, written by these and read by the parent.
struct finding {
  double rate = 0, waiting = 0, imbalance = 1, sent = 0, planned = 0, rank_memory = 0;
  std::string digest;

  void write(std::string const &path) const {
    std::ofstream(path) << rate << ' ' << waiting << ' ' << imbalance << ' ' << sent << ' '
                        << planned << ' ' << rank_memory << ' ' << digest << '\n';
  }
  static finding read(std::string const &path) {
    finding f;
    std::ifstream in(path);
    if (!(in >> f.rate >> f.waiting >> f.imbalance >> f.sent >> f.planned >> f.rank_memory >>
          f.digest))
      throw error(path + ": a measurement has written nothing");
    return f;
  }
};

/// The first round is not counted: it touches new pages.
template <class Network>
finding measured(Network network, std::size_t nodes, std::uint64_t count, dataset const &train) {
  interval seen{.warm_up = nodes, .enough = 1e9};
  run_report const report = network.run({.seed = 1, .batch = 64, .stop = rounds{1 + count}},
                                        split(train, iid{}), watch{&seen});
  return {seen.per_second(),
          report.traffic.waiting_seconds / report.wall_seconds,
          report.traffic.imbalance,
          static_cast<double>(report.traffic.bytes_sent),
          static_cast<double>(report.traffic.planned_bytes),
          static_cast<double>(report.announced.total()),
          hex(report.digest)};
}

template <class Topology, class Exchange>
int run_as(std::string const &how, Topology const &topology, Exchange const &exchange,
           std::uint64_t count, std::string const &path) {
  auto const [train, test] = digits("samples/data/digits");
  sgd const momentum{.rate = 0.01, .momentum = 0.9};
  std::size_t const nodes = topology.nodes;
  if (how == "threads") {
    measured(simulator{topology, lenet5{}, momentum, exchange, cpu{.threads = 2}}, nodes, count,
             train)
        .write(path);
    return 0;
  }
  mpi_ranks const ranks;
  finding const found =
      measured(simulator{topology, lenet5{}, momentum, exchange, cpu{.threads = 1}, ranks}, nodes,
               count, train);
  if (ranks.rank() == 0) found.write(path);
  return 0;
}

/// how: threads or ranks; what: exchange.topology.
int child(std::string const &how, std::string const &what, std::size_t nodes, std::uint64_t count,
          std::string const &path) {
  auto const with = [&](auto const &exchange) {
    if (what.ends_with(".ring")) return run_as(how, ring{nodes}, exchange, count, path);
    return run_as(how, random_regular{.nodes = nodes, .degree = 8}, exchange, count, path);
  };
  return what.starts_with("d_psgd") ? with(d_psgd{}) : with(ad_psgd{});
}

finding run(std::string const &how, std::string const &what, arguments const &given) {
  std::string const program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string const path =
      (std::filesystem::temp_directory_path() / ("gossip_ranks_" + std::to_string(::getpid())))
          .string();
  std::string const command = (how == "ranks" ? "mpirun -n 2 '" : "'") + program + "' " + how +
                              ' ' + what + (given.quick ? " 64 2 '" : " 256 4 '") + path + '\'';
  if (std::system(command.c_str()) != 0) throw error("ranks: " + command + " failed");
  finding const found = finding::read(path);
  std::filesystem::remove(path);
  return found;
}

void compare(std::string const &what, double bar, arguments const &given, figures &results) {
  if (!given.wants(what)) return;
  std::vector<double> threads, ranks, ratios;
  finding last;
  for (int turn = 0; turn < (given.quick ? 1 : 3); ++turn) {
    finding const one = run("threads", what, given);
    last = run("ranks", what, given);
    if (last.digest != one.digest) throw error("ranks: " + what + ": the digest differs");
    threads.push_back(one.rate);
    ranks.push_back(last.rate);
    ratios.push_back(last.rate / one.rate);
  }
  results.add(what + ".threads", median(threads), "node-iterations/s");
  results.add(what + ".ranks", median(ranks), "node-iterations/s");
  results.add(what + ".ratio", median(ratios), "at least " + std::to_string(bar).substr(0, 4));
  results.add(what + ".waiting", 100 * last.waiting, "% of the time");
  results.add(what + ".imbalance", last.imbalance,
              "of a level, if ranks synchronized after each level");
  results.add(what + ".sent", last.sent * 1e-6, "MB");
  results.add(what + ".sent_of_plan", last.sent / last.planned, "");
  results.add(what + ".rank_memory", last.rank_memory * 1e-6, "MB announced per rank");
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  try {
    if (argc == 6)
      return child(argv[1], argv[2], std::stoul(argv[3]), std::stoul(argv[4]), argv[5]);
    arguments const given(argc, argv);
    figures results(given);
    for (auto const &[name, value] : {std::pair{"OMP_NUM_THREADS", "1"},
                                      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                      {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                      // As docs/ranks.md advises on one machine.
                                      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                      {"OMPI_MCA_btl_vader_eager_limit", "65536"},
                                      {"OMPI_MCA_btl_vader_max_send_size", "65536"}})
      ::setenv(name, value, 1);
    for (std::string const exchange : {"d_psgd", "ad_psgd"}) {
      compare(exchange + ".regular", 0.85, given, results);
      compare(exchange + ".ring", 0.95, given, results);
    }
  } catch (std::exception const &fault) {
    std::cerr << fault.what() << '\n';
    return 1;
  }
  return 0;
}
