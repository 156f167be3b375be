// Labels of attackers' samples, and what is left as it was.
#include <gossip/data/flipped_labels.hpp>

#include <gossip/data/dirichlet.hpp>
#include <gossip/data/synthetic.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../catch.hpp"
#include "splits.hpp"

namespace {

using namespace gossip;

static_assert(split_policy<given_partition>);

void check_flips(dataset const &set) {
  partition const shares = dirichlet{.alpha = 0.5}.assign(set.labels(), set.classes(), 4, 1);
  dataset const poisoned = flipped_labels(set, shares, {1, 3});
  REQUIRE(poisoned.size() == set.size());
  CHECK(poisoned.stored_as_bytes() == set.stored_as_bytes());
  std::vector<float> before(set.shape().size()), after(set.shape().size());
  for (node i = 0; i < 4; ++i)
    for (std::uint32_t const sample : shares[i]) {
      std::size_t const label = set.labels()[sample];
      CHECK(poisoned.labels()[sample] == (i % 2 == 1 ? set.classes() - 1 - label : label));
      set.copy_sample(sample, before), poisoned.copy_sample(sample, after);
      CHECK(after == before);
    }
  partition const again = split(poisoned, given_partition{shares}).assign(4, 99);
  for (node i = 0; i < 4; ++i)
    CHECK(std::vector(again[i].begin(), again[i].end()) ==
          std::vector(shares[i].begin(), shares[i].end()));
}

}  // namespace

TEST_CASE("samples of attackers have flipped labels, all others their own", "[data]") {
  check_flips(gossip::synthetic{.samples = 90, .shape = {1, 2, 2}, .classes = 5}.build());
  std::vector<std::uint8_t> bytes(90 * 4);
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(k % 251);
  check_flips({"bytes", {1, 2, 2}, 5, bytes, gossip::test::cyclic_labels(90, 5)});
}

TEST_CASE("labels of a node without a share cannot be flipped", "[data]") {
  gossip::dataset const set = gossip::synthetic{.samples = 8, .shape = {1, 1, 1}}.build();
  auto const shares = gossip::dirichlet{}.assign(set.labels(), set.classes(), 2, 1);
  CHECK_THROWS_WITH(gossip::flipped_labels(set, shares, {2}),
                    gossip::test::contains("flipped_labels: expected nodes below 2, got 2"));
}

TEST_CASE("samples that attackers share with others are refused", "[data]") {
  using namespace gossip;
  dataset const set = synthetic{.samples = 8, .shape = {1, 1, 1}}.build();
  partition const shares({0, 2, 4, 6}, {0, 1, 1, 2, 2, 3});  // neighbors have one in common
  CHECK_THROWS_WITH(flipped_labels(set, shares, {0}),
                    test::contains("flipped_labels: expected a split that gives each sample to one "
                                   "node, got sample 1 of an attacker and of node 1"));
  CHECK(flipped_labels(set, shares, {0, 1, 2}).size() == set.size());
}
