// Results that only rank 0 makes: ranks that would find others, or none, run on them all the same.
#include <filesystem>

#include <gossip/clock/trace_time.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/simulator/samples.hpp>
#include <gossip/topology/ring.hpp>

#include "../data/temporary_folder.hpp"
#include "ranks.hpp"

namespace gossip::test {

/// A ring as read from a file that lies on one machine.
struct ring_of_rank_0 {
  std::size_t nodes = 17, rank = 0;

  graph build(std::uint64_t seed) const {
    if (rank > 0) throw input_error("ring_of_rank_0: there is no such file on this machine");
    return ring{nodes}.build(seed);
  }
};

/// Weights of a library whose last bits differ by machine.
struct weights_of_rank_0 {
  std::size_t rank = 0;

  mixing_matrix weights(graph const &g) const {
    double const off = 1e-9 * static_cast<double>(rank);
    return mixing_matrix::over(g, [&](std::size_t, std::size_t) { return 1.0 / 3 + off; });
  }
};

/// Weights that nobody can use.
struct refused_weights {
  std::size_t rank = 0;

  mixing_matrix weights(graph const &) const {
    if (rank > 0) throw error("refused_weights: asked for on another rank than 0");
    throw input_error("refused_weights: there are none");
  }
};

}  // namespace gossip::test

TEST_CASE("graph and weights are those of rank 0", "[ranks]") {
  using namespace gossip;
  std::size_t const rank = test::all_ranks().rank();
  quadratic<40> const model{.curvature = {1.0, 0.5}, .noise = 0.1, .start = 0.25};
  simulator alone{test::ring_of_rank_0{}, model, sgd{.rate = 0.1},
                  d_psgd<test::weights_of_rank_0>{}};
  simulator network{test::ring_of_rank_0{.rank = rank}, model, sgd{.rate = 0.1},
                    d_psgd<test::weights_of_rank_0>{.rule = {rank}}, test::all_ranks()};
  run_settings const settings{.seed = 3, .stop = rounds{9}};
  CHECK(hex(network.run(settings).digest) == hex(alone.run(settings).digest));
  CHECK(network.dry_run(settings, {}).bytes_sent == alone.dry_run(settings, {}).bytes_sent);
}

TEST_CASE("ranks that were told something else than rank 0 are refused on all", "[ranks]") {
  using namespace gossip;
  mpi_ranks const &ranks = test::all_ranks();
  if (ranks.size() == 1) return;
  bool const last = ranks.rank() + 1 == ranks.size();
  quadratic<40> const model{.curvature = {1.0, 0.5}, .noise = 0.1, .start = 0.25};
  auto const refused = [&](run_settings const &settings, double rate, std::string const &what) {
    simulator network{ring{7}, model, sgd{.rate = rate}, d_psgd{}, ranks};
    CHECK_THROWS_WITH(network.run(settings),
                      "ranks: expected identical runs on all ranks, got " + what);
  };
  std::string const on = " on rank " + std::to_string(ranks.size() - 1);
  refused({.seed = last ? 8U : 7U, .stop = rounds{2}}, 0.1, "seed 8" + on + " and 7 on rank 0");
  refused({.topology_seed = last ? 8U : 7U, .stop = rounds{2}}, 0.1,
          "seed of the topology 8" + on + " and 7 on rank 0");
  refused({.split_seed = last ? 8U : 1U, .stop = rounds{2}}, 0.1,
          "seed of the split 8" + on + " and 1 on rank 0");
  refused({.batch = last ? 3U : 32U, .stop = rounds{2}}, 0.1, "batch 3" + on + " and 32 on rank 0");
  refused({.stop = rounds{last ? 9U : 2U}}, 0.1, "node-iterations 63" + on + " and 14 on rank 0");
  std::vector<double> const row(40, 1.0), other(40, 2.0);
  auto const hash = [](std::vector<double> const &x) {
    return hex(detail::hash_bytes(x.data(), x.size() * sizeof(double)));
  };
  refused({.stop = rounds{2}, .start = last ? other : row}, 0.1,
          "start " + hash(other) + on + " and " + hash(row) + " on rank 0");
  refused({.stop = rounds{2}}, last ? 0.25 : 0.125,
          "rate at the start 0.25" + on + " and 0.125 on rank 0");
}

TEST_CASE("ranks whose policies have other members are refused on all", "[ranks]") {
  using namespace gossip;
  mpi_ranks const &ranks = test::all_ranks();
  if (ranks.size() == 1) return;
  bool const last = ranks.rank() + 1 == ranks.size();
  std::string const on = " on rank " + std::to_string(ranks.size() - 1) + " and ";
  auto const refused = [&](auto model, auto optimizer, auto exchange, std::string const &what,
                           auto... options) {
    simulator network{ring{7}, model, optimizer, exchange, ranks, options...};
    CHECK_THROWS_WITH(network.run({.stop = rounds{2}}),
                      "ranks: expected identical runs on all ranks, got " + what + " on rank 0");
  };
  quadratic<40> const model{};
  sgd const plain{.rate = 0.1, .momentum = 0.9};
  refused(model, sgd{.rate = 0.1, .momentum = last ? 0.8 : 0.9}, d_psgd{},
          "momentum of the optimizer 0.8" + on + "0.9");
  refused(model, sgd{.rate = 0.1, .momentum = 0.9, .nesterov = last}, d_psgd{},
          "nesterov of the optimizer true" + on + "false");
  refused(model, adamw{.weight_decay = last ? 0.02 : 0.01}, ad_psgd{},
          "weight_decay of the optimizer 0.02" + on + "0.01");
  refused(model,
          test::some_optimizer{last ? decltype(test::some_optimizer::kind){adam{}}
                                    : decltype(test::some_optimizer::kind){adamw{}}},
          gossip::none{}, "kind of member 1 of the optimizer 1" + on + "2");
  refused(model, scheduled{plain, step_decay{.at = {last ? 50.0 : 60.0}}}, gossip::none{},
          "at of member 2 of the optimizer 50" + on + "60");
  using enum mixing_order;
  refused(model, plain, d_psgd<>{.order = last ? combine_then_adapt : adapt_then_combine},
          "order of the exchange combine_then_adapt" + on + "adapt_then_combine");
  refused(model, plain, stop_at<d_psgd<>>{{}, measured::consensus_distance, last ? 2.0 : 1.0},
          "bound of the exchange 2" + on + "1");
  refused(quadratic<40>{.noise = last ? 0.5 : 0.25}, plain, gossip::none{},
          "noise of the model 0.5" + on + "0.25");
  refused(model, plain, ad_psgd{}, "cv of compute of the clock 0.2" + on + "0.1",
          virtual_clock{.compute = lognormal_time{.cv = last ? 0.2 : 0.1}});
}

TEST_CASE("ranks whose samples or shares differ are refused on all", "[ranks]") {
  using namespace gossip;
  mpi_ranks const &ranks = test::all_ranks();
  bool const other = ranks.rank() > 0 && ranks.rank() + 1 == ranks.size();
  auto const data = [](float first) {
    return dataset("four", {1, 1, 2}, 2, std::vector<float>{first, 1, 2, 3, 4, 5, 6, 7},
                   {0, 1, 0, 1});
  };
  partition const shares({0, 2, 4}, {0, 1, 2, 3}), others({0, 2, 4}, {0, 2, 1, 3});
  CHECK_NOTHROW(detail::require_same_samples(ranks, data(0), shares));
  if (ranks.size() == 1) return;
  CHECK_THROWS_WITH(detail::require_same_samples(ranks, data(other ? 8 : 0), shares),
                    test::contains("digest of the samples"));
  CHECK_THROWS_WITH(detail::require_same_samples(ranks, data(0), other ? others : shares),
                    test::contains("digest of the shares of nodes"));
}

TEST_CASE("ranks that read other times are refused on all, by the name of the file", "[ranks]") {
  using namespace gossip;
  mpi_ranks const &ranks = test::all_ranks();
  bool const other = ranks.rank() > 0 && ranks.rank() + 1 == ranks.size();
  test::temporary_folder const folder;
  auto const there = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());  // one name, as on machines of their own
  folder.write("times.csv", other ? "step,duration_ms\n0,2\n" : "step,duration_ms\n0,1\n");
  simulator network{ring{.nodes = 9},
                    quadratic<2>{.start = 0.25},
                    sgd{.rate = 0.1},
                    ad_psgd{},
                    virtual_clock{.compute = trace_time{.path = "times.csv"}},
                    ranks};
  run_settings const settings{.stop = rounds{2}};
  if (ranks.size() == 1)
    CHECK_NOTHROW(network.run(settings));
  else
    CHECK_THROWS_WITH(network.run(settings), test::contains("content of times.csv"));
  std::filesystem::current_path(there);
}

TEST_CASE("a failure belongs to the run that it ended", "[ranks]") {
  gossip::mpi_ranks const &ranks = gossip::test::all_ranks();
  ranks.failing("the first run");
  if (ranks.size() == 1) CHECK(*ranks.failed("the first run").sentence == "the first run");
  if (ranks.size() > 1)
    CHECK(ranks.from_root([] { return gossip::ring{3}.build(1); }).nodes() == 3);
  auto const last = ranks.failed("the second run");
  CHECK(!last.alone);
  CHECK(last.sentence.has_value() == (ranks.rank() == 0));
  if (last.sentence) CHECK(*last.sentence == "the second run");
}

TEST_CASE("every rank tells of its part, and all know it", "[ranks]") {
  using namespace gossip;
  mpi_ranks const &ranks = test::all_ranks();
  test::small_simulator network{random_regular{.nodes = 30, .degree = 8}, quadratic<600>{},
                                sgd{.rate = 0.1}, d_psgd{}, ranks};
  auto const traffic = network.run({.stop = rounds{3}}).traffic;
  REQUIRE(traffic.accounts.size() == ranks.size());
  CHECK(traffic.accounts[ranks.rank()].machine == ranks.machine());
  std::size_t nodes = 0, most = 0;
  std::uint64_t bytes = 0;
  double longest = 0;
  for (rank_account const &one : traffic.accounts) {
    nodes += one.nodes;
    most = std::max(most, one.nodes);
    bytes += one.bytes_sent;
    longest = std::max(longest, one.waiting_seconds);
  }
  CHECK(nodes == 30);
  CHECK(most == traffic.most_nodes);
  CHECK(bytes == traffic.bytes_sent);
  CHECK(longest == traffic.most_waiting_seconds);
}

TEST_CASE("the reference engine is for one process, and the refusal says so", "[ranks]") {
  using namespace gossip;
  simulator network{ring{5}, quadratic<40>{}, sgd{.rate = 0.1}, d_psgd{}, test::all_ranks()};
  CHECK_THROWS_WITH(network.run({.stop = rounds{1}, .engine = execution::reference}),
                    test::contains("engine: expected levelled, since there are several ranks, got "
                                   "reference") &&
                        test::contains("run it in one process, whose results are identical"));
}

TEST_CASE("weights that rank 0 cannot make are refused on all ranks", "[ranks]") {
  using namespace gossip;
  simulator network{ring{17}, quadratic<40>{}, sgd{.rate = 0.1},
                    d_psgd<test::refused_weights>{.rule = {test::all_ranks().rank()}},
                    test::all_ranks()};
  CHECK_THROWS_AS(network.run({.stop = rounds{1}}), input_error);
}

TEST_CASE("a division that is refused is refused on all ranks", "[ranks]") {
  using namespace gossip;
  mpi_ranks const divided([](graph const &, std::size_t) -> std::vector<std::uint32_t> {
    throw input_error("division: there is none");
  });
  simulator network{ring{17}, quadratic<40>{}, sgd{.rate = 0.1}, d_psgd{}, divided};
  CHECK_THROWS_AS(network.run({.stop = rounds{1}}), input_error);
}
