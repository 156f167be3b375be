// Tensors of models against the shapes that PyTorch's parameters of the same networks have.
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/zoo.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include "../catch.hpp"

namespace {

using shapes = std::vector<std::pair<std::size_t, std::size_t>>;

/// Shapes of a model's tensors, which lie one behind the other in all trainable columns.
template <class Model>
shapes shapes_of() {
  shapes all;
  std::size_t next = 0;
  gossip::row_tensors const tensors(gossip::tensors_of<Model>);
  for (gossip::row_tensor const &one : tensors) {
    CHECK(one.first == next);
    next += one.size();
    all.emplace_back(one.rows, one.columns);
  }
  CHECK(next == Model::parameters);
  CHECK(tensors.columns() == Model::parameters);
  return all;
}

/// A layer that does not say what its parameters are.
struct plain_layer {
  template <gossip::tensor_shape In>
  struct on {
    static constexpr gossip::tensor_shape out = In;
    static constexpr std::size_t parameters = 5, saved = 0;
    static constexpr double forward_flops = 0;
    static constexpr double backward_flops(bool) { return 0; }
    template <class T>
    static void initialise(std::span<T>, gossip::keyed_random &) {}
    template <class Worker, class T>
    static void forward(Worker &, gossip::layer_pass<T> const &) {}
    template <class Worker, class T>
    static void backward(Worker &, gossip::layer_pass<T> const &) {}
  };
};

}  // namespace

TEST_CASE("tensors of a model are its weights and biases", "[model]") {
  CHECK(shapes_of<gossip::mlp>() == shapes{{100, 784}, {100, 1}, {10, 100}, {10, 1}});
  CHECK(shapes_of<gossip::lenet5>() ==
        shapes{{20, 25}, {20, 1}, {50, 500}, {50, 1}, {500, 800}, {500, 1}, {10, 500}, {10, 1}});
  using normed = gossip::sequential<gossip::input<2, 4, 4>, gossip::conv2d<6, 3>,
                                    gossip::group_norm<3>, gossip::relu, gossip::dense<1>>;
  CHECK(shapes_of<normed>() == shapes{{6, 18}, {6, 1}, {6, 1}, {6, 1}, {1, 24}, {1, 1}});
}

TEST_CASE("tensors of residual networks come block by block, shortcuts behind bodies", "[model]") {
  shapes of_20{{16, 27}};
  auto const add = [](shapes &to, shapes const &more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  auto const norm = [](std::size_t channels) { return shapes{{channels, 1}, {channels, 1}}; };
  auto const filters = [&](shapes &to, std::size_t out, std::size_t in, std::size_t taps) {
    add(to, {{out, in * taps}});
    add(to, norm(out));
  };
  add(of_20, norm(16));
  std::size_t in = 16;
  for (std::size_t const out : {16, 16, 16, 32, 32, 32, 64, 64, 64}) {
    filters(of_20, out, in, 9);
    filters(of_20, out, out, 9);
    in = out;
  }
  add(of_20, {{10, 64}, {10, 1}});
  CHECK(shapes_of<gossip::resnet20>() == of_20);

  shapes of_18{{64, 27}};
  add(of_18, norm(64));
  in = 64;
  for (std::size_t const out : {64, 64, 128, 128, 256, 256, 512, 512}) {
    filters(of_18, out, in, 9);
    filters(of_18, out, out, 9);
    if (in != out) filters(of_18, out, in, 1);
    in = out;
  }
  add(of_18, {{10, 512}, {10, 1}});
  CHECK(shapes_of<gossip::resnet18>() == of_18);
  CHECK(of_18.size() == 62);
}

TEST_CASE("what is not described is one vector", "[model]") {
  CHECK(shapes_of<gossip::quadratic<7>>() == shapes{{7, 1}});
  using own = gossip::sequential<gossip::input<1, 2, 2>, plain_layer, gossip::dense<3>>;
  CHECK(shapes_of<own>() == shapes{{5, 1}, {3, 4}, {3, 1}});
}
