// The dispersion of norms: by hand, of numbers that are alike, of multiples of a vector, in runs.
#include <gossip/observer/norm_dispersion.hpp>

#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include <gossip/gossip.hpp>

#include "../catch.hpp"

namespace {

using gossip::dispersion_of;

gossip::record last_record(double rate, std::size_t threads = 0) {
  static gossip::dataset const images =
      gossip::synthetic{.samples = 120, .shape = {1, 4, 4}, .classes = 3}.build();
  using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<5>, gossip::dense<3>>;
  gossip::simulator network{gossip::ring{5}, model{}, gossip::sgd{.rate = rate}, gossip::none{},
                            gossip::openmp{threads}};
  return network
      .run({.seed = 2, .batch = 8, .stop = gossip::rounds{5}}, gossip::split(images, gossip::iid{}),
           gossip::norm_dispersion{})
      .last;
}

double number(gossip::record const &r, std::string_view name) {
  for (auto const &one : r.numbers)
    if (one.name == name) return one.value;
  FAIL("no number " << name);
  return 0;
}

}  // namespace

TEST_CASE("the dispersion of 1, 2, 3, 4 is that by hand", "[observer]") {
  gossip::dispersion const of = dispersion_of({3, 1, 4, 2});
  CHECK(of.gini == Approx(0.25));
  CHECK(of.variation == Approx(0.4472136));
  CHECK(of.index == Approx(0.5));
  CHECK(of.quartiles == Approx(1.0 / 3));                              // 2 and 4
  CHECK(of.interpolated_quartiles == Approx(1.5 / 5).epsilon(1e-12));  // 1.75 and 3.25
}

TEST_CASE("the dispersion of one that has all of n is (n - 1) / n by Gini", "[observer]") {
  CHECK(dispersion_of({0, 0, 0, 0, 7}).gini == Approx(0.8));
}

TEST_CASE("equal numbers have no dispersion, nor have zeros or one number", "[observer]") {
  for (std::vector<double> const &values :
       {std::vector<double>{2.5, 2.5, 2.5}, {0, 0, 0, 0}, {3}, {}}) {
    gossip::dispersion const of = dispersion_of(values);
    CHECK(of.gini == 0);
    CHECK(of.variation == 0);
    CHECK(of.index == 0);
    CHECK(of.quartiles == 0);
    CHECK(of.interpolated_quartiles == 0);
  }
}

TEST_CASE("the coefficient of variation of multiples of a vector is that of the multiples",
          "[observer]") {
  std::vector<double> const factors{1, 4, 2, 8, 5};
  std::vector<double> norms;
  for (double const c : factors) norms.push_back(c * std::sqrt(3.0 * 3 + 4 * 4));
  CHECK(dispersion_of(norms).variation == Approx(dispersion_of(factors).variation));
}

TEST_CASE("norms of nodes that do not learn do not differ, and of others they do", "[observer]") {
  CHECK(number(last_record(0.0), "norm_gini") == 0);
  gossip::record const apart = last_record(0.1);
  for (char const *name : {"norm_gini", "norm_variation", "norm_index", "norm_quartiles",
                           "norm_interpolated_quartiles"})
    CHECK(number(apart, name) > 0);
  CHECK(number(last_record(0.1, 1), "norm_gini") == number(last_record(0.1, 3), "norm_gini"));
}
