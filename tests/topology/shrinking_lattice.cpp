// Tests of a lattice that thins out: its degrees, its gaps, and when it stops.
#include <gossip/topology/shrinking_lattice.hpp>

#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/spectrum.hpp>

#include "files.hpp"

using gossip::shrinking_lattice;

TEST_CASE("a lattice loses neighbours every so many rounds", "[topology]") {
  auto const g = shrinking_lattice{.nodes = 16, .degree = 8, .by = 4, .every = 10}.build();
  REQUIRE(g.rounds() != nullptr);
  auto const w = gossip::weights_by_round(gossip::metropolis_hastings{}, g);
  // Gaps of circulant matrices with 9, 5 and 3 equal entries.
  struct known {
    std::size_t round, degree;
    double gap;
  };
  for (known const k : {known{0, 8, .441407}, known{9, 8, .441407}, known{10, 4, .147605},
                        known{19, 4, .147605}, known{20, 2, .050747}, known{5000, 2, .050747}}) {
    CAPTURE(k.round);
    CHECK((*g.rounds())[k.round].degree(3) == k.degree);
    CHECK(gossip::spectral_gap(w[k.round]).gap == Approx(k.gap).margin(1e-6));
  }
  CHECK(gossip::spectral_gap(w).gap == Approx(.050747).margin(1e-6));  // of the one that stays
  CHECK(g.degree(3) == 8);
}

TEST_CASE("a lattice that loses nothing does not change", "[topology]") {
  CHECK(shrinking_lattice{.nodes = 16, .degree = 4, .least = 4}.build().rounds() == nullptr);
  CHECK(gossip::test::refusal(shrinking_lattice{.nodes = 16, .degree = 2, .least = 4}) ==
        "shrinking_lattice: expected least at most degree, and an even by, got 4, 2 and 2");
  CHECK(gossip::test::refusal(shrinking_lattice{.nodes = 16, .every = 0}) ==
        "shrinking_lattice: every must be at least 1, got 0");
}
