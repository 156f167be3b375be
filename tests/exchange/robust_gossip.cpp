// Robust gossip: the laws, every rule and attack against plain loops, and what rules withstand.
#include <gossip/exchange/robust_gossip.hpp>

#include <gossip/aggregation/centered_clipping.hpp>
#include <gossip/aggregation/geometric_median.hpp>
#include <gossip/aggregation/krum.hpp>
#include <gossip/aggregation/self_centered_clipping.hpp>
#include <gossip/aggregation/trimmed_mean.hpp>
#include <gossip/aggregation/weighted_mean.hpp>
#include <gossip/attack/bit_flip.hpp>
#include <gossip/attack/dissensus.hpp>
#include <gossip/attack/gaussian_noise.hpp>
#include <gossip/attack/inner_product.hpp>
#include <gossip/attack/little_is_enough.hpp>
#include <gossip/attack/mimic.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "attacked_exchanges.hpp"
#include "conformance.hpp"
#include "networks.hpp"

namespace gossip::test::robust {

namespace {

/// Any rule and any attack in one type, so that the exchange is compiled once.
struct some_rule {
  std::variant<aggregation::weighted_mean, aggregation::coordinate_median,
               aggregation::trimmed_mean, aggregation::krum, aggregation::geometric_median,
               aggregation::centered_clipping, aggregation::self_centered_clipping>
      kind;

  static constexpr std::size_t rows = 3;
  bool reads_each() const {
    return std::visit([](auto const &r) { return aggregation::reads_each(r); }, kind);
  }
  void aggregate(auto &plan, mixing_matrix const &w, received_models const &from) const {
    std::visit([&](auto const &r) { aggregation::aggregate_by(r, plan, w, from); }, kind);
  }
  void check(graph const &g) const {
    std::visit([&](auto const &r) { r.check(g); }, kind);
  }
  void check_neighborhood(node i, std::size_t models) const {
    auto const check_one = [=](auto const &r) {
      if constexpr (requires { r.check_neighborhood(i, models); }) r.check_neighborhood(i, models);
    };
    std::visit(check_one, kind);
  }
};
struct some_attack {
  std::variant<attack::none, attack::bit_flip, attack::inner_product, attack::little_is_enough,
               attack::gaussian_noise, attack::mimic, attack::dissensus>
      kind;

  static constexpr std::size_t rows = 2;
  void disturb(auto &plan, std::vector<node> const &attackers,
               std::vector<node> const &honest) const {
    std::visit([&](auto const &a) { a.disturb(plan, attackers, honest); }, kind);
  }
  bool forges() const { return std::holds_alternative<attack::dissensus>(kind); }
  void forge(auto &plan, std::vector<node> const &attackers, std::vector<node> const &honest,
             mixing_matrix const &w, row_name to) const {
    std::get<attack::dissensus>(kind).forge(plan, attackers, honest, w, to);
  }
  void check() const {
    std::visit([](auto const &a) { a.check(); }, kind);
  }
  void check(std::size_t attackers, std::size_t honest) const {
    std::visit([=](auto const &a) { attack::check_attack(a, attackers, honest); }, kind);
  }
  std::vector<std::string> remarks(std::size_t attackers, std::size_t honest) const {
    return std::visit(
        [=](auto const &a) { return attack::remarks_on_attack(a, attackers, honest); }, kind);
  }
};
using robust = robust_gossip<some_rule, some_attack>;

using vector = std::vector<double>;
using matrix = std::vector<vector>;  // (n,d)

/// Rows of nodes that have taken one step, to points of their own, and then so many rounds.
matrix after(some_topology const &topology, some_exchange const &exchange,
             std::uint64_t count = 1) {
  small_network network{topology, scattered<5>{}, sgd{.rate = 1.0}, exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end).seen.back().rows;
}

matrix points(std::size_t nodes) {
  matrix x(nodes, vector(5));
  for (node i = 0; i < nodes; ++i)
    for (std::size_t c = 0; c < 5; ++c) x[i][c] = scattered<5>::point(5, i, c);
  return x;
}

double squared(vector const &a, vector const &b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

/// The points of a node and its neighbors, ascending.
matrix inputs_of(graph const &g, matrix const &x, node i) {
  matrix inputs;
  for (node j = 0; j < x.size(); ++j)
    if (j == i || std::ranges::count(g.neighbors(i), j) > 0) inputs.push_back(x[j]);
  return inputs;
}

void check_near(matrix const &found, matrix const &expected, double margin) {
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t c = 0; c < found[i].size(); ++c)
      CHECK(found[i][c] == Approx(expected[i][c]).margin(margin));
}

/// Every node's model by a function of its inputs.
template <class F>
void check_rule(some_rule const &rule, double margin, F by_hand) {
  random_regular const topology{.nodes = 12, .degree = 6};
  graph const g = topology.build(5);
  matrix const x = points(12);
  matrix expected;
  for (node i = 0; i < 12; ++i) expected.push_back(by_hand(inputs_of(g, x, i)));
  check_near(after(topology, robust{rule}), expected, margin);
}

/// Places of the inputs in the order of Krum's scores.
std::vector<std::size_t> by_score(matrix const &inputs, std::size_t byzantine) {
  std::vector<std::pair<double, std::size_t>> scores;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    vector apart;
    for (std::size_t l = 0; l < inputs.size(); ++l)
      if (l != k) apart.push_back(squared(inputs[k], inputs[l]));
    std::ranges::sort(apart);
    double sum = 0;
    for (std::size_t l = 0; l < inputs.size() - byzantine - 2; ++l) sum += apart[l];
    scores.push_back({sum, k});
  }
  std::ranges::sort(scores);
  std::vector<std::size_t> places;
  for (auto const &one : scores) places.push_back(one.second);
  return places;
}

vector mean_of(matrix const &x) {
  vector mean(5);
  for (vector const &one : x)
    for (std::size_t c = 0; c < 5; ++c) mean[c] += one[c] / static_cast<double>(x.size());
  return mean;
}

/// The median of every number.
vector median_of(matrix const &x) {
  vector median(5), column(x.size());
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t k = 0; k < x.size(); ++k) column[k] = x[k][c];
    std::ranges::sort(column);
    median[c] = (column[(x.size() - 1) / 2] + column[x.size() / 2]) / 2;
  }
  return median;
}

vector by_weiszfeld(matrix const &inputs, vector y, std::uint32_t turns) {
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    vector next(5);
    double all = 0;
    for (vector const &x : inputs) {
      double const weight = 1 / std::max(1e-6, std::sqrt(squared(x, y)));
      for (std::size_t c = 0; c < 5; ++c) next[c] += weight * x[c];
      all += weight;
    }
    for (std::size_t c = 0; c < 5; ++c) y[c] = next[c] / all;
  }
  return y;
}

}  // namespace

// The other rules are made of the same operations in longer chains, which take the suite a minute.
TEST_CASE("geometric medians under attack keep the laws of exchanges", "[exchange]") {
  check_exchange(attacked_gossip{}, {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("rules and attacks have the same bits on every engine", "[exchange]") {
  std::vector<robust> const all{
      {{aggregation::krum{}}, {attack::bit_flip{}}, 2},
      {{aggregation::krum{1, 3}}, {attack::inner_product{}}, 2},
      {{aggregation::centered_clipping{0.5, 2}}, {attack::little_is_enough{1}}, 2},
      {{aggregation::trimmed_mean{}}, {attack::gaussian_noise{0.5}}, 2},
      {{aggregation::coordinate_median{}}, {attack::mimic{1}}, 2},
      {{aggregation::krum{1, 2}}, {attack::dissensus{2}}, 3},
      {{aggregation::geometric_median{2}}, {attack::dissensus{}}, 2},
      {{aggregation::centered_clipping{0.5, 2}}, {attack::dissensus{}}, 2},
      {{aggregation::self_centered_clipping{0.5}}, {attack::dissensus{}}, 2},
      {{aggregation::weighted_mean{}}, {attack::dissensus{1.5}}, 2}};
  for (robust const &exchange : all) {
    auto const run = [&](std::size_t threads, execution engine) {
      small_simulator network{random_regular{.nodes = 10, .degree = 5},
                              tiny_classifier{},
                              sgd{.rate = 0.1},
                              some_exchange{exchange},
                              numbers<float>{},
                              cpu{.threads = threads}};
      run_settings settings = six_rounds;
      settings.engine = engine;
      return network.run(settings, split(tiny_images(), iid{})).digest;
    };
    auto const expected = run(1, execution::reference);
    CHECK(hex(run(1, execution::levelled)) == hex(expected));
    CHECK(hex(run(3, execution::levelled)) == hex(expected));
  }
}

TEST_CASE("robust gossip by weighted means without attackers is D-PSGD", "[exchange]") {
  CHECK(after(ring{9}, robust{}, 12) ==
        after(ring{9}, d_psgd{.order = mixing_order::adapt_then_combine}, 12));
}

TEST_CASE("robust gossip by self-centered clipping without attackers is clipped gossip",
          "[exchange]") {
  CHECK(after(random_regular{.nodes = 12, .degree = 6},
              robust{{aggregation::self_centered_clipping{0.3}}}, 7) ==
        after(random_regular{.nodes = 12, .degree = 6}, clipped_gossip<>{.radius = 0.3}, 7));
}

// Weights are a third. Of nodes at 1 and 5 the attacker takes one down by 2 / 3, the other neighbor
// up or down as far.
TEST_CASE("an attacker moves a node by its weight times the radius", "[exchange]") {
  auto const x = mixed_numbers(
      complete{3},
      robust{{aggregation::self_centered_clipping{2}}, {attack::inner_product{1e6}}, 1}, {1, 5, 9},
      1);
  CHECK(x[0] == Approx(1 + (2.0 - 2.0) / 3));
  CHECK(x[1] == Approx(5 + (-2.0 - 2.0) / 3));
}

TEST_CASE("Krum takes one of its inputs, that of the least score", "[exchange]") {
  for (std::uint32_t const f : {0U, 1U, 2U})
    check_rule({aggregation::krum{.byzantine = f}}, 0,
               [=](matrix const &inputs) { return inputs[by_score(inputs, f)[0]]; });
}

TEST_CASE("multi-Krum takes the mean of the least scores", "[exchange]") {
  check_rule({aggregation::krum{.byzantine = 1, .selected = 3}}, 1e-15, [](matrix const &inputs) {
    auto const places = by_score(inputs, 1);
    return mean_of({inputs[places[0]], inputs[places[1]], inputs[places[2]]});
  });
  check_rule({aggregation::krum{.byzantine = 0, .selected = 7}}, 1e-15, mean_of);
}

TEST_CASE("the geometric median is that of Weiszfeld's iterations", "[exchange]") {
  check_rule({aggregation::geometric_median{.iterations = 8}}, 1e-14,
             [](matrix const &inputs) { return by_weiszfeld(inputs, median_of(inputs), 8); });
  check_rule({aggregation::geometric_median{8, 1e-6, aggregation::median_start::mean}}, 1e-14,
             [](matrix const &inputs) { return by_weiszfeld(inputs, mean_of(inputs), 8); });
  // Unit vectors to the inputs add up to 0 there.
  matrix const inputs = points(7);
  vector const found = after(complete{7}, robust{{aggregation::geometric_median{400}}})[0];
  for (std::size_t c = 0; c < 5; ++c) {
    double sum = 0;
    for (vector const &x : inputs) sum += (x[c] - found[c]) / std::sqrt(squared(x, found));
    CHECK(sum == Approx(0).margin(1e-9));
  }
}

// The middle node of a path of 0, 3, 9 has the median of three numbers; of two every point between
// is one, and their mean stays.
TEST_CASE("the geometric median of numbers is their median", "[exchange]") {
  auto const x = mixed_numbers(path{3}, robust{{aggregation::geometric_median{100}}}, {0, 3, 9}, 1);
  CHECK(x[0] == Approx(1.5));
  CHECK(x[1] == Approx(3).margin(1e-5));
  CHECK(x[2] == Approx(6));
}

// With a radius of 2 node 0 moves by 2 / 2, node 1 by (-2 + 2) / 3, node 2 by -2 / 2; a second
// time node 0 by (-1 + 2) / 2, node 2 by (1 - 2) / 2.
TEST_CASE("centered clipping on a path of three nodes is that by hand", "[exchange]") {
  auto const clipped = [](double radius, std::uint32_t iterations) {
    return mixed_numbers(path{3}, robust{{aggregation::centered_clipping{radius, iterations}}},
                         {0, 3, 9}, 1);
  };
  CHECK(clipped(2, 1) == vector{1, 3, 8});
  CHECK(clipped(2, 2) == vector{1.5, 3, 7.5});
  CHECK(clipped(0, 3) == vector{0, 3, 9});
}

TEST_CASE("centered clipping without a radius is the mean, and keeps it with one", "[exchange]") {
  double const everywhere = std::numeric_limits<double>::infinity();
  check_rule({aggregation::centered_clipping{.radius = everywhere}}, 1e-15, mean_of);
  matrix const x = after(ring{9}, robust{{aggregation::centered_clipping{.radius = 0.3}}}, 5);
  vector const kept = mean_of(x), expected = mean_of(points(9));
  for (std::size_t c = 0; c < 5; ++c) CHECK(kept[c] == Approx(expected[c]).margin(1e-15));
}

// Eight nodes that know all, the last two of them attackers; all take the mean of what is sent.
TEST_CASE("attackers send what the papers say", "[exchange]") {
  matrix const x = points(8), honest(x.begin(), x.end() - 2);
  vector const mean = mean_of(honest);
  auto const check_sent = [&](some_attack const &attack,
                              std::function<double(node, std::size_t)> const &sent) {
    matrix all = x;
    for (node b : {6, 7})
      for (std::size_t c = 0; c < 5; ++c) all[b][c] = sent(b, c);
    check_near(after(complete{8}, robust{{aggregation::weighted_mean{}}, attack, 2}),
               matrix(8, mean_of(all)), 1e-11);
  };
  check_sent({attack::none{}}, [&](node b, std::size_t c) { return x[b][c]; });
  check_sent({attack::bit_flip{}}, [&](node b, std::size_t c) { return -x[b][c]; });
  check_sent({attack::inner_product{0.25}}, [&](node, std::size_t c) { return -0.25 * mean[c]; });
  check_sent({attack::little_is_enough{1.5}}, [&](node, std::size_t c) {
    double sum = 0;
    for (vector const &one : honest) sum += (one[c] - mean[c]) * (one[c] - mean[c]) / 6;
    return mean[c] - 1.5 * std::sqrt(sum);
  });
  check_sent({attack::mimic{2}}, [&](node, std::size_t c) { return x[2][c]; });
  check_sent({attack::mimic{5}}, [&](node, std::size_t c) { return x[5][c]; });
  check_sent({attack::gaussian_noise{0, 0.5}},
             [&](node b, std::size_t c) { return 0.5 * x[b][c]; });
}

// Of neighbors h honest, b attackers: x_i + sum_h w_ih (x_h - x_i) + sum_b w_ib (y_i - x_i) with
// y_i - x_i = -scale sum_h w_ih (x_h - x_i) / sum_b w_ib is x_i + (1 - scale) sum_h w_ih (x_h -
// x_i).
TEST_CASE("dissensus takes from honest nodes what their neighbors give", "[exchange]") {
  random_regular const topology{.nodes = 12, .degree = 6};
  graph const g = topology.build(5);
  mixing_matrix const w = metropolis_hastings{}.weights(g);
  matrix const x = points(12);
  for (double const scale : {0.25, 0.75, 1.0, 2.0}) {
    matrix const found =
        after(topology, robust{{aggregation::weighted_mean{}}, {attack::dissensus{scale}}, 3});
    for (node i = 0; i < 12; ++i) {
      bool const attacked = i < 9 && (w.at(i, 9) > 0 || w.at(i, 10) > 0 || w.at(i, 11) > 0);
      for (std::size_t c = 0; c < 5; ++c) {
        double expected = x[i][c];
        for (node j = 0; j < 12; ++j)
          if (j < 9 || i >= 9)
            expected += (attacked ? 1 - scale : 1) * w.at(i, j) * (x[j][c] - x[i][c]);
        CHECK(found[i][c] == Approx(expected).margin(1e-14));
      }
    }
  }
}

TEST_CASE("rules find what dissensus sends, each receiver its own", "[exchange]") {
  // All have the same weight, and the last two attack.
  auto const check_with = [](std::size_t nodes, some_rule const &rule, double margin,
                             auto by_hand) {
    matrix const x = points(nodes),
                 found = after(complete{nodes}, robust{rule, {attack::dissensus{0.5}}, 2});
    for (node i = 0; i + 2 < nodes; ++i) {
      vector sent = x[i];
      for (std::size_t c = 0; c < 5; ++c)
        for (node h = 0; h + 2 < nodes; ++h) sent[c] -= 0.5 * (x[h][c] - x[i][c]) / 2;
      matrix inputs = x;
      inputs[nodes - 2] = inputs[nodes - 1] = sent;
      vector const expected = by_hand(inputs);
      for (std::size_t c = 0; c < 5; ++c) CHECK(found[i][c] == Approx(expected[c]).margin(margin));
    }
  };
  check_with(8, {aggregation::krum{.byzantine = 2}}, 1e-14,
             [](matrix const &inputs) { return inputs[by_score(inputs, 2)[0]]; });
  check_with(8, {aggregation::krum{.byzantine = 1, .selected = 3}}, 1e-14,
             [](matrix const &inputs) {
               auto const best = by_score(inputs, 1);
               return mean_of({inputs[best[0]], inputs[best[1]], inputs[best[2]]});
             });
  double const everywhere = std::numeric_limits<double>::infinity();
  check_with(8, {aggregation::centered_clipping{.radius = everywhere}}, 1e-14, mean_of);
  for (std::size_t const nodes : {7, 8}) {
    check_with(nodes, {aggregation::geometric_median{.iterations = 1}}, 1e-13,
               [](matrix const &inputs) { return by_weiszfeld(inputs, median_of(inputs), 1); });
    check_with(nodes, {aggregation::geometric_median{1, 1e-6, aggregation::median_start::mean}},
               1e-13,
               [](matrix const &inputs) { return by_weiszfeld(inputs, mean_of(inputs), 1); });
  }
}

// Of nodes that hear all, and two that send -infinity times the mean.
TEST_CASE("infinite models of attackers do not reach the honest", "[exchange]") {
  double const everywhere = std::numeric_limits<double>::infinity();
  for (some_rule const &rule :
       {some_rule{aggregation::coordinate_median{}}, some_rule{aggregation::trimmed_mean{2}},
        some_rule{aggregation::krum{2}}, some_rule{aggregation::geometric_median{}},
        some_rule{aggregation::centered_clipping{1, 2}},
        some_rule{aggregation::self_centered_clipping{}}}) {
    matrix const found = after(complete{8}, robust{rule, {attack::inner_product{everywhere}}, 2});
    for (node i = 0; i < 6; ++i)
      for (std::size_t c = 0; c < 5; ++c) CHECK(std::isfinite(found[i][c]));
  }
}

// Two of seven send -1e4 times the mean of the honest.
TEST_CASE("far attackers do not carry the geometric median off", "[exchange]") {
  matrix const x = points(7), honest(x.begin(), x.end() - 2);
  matrix inputs = x;
  vector const mean = mean_of(honest);
  for (std::size_t c = 0; c < 5; ++c) inputs[5][c] = inputs[6][c] = -1e4 * mean[c];
  vector const median = by_weiszfeld(inputs, median_of(inputs), 20000);
  double widest = 0;
  for (vector const &a : honest)
    for (vector const &b : honest) widest = std::max(widest, std::sqrt(squared(a, b)));
  auto const away = [&](aggregation::geometric_median const &rule) {
    vector const found = after(complete{7}, robust{{rule}, {attack::inner_product{1e4}}, 2})[0];
    return std::sqrt(squared(found, median)) / widest;
  };
  CHECK(away({}) < 1e-2);
  CHECK(away({.iterations = 8, .start = aggregation::median_start::mean}) > 0.5);
}

// After the first round nobody learns: all take 6 / 8 of what all had and an eighth of two noises,
// 2,000 numbers of the deviation 3 sqrt(2) / 8.
TEST_CASE("noise of attackers is new in every round and has its deviation", "[exchange]") {
  small_network network{
      complete{8}, scattered<5>{}, sgd{.rate = 1.0},
      some_exchange{robust{{aggregation::weighted_mean{}}, {attack::gaussian_noise{3, 0}}, 2}}};
  auto const seen = watched(network, {.seed = 5, .stop = rounds{402}}, always).seen;
  double sum = 0, squares = 0, fourths = 0, next = 0, count = 0, last = 0;
  for (std::size_t k = 2; k < seen.size(); ++k)
    for (std::size_t c = 0; c < 5; ++c) {
      double const added = seen[k].rows[0][c] - 0.75 * seen[k - 1].rows[0][c];
      double const noise = added / (3 * std::sqrt(2.0) / 8);
      sum += noise;
      squares += noise * noise;
      fourths += noise * noise * noise * noise;
      next += noise * last;
      last = noise;
      ++count;
    }
  CHECK(count == 2000);
  CHECK(sum / count == Approx(0).margin(4 / std::sqrt(2000.0)));
  CHECK(next / count == Approx(0).margin(4 / std::sqrt(2000.0)));
  CHECK(squares / count == Approx(1).margin(4 * std::sqrt(2 / 2000.0)));
  CHECK(fourths / count == Approx(3).margin(4 * std::sqrt(96 / 2000.0)));
}

// Of 50 nodes 24 attack: 24 of 26 honest ones within z, whose quantile is 1.4261.
TEST_CASE("deviations of attackers follow from their number", "[exchange]") {
  CHECK(attack::little_is_enough::usual_deviations(50, 24) == Approx(1.42608).epsilon(1e-5));
  CHECK(attack::little_is_enough::usual_deviations(10, 2) == Approx(0).margin(1e-12));
}

// Two attackers of eight; every rule that may be misled by two keeps every number between those of
// honest nodes, the mean does not.
TEST_CASE("medians and trimmed means stay within the honest models", "[exchange]") {
  matrix const x = points(8);
  auto const outside = [&](some_rule const &rule) {
    vector const found = after(complete{8}, robust{rule, {attack::inner_product{40}}, 2})[0];
    int count = 0;
    for (std::size_t c = 0; c < 5; ++c) {
      auto const [least, most] = std::minmax_element(
          x.begin(), x.end() - 2, [=](auto const &a, auto const &b) { return a[c] < b[c]; });
      count += found[c] < (*least)[c] || found[c] > (*most)[c];
    }
    return count;
  };
  CHECK(outside({aggregation::coordinate_median{}}) == 0);
  CHECK(outside({aggregation::trimmed_mean{.cut = 2}}) == 0);
  CHECK(outside({aggregation::krum{.byzantine = 2}}) == 0);
  CHECK(outside({aggregation::weighted_mean{}}) > 0);
}

TEST_CASE("attacks cost nothing, and rules the models that they read", "[exchange]") {
  auto const sent = [](some_rule const &rule, std::uint32_t attackers,
                       some_attack const &by = {attack::little_is_enough{1}}) {
    small_network network{random_regular{.nodes = 12, .degree = 6}, scattered<5>{},
                          sgd{.rate = 1.0}, some_exchange{robust{rule, by, attackers}}};
    auto const report = network.run({.seed = 5, .stop = rounds{3}});
    return std::pair{report.bytes_sent, report.virtual_seconds};
  };
  CHECK(sent({aggregation::krum{}}, 3) == sent({aggregation::krum{}}, 0));
  CHECK(sent({aggregation::weighted_mean{}}, 3) == sent({aggregation::weighted_mean{}}, 0));
  CHECK(sent({aggregation::krum{}}, 0).first == 3 * 12 * 6 * 5 * 8);
  CHECK(sent({aggregation::krum{}}, 3, {attack::dissensus{}}).first ==
        sent({aggregation::krum{}}, 0).first);
  CHECK(sent({aggregation::weighted_mean{}}, 3, {attack::dissensus{}}).first ==
        sent({aggregation::weighted_mean{}}, 0).first);
  auto const reads_once = sent({aggregation::krum{}}, 0);
  for (some_rule const &rule :
       {some_rule{aggregation::self_centered_clipping{}},
        some_rule{aggregation::centered_clipping{}},
        some_rule{aggregation::centered_clipping{1, 3}}, some_rule{aggregation::geometric_median{}},
        some_rule{aggregation::geometric_median{3, 1e-6, aggregation::median_start::mean}}}) {
    CHECK((sent(rule, 0) == reads_once));
    CHECK((sent(rule, 3) == reads_once));
    CHECK(sent(rule, 3, {attack::dissensus{}}).first == reads_once.first);
  }
}

TEST_CASE("robust gossip refuses too many attackers", "[exchange]") {
  graph const all = complete{8}.build(), narrow = ring{8}.build();
  CHECK_THROWS_WITH(
      (robust{{}, {}, 4}.check(all)),
      contains("robust_gossip: attackers: expected fewer than half of 8 nodes, got 4"));
  CHECK_THROWS_WITH(
      (robust{{aggregation::coordinate_median{}}, {attack::dissensus{}}, 2}.check(all)),
      contains("robust_gossip: rule: expected a rule that reads models separately, since attackers "
               "send each receiver a different model"));
  CHECK_NOTHROW(robust{{aggregation::coordinate_median{}}, {attack::dissensus{}}, 0}.check(all));
  CHECK_NOTHROW(robust{{aggregation::krum{}}, {attack::dissensus{}}, 2}.check(all));
  CHECK_THROWS_WITH(
      (robust{{aggregation::krum{.byzantine = 1}}}.check(narrow)),
      contains("krum: byzantine: expected at most (m - 3) / 2 in every neighborhood of "
               "m models, got 1 where node 0 has 3"));
  CHECK_NOTHROW(robust{{aggregation::krum{.byzantine = 2}}}.check(all));
  CHECK_THROWS_WITH((robust{{aggregation::krum{.byzantine = 3}}}.check(all)),
                    contains("got 3 where node 0 has 8"));
  CHECK_THROWS_WITH((robust{{aggregation::trimmed_mean{.cut = 5}}}.check(all)),
                    contains("trimmed_mean: cut: expected 1 to 4, got 5"));
}

// Weights of one peer in turns have neighborhoods of two on a graph whose degrees are more.
TEST_CASE("rules refuse cuts and numbers that no neighborhood has room for", "[exchange]") {
  graph const all = complete{8}.build(), narrow = ring{8}.build();
  CHECK_NOTHROW(robust{{aggregation::trimmed_mean{.cut = 1}}}.check(narrow));
  CHECK_THROWS_WITH((robust{{aggregation::trimmed_mean{.cut = 2}}}.check(narrow)),
                    contains("trimmed_mean: cut: expected at most (m - 1) / 2 in every "
                             "neighborhood of m models, got 2 where node 0 has 3"));
  CHECK_NOTHROW(robust{{aggregation::trimmed_mean{.cut = 3}}}.check(all));
  CHECK_THROWS_WITH((robust{{aggregation::trimmed_mean{.cut = 4}}}.check(all)),
                    contains("got 4 where node 0 has 8"));
  CHECK_NOTHROW(robust{{aggregation::krum{.byzantine = 0, .selected = 8}}}.check(all));
  CHECK_THROWS_WITH((robust{{aggregation::krum{.byzantine = 0, .selected = 9}}}.check(all)),
                    contains("krum: selected: expected at most m in every neighborhood of m "
                             "models, got 9 where node 0 has 8"));
  robust_gossip<aggregation::trimmed_mean, attack::none, one_peer> const in_turns{};
  CHECK_THROWS_WITH(in_turns.check(exponential{8}.build()), contains("got 1 where node 0 has 2"));
  CHECK_THROWS_WITH((robust{{aggregation::geometric_median{.iterations = 0}}}.check(all)),
                    contains("geometric_median: iterations: expected at least 1, got 0"));
}

TEST_CASE("attacks whose numbers make them none are refused", "[exchange]") {
  graph const all = complete{8}.build();
  auto const with = [](some_attack const &attack, std::uint32_t attackers) {
    return robust{{aggregation::weighted_mean{}}, attack, attackers};
  };
  CHECK_THROWS_WITH(with({attack::little_is_enough{}}, 1).check(all),
                    contains("little_is_enough: deviations: expected above 0, since the paper's "
                             "number for 1 attacker among 8 nodes is 0 and they would send the "
                             "mean of the honest, got 0"));
  CHECK_THROWS_WITH(with({attack::little_is_enough{}}, 2).check(all),
                    contains("for 2 attackers among 8 nodes is 0"));
  CHECK_NOTHROW(with({attack::little_is_enough{}}, 3).check(all));
  CHECK_NOTHROW(with({attack::little_is_enough{}}, 0).check(all));
  CHECK_NOTHROW(with({attack::little_is_enough{0.5}}, 1).check(all));
  CHECK_THROWS_WITH(with({attack::mimic{6}}, 2).check(all),
                    contains("mimic: victim: expected below 6, the honest nodes, got 6"));
  CHECK_NOTHROW(with({attack::mimic{5}}, 2).check(all));
  CHECK_THROWS_WITH(with({attack::dissensus{0}}, 2).check(all),
                    contains("dissensus: scale: expected above 0, got 0"));
  CHECK_THROWS_WITH(with({attack::gaussian_noise{0, 1}}, 2).check(all),
                    contains("gaussian_noise: deviation: expected above 0 where all of the "
                             "attacker's model is kept, got 0"));
  CHECK_NOTHROW(with({attack::gaussian_noise{0, 0.5}}, 2).check(all));
  CHECK_NOTHROW(with({attack::inner_product{0}}, 2).check(all));
  CHECK_NOTHROW(with({attack::none{}}, 2).check(all));
}

// Of nine nodes two attack: 4 of 7 honest ones within z, whose quantile is 0.18001.
TEST_CASE("a run says how many deviations attackers send", "[exchange]") {
  robust_gossip<aggregation::krum, attack::little_is_enough> exchange{.attackers = 2};
  using said = std::vector<std::string>;
  CHECK(exchange.remarks(complete{9}.build()) ==
        said{"little_is_enough: z is 0.18, for 2 attackers among 9 nodes"});
  exchange.attack.deviations = 1.5;
  CHECK(exchange.remarks(complete{8}.build()) ==
        said{"little_is_enough: z is 1.5, for 2 attackers among 8 nodes"});
  exchange.attackers = 0;
  CHECK(exchange.remarks(complete{8}.build()).empty());
}

}  // namespace gossip::test::robust
