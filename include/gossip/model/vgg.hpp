// VGG networks for 32 x 32 images: Simonyan and Zisserman, "Very deep convolutional networks for
// large-scale image recognition", ICLR 2015, with batch normalisation and one dense layer, the form
// that CIFAR-10 experiments use.
#pragma once

#include <cstddef>

#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/sequential.hpp>

namespace gossip {

namespace detail {

template <std::size_t Filters>
using vgg_filters = conv2d<Filters, 3, convolution_options{.padding = 1, .begin = start::he}>;

}  // namespace detail

/// Configuration A: 8 convolutions, 37 MB of parameters.
using vgg11 =
    sequential<input<3, 32, 32>, detail::vgg_filters<64>, batch_norm, relu, max_pool<2>,          //
               detail::vgg_filters<128>, batch_norm, relu, max_pool<2>,                           //
               detail::vgg_filters<256>, batch_norm, relu, detail::vgg_filters<256>, batch_norm,  //
               relu, max_pool<2>,                                                                 //
               detail::vgg_filters<512>, batch_norm, relu, detail::vgg_filters<512>, batch_norm,  //
               relu, max_pool<2>,                                                                 //
               detail::vgg_filters<512>, batch_norm, relu, detail::vgg_filters<512>, batch_norm,  //
               relu, max_pool<2>, dense<10>>;

/// Configuration D: 13 convolutions, 59 MB of parameters.
using vgg16 =
    sequential<input<3, 32, 32>,                                                                  //
               detail::vgg_filters<64>, batch_norm, relu, detail::vgg_filters<64>, batch_norm,    //
               relu, max_pool<2>,                                                                 //
               detail::vgg_filters<128>, batch_norm, relu, detail::vgg_filters<128>, batch_norm,  //
               relu, max_pool<2>,                                                                 //
               detail::vgg_filters<256>, batch_norm, relu, detail::vgg_filters<256>, batch_norm,  //
               relu, detail::vgg_filters<256>, batch_norm, relu, max_pool<2>,                     //
               detail::vgg_filters<512>, batch_norm, relu, detail::vgg_filters<512>, batch_norm,  //
               relu, detail::vgg_filters<512>, batch_norm, relu, max_pool<2>,                     //
               detail::vgg_filters<512>, batch_norm, relu, detail::vgg_filters<512>, batch_norm,  //
               relu, detail::vgg_filters<512>, batch_norm, relu, max_pool<2>, dense<10>>;

}  // namespace gossip
