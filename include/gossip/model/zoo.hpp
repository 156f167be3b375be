// The models everybody trains, by the names papers give them.
#pragma once

#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/resnet.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/model/vgg.hpp>

namespace gossip {

/// LeNet-5 in the form that Caffe made common (20 and 50 filters, 500 hidden units): 431,080
/// parameters.
using lenet5 = sequential<input<1, 28, 28>, conv2d<20, 5>, max_pool<2>, conv2d<50, 5>, max_pool<2>,
                          dense<500>, relu, dense<10>>;

/// LeNet-5 as LeCun, Bottou, Bengio and Haffner (1998) laid it out for digits, in today's form:
/// full connections between the convolutions, relu, softmax: 61,706 parameters.
using lenet5_classic =
    sequential<input<1, 28, 28>, conv2d<6, 5, convolution_options{.padding = 2}>, relu, avg_pool<2>,
               conv2d<16, 5>, relu, avg_pool<2>, dense<120>, relu, dense<84>, relu, dense<10>>;

/// The same layers for colour photographs of 32 x 32, with maxima for means, as PyTorch's first
/// tutorial has them and benchmarks of federated learning took them over: 62,006 parameters.
using lenet5_cifar10 = sequential<input<3, 32, 32>, conv2d<6, 5>, relu, max_pool<2>, conv2d<16, 5>,
                                  relu, max_pool<2>, dense<120>, relu, dense<84>, relu, dense<10>>;

/// A multilayer perceptron 784-100-10: 79,510 parameters.
using mlp = sequential<input<1, 28, 28>, dense<100>, relu, dense<10>>;

/// Multinomial logistic regression on 28 x 28 images: 7,850 parameters.
using softmax_regression = sequential<input<1, 28, 28>, dense<10>>;

}  // namespace gossip
