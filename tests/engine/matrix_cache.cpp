// Matrices are known to an engine by their identity: of rounds, of runs, others may be at the same
// addresses.
#include <gossip/backend/cpu.hpp>
#include <gossip/exchange/d_psgd.hpp>

#include <cstdint>
#include <map>
#include <string>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

using namespace gossip;

TEMPLATE_TEST_CASE("a run does not mix with the matrices of an earlier one", "[engine]", cpu,
                   test::recording_device) {
  simulator network{random_regular{.nodes = 12, .degree = 3}, test::small_model{},
                    sgd{.rate = 0.1, .momentum = 0.9}, test::some_exchange(d_psgd{}), TestType{}};
  auto const digest_of = [&](std::uint64_t seed) {
    return hex(
        network
            .run({.seed = seed, .batch = 4, .stop = rounds{3}}, split(test::small_images(), iid{}))
            .digest);
  };
  std::map<std::uint64_t, std::string> up, down;
  for (std::uint64_t const seed : {1, 2, 3, 4}) up[seed] = digest_of(seed);
  for (std::uint64_t const seed : {4, 3, 2, 1}) down[seed] = digest_of(seed);
  CHECK(up == down);
}
