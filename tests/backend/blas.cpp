// The guard that keeps BLAS to one thread.
#include <gossip/backend/cpu/blas.hpp>

#include <cstddef>
#include <optional>
#include <vector>

#include <gossip/backend/cpu.hpp>

#include "../catch.hpp"

namespace {

using gossip::blas::single_thread;
using gossip::detail::openmp_threads;
using gossip::detail::set_openmp_threads;

}  // namespace

TEST_CASE("guards keep OpenBLAS to one thread until the last of them ends", "[backend]") {
  if (!openblas_set_num_threads || !openblas_get_num_threads)
    return gossip::test::skipped("the BLAS library is not OpenBLAS");
  int const usual = openblas_get_num_threads();
  openblas_set_num_threads(2);
  int const before = openblas_get_num_threads();
  std::optional<single_thread> first(std::in_place, 2), second(std::in_place, 2);
  CHECK(openblas_get_num_threads() == 1);
  first.reset();  // of a run that began earlier and ends while the other goes on
  CHECK(openblas_get_num_threads() == 1);
  second.reset();
  CHECK(openblas_get_num_threads() == before);
  openblas_set_num_threads(usual);
}

TEST_CASE("a run leaves OpenMP's number of threads alone, and has one inside its loops",
          "[backend]") {
  // A BLAS built on OpenMP takes as many threads as the next region would have.
  if (!openmp_threads || !set_openmp_threads)
    return gossip::test::skipped("no library of this program is built on OpenMP");
  int const usual = openmp_threads();
  for (int const threads : {1, 2, 3}) {
    set_openmp_threads(threads);
    {
      gossip::cpu const backend{.threads = 2};
      gossip::cpu::session const session{backend};
      CHECK(openmp_threads() == threads);
      for (std::size_t const count : {1, 2, 3}) {
        std::vector<int> seen(count);
        backend.for_each(count, [&](std::size_t, std::size_t i) { seen[i] = openmp_threads(); });
        CHECK(seen == std::vector<int>(count, 1));
        CHECK(openmp_threads() == threads);
      }
    }
    CHECK(openmp_threads() == threads);
  }
  set_openmp_threads(usual);
}
