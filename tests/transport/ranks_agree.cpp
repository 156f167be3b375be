// What only rank 0 makes: ranks that would find something else, or nothing, run on it all the same.
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/graph/metropolis_hastings.hpp>
#include <gossip/graph/ring.hpp>

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

TEST_CASE("the reference engine is for one process, and the refusal says so", "[ranks]") {
  using namespace gossip;
  simulator network{ring{5}, quadratic<3>{}, sgd{.rate = 0.1}, d_psgd{}, test::all_ranks()};
  CHECK_THROWS_WITH(network.run({.stop = rounds{1}, .engine = execution::reference}),
                    test::contains("engine: expected levelled, where there are ranks, got "
                                   "reference") &&
                        test::contains("run it in one process, whose bits are the same"));
}

TEST_CASE("weights that rank 0 cannot make are refused on all ranks", "[ranks]") {
  using namespace gossip;
  simulator network{ring{17}, quadratic<3>{}, sgd{.rate = 0.1},
                    d_psgd<test::refused_weights>{.rule = {test::all_ranks().rank()}},
                    test::all_ranks()};
  CHECK_THROWS_AS(network.run({.stop = rounds{1}}), input_error);
}

TEST_CASE("a division that is refused is refused on all ranks", "[ranks]") {
  using namespace gossip;
  mpi_ranks const divided([](graph const &, std::size_t) -> std::vector<std::uint32_t> {
    throw input_error("division: there is none");
  });
  simulator network{ring{17}, quadratic<3>{}, sgd{.rate = 0.1}, d_psgd{}, divided};
  CHECK_THROWS_AS(network.run({.stop = rounds{1}}), input_error);
}
