// The guard that keeps BLAS to one thread.
#include <gossip/backend/cpu/blas.hpp>

#include <omp.h>

#include <cstddef>
#include <vector>

#include <gossip/backend/openmp.hpp>

#include "../catch.hpp"

TEST_CASE("the guard keeps OpenBLAS to one thread and restores what was before", "[backend]") {
  if (!openblas_set_num_threads || !openblas_get_num_threads)
    return gossip::test::skipped("the BLAS library is not OpenBLAS");
  int const usual = openblas_get_num_threads();
  openblas_set_num_threads(2);
  int const before = openblas_get_num_threads();
  {
    gossip::blas::single_thread const guard;
    CHECK(openblas_get_num_threads() == 1);
    {
      gossip::blas::single_thread const another;
      CHECK(openblas_get_num_threads() == 1);
    }
    CHECK(openblas_get_num_threads() == 1);
  }
  CHECK(openblas_get_num_threads() == before);
  openblas_set_num_threads(usual);
}

TEST_CASE("the guard leaves OpenMP's number of threads alone", "[backend]") {
  int const usual = omp_get_max_threads();
  for (int const threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    {
      gossip::openmp::session const session;
      CHECK(omp_get_max_threads() == threads);
      CHECK(gossip::openmp{}.workers() == static_cast<std::size_t>(threads));
    }
    CHECK(omp_get_max_threads() == threads);
  }
  omp_set_num_threads(usual);
}

TEST_CASE("a product inside a loop of the backend has one thread", "[backend]") {
  // A BLAS built on OpenMP takes as many threads as the next region would have.
  int const usual = omp_get_max_threads();
  omp_set_num_threads(3);
  for (std::size_t const count : {1, 2, 3}) {
    std::vector<int> seen(count);
    gossip::openmp{}.for_each(count,
                              [&](std::size_t, std::size_t i) { seen[i] = omp_get_max_threads(); });
    CHECK(seen == std::vector<int>(count, 1));
    CHECK(omp_get_max_threads() == 3);
  }
  omp_set_num_threads(usual);
}
