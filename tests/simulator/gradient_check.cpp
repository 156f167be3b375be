// The public check of gradients finds what is wrong, and says where.
#include <gossip/simulator/gradient_check.hpp>

#include <cstddef>

#include <gossip/backend/cpu.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/quadratic.hpp>

#include "../catch.hpp"

namespace {

using gossip::check_gradient;
using gossip::check_layer_gradient;
using gossip::tensor_shape;

/// to = factor x from: one value of one lane a call.
template <class T>
struct scaled {
  gossip::strided<T const> from;
  gossip::strided<T> to;
  std::size_t lanes;
  T factor;
  constexpr void operator()(std::size_t j, std::size_t row, std::size_t lane) const {
    to.at(j)[row * lanes + lane] = factor * from.at(j)[row * lanes + lane];
  }
};

/// Doubles its input; its gradient is Factor times the output's.
template <int Factor>
struct doubled {
  template <tensor_shape In>
  struct on : gossip::without_parameters {
    static constexpr tensor_shape out = In;
    template <class Worker, class T>
    static void forward(Worker &worker, gossip::layer_pass<T> const &p) {
      worker.for_each(p.k, In.size(), p.lanes, scaled<T>{p.in, p.out, p.lanes, T{2}});
    }
    template <class Worker, class T>
    static void backward(Worker &worker, gossip::layer_pass<T> const &p) {
      if (p.in_gradient.data)
        worker.for_each(p.k, In.size(), p.lanes,
                        scaled<T>{p.out_gradient, p.in_gradient, p.lanes, T{Factor}});
    }
  };
};

/// f(x) = x^3, whose gradient is Factor x^2.
template <int Factor>
struct cubic {
  static constexpr std::size_t parameters = 2;
  static constexpr bool learns_from_samples = false;
  static constexpr double training_flops = 2, evaluation_flops = 2;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    row[0] = T{2};
    row[1] = T{1};
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &, gossip::training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      T const *const x = task.parameters.at(j);
      *task.loss.at(j) = static_cast<double>(x[0] * x[0] * x[0] + x[1]);
      task.gradient.at(j)[0] = T{Factor} * x[0] * x[0];
      task.gradient.at(j)[1] = T{1};
    }
  }
};

}  // namespace

TEST_CASE("a layer whose gradient is right passes, on both backends", "[simulator]") {
  CHECK(check_layer_gradient<doubled<2>, tensor_shape{2, 3, 3}>().error() < 1e-8);
  CHECK(check_layer_gradient<doubled<2>, tensor_shape{2, 3, 3}, gossip::cpu>().error() < 1e-8);
  CHECK(check_layer_gradient<gossip::batch_norm, tensor_shape{2, 3, 3}>().error() < 1e-7);
}

TEST_CASE("a layer whose gradient is wrong is refused by parameter and numbers", "[simulator]") {
  CHECK_THROWS_WITH((check_layer_gradient<doubled<1>, tensor_shape{2, 3, 3}>()),
                    gossip::test::contains("check_gradient: parameter ") &&
                        gossip::test::contains(", the central difference of the loss, got "));
}

TEST_CASE("a model of one's own is compared at its start", "[simulator]") {
  auto const worst = check_gradient(cubic<3>{});
  CHECK(worst.error() < 1e-8);
  CHECK_THROWS_WITH(check_gradient(cubic<2>{}),
                    gossip::test::contains("check_gradient: parameter 0: expected 11.99999") &&
                        gossip::test::contains("got 8"));
  CHECK_NOTHROW(check_gradient(gossip::quadratic<3>{.curvature = {0.7}, .optimum = {0.3}}));
}
