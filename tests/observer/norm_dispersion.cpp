// The dispersion of norms: by hand, of numbers that are alike, of multiples of a vector, in runs.
#include <gossip/observer/norm_dispersion.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/gossip.hpp>
#include <gossip/model/quadratic.hpp>

#include "../catch.hpp"

namespace {

using gossip::dispersion_of;

gossip::dataset const &images() {
  static gossip::dataset const all =
      gossip::synthetic{.samples = 120, .shape = {1, 4, 4}, .classes = 3}.build();
  return all;
}

gossip::record last_record(double rate, std::size_t threads = 0,
                           gossip::norm_dispersion const &measured = {}) {
  using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<5>, gossip::dense<3>>;
  gossip::simulator network{gossip::ring{5}, model{}, gossip::sgd{.rate = rate}, gossip::none{},
                            gossip::cpu{threads}};
  return network
      .run({.seed = 2, .batch = 8, .stop = gossip::rounds{5}},
           gossip::split(images(), gossip::iid{}), measured, gossip::consensus_distance{})
      .last;
}

double number(gossip::record const &r, std::string_view name) {
  for (auto const &one : r.numbers)
    if (one.name == name) return one.value;
  FAIL("no number " << name);
  return 0;
}

gossip::by_round<gossip::mixing_matrix> weights_of(std::size_t nodes) {
  return gossip::weights_by_round(gossip::metropolis_hastings{}, gossip::ring{nodes}.build());
}

/// Adapt then combine that ends its rounds between the two: x <- W x, x <- x - rate g(x).
struct averages_first {
  void on_round(auto &plan, gossip::round_number k) const {
    if (k > 0) plan.mix_all(plan.weights(k - 1));
    plan.train_all();
    plan.step_all();
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
  auto weights(gossip::graph const &g) const { return gossip::metropolis_hastings{}.weights(g); }
};

struct keep_records {
  std::vector<gossip::record> *all;
  void take(gossip::record const &r) { all->push_back(r); }
};

/// Of every round of five nodes.
std::vector<gossip::record> records_of(gossip::any_exchange const &exchange,
                                       gossip::norm_dispersion const &measured) {
  using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<5>, gossip::dense<3>>;
  std::vector<gossip::record> all;
  gossip::simulator network{gossip::ring{5}, model{}, gossip::sgd{.rate = 0.1, .momentum = 0.9},
                            exchange, gossip::numbers<double>{}};
  network.run({.seed = 2, .batch = 8, .stop = gossip::rounds{5}},
              gossip::split(images(), gossip::iid{}),
              gossip::every(gossip::rounds{1}, measured, keep_records{&all}));
  return all;
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

TEST_CASE("multiples of a vector are as far apart as the multiples, and averaged as by hand",
          "[observer]") {
  // One step of rate 1 takes node i from 0 to its optimum, c_i times the vector of 7 ones.
  gossip::quadratic<7> const multiples{.optimum = {1, 2, 3, 4}};
  gossip::simulator network{gossip::ring{4}, multiples, gossip::sgd{.rate = 1}, gossip::none{}};
  auto const last = network
                        .run({.stop = gossip::rounds{1}},
                             gossip::norm_dispersion{
                                 .by_tensor = true, .distances = true, .averaging = weights_of(4)})
                        .last;
  CHECK(number(last, "norm_gini_0") == Approx(0.25));
  CHECK(number(last, "weighted_norm_gini") == Approx(0.25));
  CHECK(number(last, "norm_variation") == Approx(0.4472136));
  CHECK(number(last, "norm_index") == Approx(0.5 * std::sqrt(7.0)));
  CHECK(number(last, "norm_quartiles") == Approx(1.0 / 3));
  CHECK(number(last, "tensor_distance_0") == Approx(7 * 1.25));
  CHECK(number(last, "relative_distance") == Approx(0.4472136));
  // A third of each of three neighbours: 7/3, 2, 3 and 8/3, a third as far apart.
  CHECK(number(last, "averaged_norm_gini_0") == Approx(0.25 / 3));
  CHECK(number(last, "averaged_norm_variation") == Approx(0.4472136 / 3));
  CHECK(number(last, "averaged_norm_index") == Approx(0.5 * std::sqrt(7.0) / 9));
  CHECK(number(last, "averaged_norm_quartiles") == Approx((3 - 7.0 / 3) / (3 + 7.0 / 3)));
  CHECK(number(last, "averaged_tensor_distance_0") == Approx(7 * 1.25 / 9));
  CHECK(number(last, "averaged_relative_distance") == Approx(0.4472136 / 3));
}

TEST_CASE("means over tensors are of those of each, and their distances add up", "[observer]") {
  // Weights and biases of 16 inputs to 5 units, and of these to 3 outputs.
  std::vector<double> const sizes{80, 5, 15, 3};
  gossip::record const last = last_record(0.1, 1, {.by_tensor = true, .distances = true});
  double mean = 0, weighted = 0, distance = 0;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    double const gini = number(last, "norm_gini_" + std::to_string(l));
    mean += gini / 4;
    weighted += gini * sizes[l] / 103;
    distance += number(last, "tensor_distance_" + std::to_string(l));
  }
  CHECK(number(last, "norm_gini") == Approx(mean));
  CHECK(number(last, "weighted_norm_gini") == Approx(weighted));
  CHECK(distance == Approx(*last.consensus_distance));
}

TEST_CASE("norms after the averaging are those that the run goes on with", "[observer]") {
  // quote before_and_after
  auto const weights =
      gossip::weights_by_round(gossip::metropolis_hastings{}, gossip::ring{5}.build());
  gossip::norm_dispersion const both{.by_tensor = true, .distances = true, .averaging = weights};
  // end quote
  auto const first = records_of(averages_first{}, both);
  auto const after = records_of(gossip::d_psgd<>{.order = gossip::mixing_order::adapt_then_combine},
                                {.by_tensor = true, .distances = true});
  REQUIRE(first.size() == 6);
  REQUIRE(after.size() == 6);
  for (std::size_t k = 1; k < 6; ++k)
    for (char const *name : {"norm_gini_0", "norm_variation_2", "weighted_norm_index",
                             "tensor_distance_1", "relative_distance"}) {
      CAPTURE(k, name);
      double const averaged = number(first[k], std::string("averaged_") + name);
      CHECK(averaged == Approx(number(after[k], name)).epsilon(1e-8));
      CHECK(averaged < number(first[k], name));
    }
}

TEST_CASE("weights of another network are refused", "[observer]") {
  CHECK_THROWS_WITH(last_record(0.1, 1, {.averaging = weights_of(6)}),
                    "norm_dispersion: expected matrices of 5 rows, got 6");
}
