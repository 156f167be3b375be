// A small convolutional network on synthetic images, run on any backend: for comparing engines.
#pragma once

#include <gossip/data/iid.hpp>
#include <gossip/data/split.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/random_regular.hpp>

namespace gossip::test {

using small_model = sequential<input<1, 8, 8>, conv2d<3, 3>, max_pool<2>, dense<7>, relu, dense<4>>;

using normalised_model =
    sequential<input<1, 8, 8>, conv2d<3, 3>, batch_norm, relu, residual<branch<conv2d<3, 1>>>,
               group_norm<1>, dropout<10>, dense<4>>;

inline dataset const &small_images() {
  static dataset const images = synthetic{.samples = 300, .shape = {1, 8, 8}, .classes = 4}.build();
  return images;
}

/// A model in a type that holds any, so that a simulator is compiled once for all of them.
template <class Model, class Backend>
basic_any_model<float, Backend> held_model_of(Backend const &) {
  return Model{};
}

/// Six rounds of twelve nodes; batches of 70 take two chunks.
template <class Model = small_model, class Exchange, class Optimizer, class Backend>
run_report run_small_network(Exchange exchange, Optimizer optimizer, Backend backend) {
  simulator network{random_regular{.nodes = 12, .degree = 3}, held_model_of<Model>(backend),
                    optimizer, exchange, backend};
  return network.run({.seed = 3, .batch = 70, .stop = rounds{6}}, split(small_images(), iid{}),
                     every(rounds{2}, accuracy{small_images(), {.nodes = 5}}),
                     consensus_distance{});
}

}  // namespace gossip::test
