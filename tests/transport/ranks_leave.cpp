// Ranks that come late, and ranks that leave before others: programs of their own, run by
// themselves.
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <gossip/graph/partition.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include "../catch.hpp"

namespace gossip::test {

namespace {

mpi_ranks impatient() {
  return mpi_ranks(multilevel_partition, true, detail::mpi_most, std::chrono::milliseconds(200));
}

}  // namespace

TEST_CASE("a rank that leaves main before others says so", "[.][transport][leaves]") {
  mpi_ranks const world = impatient();
  if (world.rank() == 1) std::exit(0);
  std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST_CASE("a rank that waits for others to begin says so", "[.][transport][late]") {
  boost::mpi::environment const mpi(boost::mpi::threading::serialized);
  if (boost::mpi::communicator().rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(impatient().size() == 2);
}

}  // namespace gossip::test
