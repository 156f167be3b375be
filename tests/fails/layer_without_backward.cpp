// expect: gossip::sequential: the layer must have static void backward(Worker &, layer_pass<T>
// const &)
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/model/sequential.hpp>

struct same {
  template <gossip::tensor_shape In>
  struct on : gossip::without_parameters {
    static constexpr gossip::tensor_shape out = In;

    template <class Worker, class T>
    static void forward(Worker &, gossip::layer_pass<T> const &) {}
#ifndef GOSSIP_FAILS
    template <class Worker, class T>
    static void backward(Worker &, gossip::layer_pass<T> const &) {}
#endif
  };
};

auto const count = gossip::sequential<gossip::input<1, 4, 4>, same, gossip::dense<2>>::parameters;
