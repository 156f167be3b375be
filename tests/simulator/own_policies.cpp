// A user's own policies, one of each kind, and runs made of them. The pages of docs/ quote them.
#include <gossip/gossip.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../catch.hpp"

namespace {

// quote topology
/// Islands whose nodes all talk to each other; the first nodes of neighbouring islands do too.
struct islands {
  std::size_t count = 4;
  std::size_t size = 4;

  gossip::graph build(std::uint64_t /*seed*/) const {
    if (count == 0 || size == 0) throw gossip::input_error("islands", "at least one node", "none");
    std::vector<gossip::edge> edges;
    for (gossip::node i = 0; i < count * size; ++i) {
      for (gossip::node j = i + 1; j < (i / size + 1) * size; ++j) edges.push_back({i, j});
      if (i >= size && i % size == 0) edges.push_back({static_cast<gossip::node>(i - size), i});
    }
    return gossip::graph::undirected(count * size, edges);
  }
};
static_assert(gossip::topology<islands>);
// end quote

// quote weights
/// Metropolis-Hastings weights, with at least half of its own model kept by every node.
struct cautious {
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::lazy(gossip::metropolis_hastings{}.weights(g));
  }
};
static_assert(gossip::weight_rule<cautious>);
// end quote

// quote clock
/// Every tenth training takes longer: the machine writes its files.
struct pausing_time {
  gossip::virtual_time usual = std::chrono::milliseconds(10);
  gossip::virtual_time pause = std::chrono::milliseconds(80);

  gossip::virtual_time duration(std::uint64_t, gossip::node, std::uint64_t step) const {
    return step % 10 == 9 ? pause : usual;
  }
};
static_assert(gossip::compute_model<pausing_time>);
// end quote

// quote split
/// Sample i goes to node i mod nodes.
struct by_turns {
  gossip::partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                           std::uint64_t) const {
    std::vector<gossip::node> owner(labels.size());
    for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = static_cast<gossip::node>(i % nodes);
    return gossip::group_by<gossip::node>(owner, nodes);
  }
};
static_assert(gossip::split_policy<by_turns>);
// end quote

// quote optimizer
/// signSGD: every parameter moves by the rate, against the sign of its gradient.
struct sign_sgd {
  static constexpr std::size_t rows = 1;  // the gradient, until its step
  double rate = 0.001;

  static constexpr void absorb(auto gradient, auto, auto *row) { row[0] = gradient; }
  static constexpr void step(auto scale, auto &parameter, auto const *row) {
    parameter -= scale * static_cast<decltype(scale)>((row[0] > 0) - (row[0] < 0));
  }
};
static_assert(gossip::optimizer<sign_sgd>);
// end quote

// quote layer
/// to = from where x is above 0, from / 8 elsewhere: one value of one lane a call.
template <class T>
struct leak {
  gossip::strided<T const> x, from;
  gossip::strided<T> to;
  std::size_t lanes;

  constexpr void operator()(std::size_t node, std::size_t row, std::size_t lane) const {
    std::size_t const at = row * lanes + lane;
    T const value = from.at(node)[at];
    to.at(node)[at] = x.at(node)[at] > T{0} ? value : value / T{8};
  }
};

struct leaky_relu {
  template <gossip::tensor_shape In>
  struct on {
    static constexpr gossip::tensor_shape out = In;
    static constexpr std::size_t parameters = 0, saved = 0;
    static constexpr double forward_flops = 0;
    static constexpr double backward_flops(bool) { return 0; }

    template <class T>
    static void initialise(std::span<T>, gossip::keyed_random &) {}

    template <class Worker, class T>
    static void forward(Worker &worker, gossip::layer_pass<T> const &p) {
      worker.for_each(p.k, In.size(), p.lanes, leak<T>{p.in, p.in, p.out, p.lanes});
    }
    template <class Worker, class T>
    static void backward(Worker &worker, gossip::layer_pass<T> const &p) {
      if (p.in_gradient.data)
        worker.for_each(p.k, In.size(), p.lanes,
                        leak<T>{p.in, p.out_gradient, p.in_gradient, p.lanes});
    }
  };
};
// end quote

// quote sequential
using small_network =
    gossip::sequential<gossip::input<1, 8, 8>, gossip::dense<16>, leaky_relu, gossip::dense<10>>;
static_assert(small_network::parameters == (64 + 1) * 16 + (16 + 1) * 10);
// end quote

// quote model
/// f_i(x) = |x - i|: node i wants x to be its own number; the network's optimum is the median.
struct own_number {
  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = false;
  static constexpr double training_flops = 2, evaluation_flops = 2;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    row[0] = T{0};
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &, gossip::training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      T const away = task.parameters.at(j)[0] - static_cast<T>(task.nodes[j]);
      task.gradient.at(j)[0] = static_cast<T>((away > T{0}) - (away < T{0}));
      *task.loss.at(j) = static_cast<double>(std::abs(away));
    }
  }
};
// end quote

// quote rounds
/// Every node trains and steps in every round; every `period` rounds models are mixed.
struct local_steps {
  std::uint64_t period = 4;

  void on_round(auto &plan, gossip::round_number k) const {
    plan.train_all();
    plan.step_all();
    if ((k + 1) % period == 0) plan.mix_all(plan.weights(k));
  }
  auto weights(gossip::graph const &g) const { return gossip::metropolis_hastings{}.weights(g); }

  /// No training waits for its step until another node's model is there.
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};
// end quote

// quote observer
/// Keeps the loss of every observation. The run gets a copy, hence the pointer.
struct loss_history {
  std::vector<double> *losses;

  void take(gossip::record const &r) { losses->push_back(r.loss); }
};
// end quote

// quote measurement
/// The accuracy of some nodes on all samples of a test set, and how far the first of them is from
/// the mean model. The set and the lists outlive the run.
struct accuracy_of {
  gossip::dataset const *test;
  std::vector<std::uint32_t> nodes;
  std::vector<double> *accuracies, *distances;

  template <class Context>
  void measure(Context &context, gossip::record &) const {
    std::vector<std::uint32_t> samples(test->size());
    std::iota(samples.begin(), samples.end(), 0U);
    double correct = 0;
    for (gossip::evaluation const &of : context.evaluate(nodes, nullptr, *test, samples))
      correct += of.correct;
    accuracies->push_back(correct / static_cast<double>(nodes.size() * samples.size()));

    auto const *x = context.rows().parameters(nodes[0]), *mean = context.mean_model();
    double squares = 0;
    for (std::size_t c = 0; c < context.outline().parameters; ++c) {
      double const away = static_cast<double>(x[c]) - static_cast<double>(mean[c]);
      squares += away * away;
    }
    distances->push_back(squares);
  }
  gossip::dataset const &test_set() const { return *test; }
};
// end quote

}  // namespace

TEST_CASE("a user's layer and network have the gradients of their losses", "[simulator]") {
  // quote gradient_check
  gossip::check_layer_gradient<leaky_relu, gossip::tensor_shape{2, 4, 4}>();
  gossip::check_gradient(small_network{}, {.samples = 8});
  // end quote
}

TEST_CASE("a network of a user's own policies learns, in both engines alike", "[simulator]") {
  // quote run
  auto const all = gossip::synthetic{.samples = 1000, .noise = 2.0}.build();
  auto const train = all.take(0, 800), test = all.take(800, 200);

  gossip::simulator network{islands{.count = 3, .size = 3},
                            small_network{},
                            sign_sgd{.rate = 0.01},
                            gossip::d_psgd<cautious>{},
                            gossip::virtual_clock{.compute = pausing_time{}},
                            gossip::cpu{.threads = 2},
                            gossip::with_reference{}};

  gossip::run_settings settings{.seed = 1, .batch = 16, .stop = gossip::epochs{4}};
  std::vector<double> losses;
  auto const report = network.run(
      settings, gossip::split(train, by_turns{}),
      gossip::every(gossip::epochs{1}, gossip::accuracy{test}, gossip::consensus_distance{}),
      loss_history{&losses});
  // end quote
  REQUIRE(losses.size() == 5);
  CHECK(std::isnan(losses[0]));  // before anything is trained
  CHECK(losses.back() < 0.5 * losses[1]);
  CHECK(report.last.accuracy->mean > 0.5);

  // quote dry_run
  gossip::plan_report const plan = network.dry_run(settings, {.samples = 800, .feature_bytes = 4});
  CHECK(plan.node_iterations == report.node_iterations);
  CHECK(plan.virtual_seconds == report.virtual_seconds);
  CHECK(plan.bytes_sent == report.bytes_sent);
  CHECK(plan.memory.total() == report.announced.total());
  // end quote

  // quote reference
  settings.engine = gossip::execution::reference;
  auto const again = network.run(settings, gossip::split(train, by_turns{}));
  CHECK(again.digest == report.digest);
  // end quote
}

TEST_CASE("an exchange in rounds of a user's own has the digest of the library's", "[simulator]") {
  auto const samples = gossip::synthetic{.samples = 300}.build();
  auto const digest = [&](gossip::any_exchange const &exchange) {
    gossip::simulator network{gossip::ring{.nodes = 3}, small_network{}, gossip::sgd{.rate = 0.1},
                              exchange};
    return network.run({.batch = 10, .stop = gossip::rounds{8}}, gossip::split(samples, by_turns{}))
        .digest;
  };
  auto const in_step = digest(gossip::d_psgd{.order = gossip::mixing_order::adapt_then_combine});
  CHECK(digest(local_steps{.period = 1}) == in_step);
  CHECK(digest(local_steps{.period = 4}) != in_step);
}

TEST_CASE("an observer of a user's own measures some of the nodes", "[simulator]") {
  auto const all = gossip::synthetic{.samples = 1000, .noise = 2.0}.build();
  auto const train = all.take(0, 800), test = all.take(800, 200);
  gossip::simulator network{gossip::ring{.nodes = 3}, small_network{}, gossip::sgd{.rate = 0.1},
                            gossip::d_psgd{}};
  std::vector<double> accuracies[4], distances[4];
  auto const of = [&](std::vector<std::uint32_t> nodes, std::size_t k) {
    return accuracy_of{&test, std::move(nodes), &accuracies[k], &distances[k]};
  };
  auto const report = network.run({.seed = 1, .batch = 16, .stop = gossip::epochs{1}},
                                  gossip::split(train, gossip::iid{}), gossip::accuracy{test},
                                  gossip::consensus_distance{}, of({0, 1, 2}, 0), of({0}, 1),
                                  of({1}, 2), of({2}, 3));
  CHECK(accuracies[0] == std::vector{report.last.accuracy->mean});
  CHECK(accuracies[1][0] + accuracies[2][0] + accuracies[3][0] ==
        Approx(3 * report.last.accuracy->mean));
  CHECK(report.last.accuracy->min == std::min({accuracies[1], accuracies[2], accuracies[3]})[0]);
  CHECK((distances[1][0] + distances[2][0] + distances[3][0]) / 3 ==
        Approx(*report.last.consensus_distance).epsilon(1e-6));
}

TEST_CASE("nodes with numbers of their own agree on about the median", "[simulator]") {
  // quote own_data
  gossip::simulator network{gossip::complete{.nodes = 16}, own_number{}, gossip::sgd{.rate = 0.05},
                            gossip::d_psgd{}, gossip::numbers<double>{}};
  auto const report = network.run({.stop = gossip::rounds{1000}},
                                  gossip::every(gossip::rounds{100}, gossip::consensus_distance{}));
  // end quote
  CHECK(*report.last.consensus_distance == Approx(0.05 * 0.05).epsilon(0.1));
  CHECK(report.last.loss == Approx(4.0).margin(0.1));  // the mean of |7.5 - i| for i = 0 to 15
}

TEST_CASE("a user's own samples are a dataset", "[simulator]") {
  // quote dataset
  // Two features a sample, three samples, two classes.
  std::vector<float> features{0.0F, 1.0F, 1.0F, 0.0F, 0.0F, 2.0F};
  std::vector<std::uint16_t> labels{0, 1, 0};
  gossip::dataset const points("points", {.channels = 1, .height = 1, .width = 2}, 2,
                               std::move(features), std::move(labels));
  // end quote
  CHECK(points.size() == 3);
  CHECK_FALSE(points.stored_as_bytes());
}
