// Halos that come in stretches: lent in memory that ranks share, sent, or both.
#include <gossip/exchange/d_psgd.hpp>

#include <mpi.h>

#include <memory>
#include <optional>

#include "ranks.hpp"

namespace {

/// Ranks as if even and odd ones were on two machines.
struct two_machines : gossip::mpi_ranks {
  std::shared_ptr<MPI_Comm> half{new MPI_Comm{MPI_COMM_NULL}, [](MPI_Comm *one) {
                                   MPI_Comm_free(one);
                                   delete one;
                                 }};

  two_machines() { MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(rank() % 2), 0, half.get()); }
  std::optional<std::size_t> near(std::size_t other) const {
    if (other % 2 != rank() % 2) return std::nullopt;
    return other / 2;
  }
  gossip::near_memory share_memory(std::size_t bytes) const { return {*half, bytes}; }
};

/// Networks whose halos come in stretches, of several lengths.
template <class Ranks>
void check_stretches(Ranks const &ranks) {
  using namespace gossip;
  quadratic<9001> const wide{
      .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
  sgd const heavy{.rate = 0.1, .momentum = 0.9};
  for (std::size_t const n : {30, 60}) {
    random_regular const topology{.nodes = n, .degree = 8};
    run_settings const settings = test::six_rounds;
    auto const one = simulator{topology, wide, heavy, d_psgd{}, openmp{.threads = 1}}.run(settings);
    auto const many =
        simulator{topology, wide, heavy, d_psgd{}, openmp{.threads = 1}, ranks}.run(settings);
    CAPTURE(n);
    CHECK(hex(many.digest) == hex(one.digest));
    CHECK(many.traffic.bytes_sent == many.traffic.planned_bytes);
  }
}

}  // namespace

TEST_CASE("rows lent in memory and rows sent give the same bits", "[ranks]") {
  check_stretches(gossip::test::all_ranks());
  check_stretches(gossip::mpi_ranks(gossip::multilevel_partition, false));
  check_stretches(two_machines{});
}
