// Residual networks for 32 x 32 images: He, Zhang, Ren, Sun, CVPR 2016.
#pragma once

#include <cstddef>

#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>

namespace gossip {

namespace detail {

/// 3 x 3 filters without bias, as they stand before a batch normalisation.
template <std::size_t Filters, std::size_t Stride = 1>
using filters3 =
    conv2d<Filters, 3,
           convolution_options{.stride = Stride, .padding = 1, .bias = false, .begin = start::he}>;

template <std::size_t Filters, std::size_t Stride>
using filters1 =
    conv2d<Filters, 1, convolution_options{.stride = Stride, .bias = false, .begin = start::he}>;

/// Two convolutions around which the input goes unchanged, or through `Shortcut`.
template <std::size_t Filters, std::size_t Stride = 1, class Shortcut = branch<>>
using basic_block =
    residual<branch<filters3<Filters, Stride>, batch_norm, relu, filters3<Filters>, batch_norm>,
             Shortcut>;

template <std::size_t Filters>
using narrowing_block = basic_block<Filters, 2, branch<subsample<Filters, 2>>>;

template <std::size_t Filters>
using projecting_block = basic_block<Filters, 2, branch<filters1<Filters, 2>, batch_norm>>;

}  // namespace detail

/// ResNet-20 of He et al., section 4.2: 16, 32 and 64 filters, three blocks each, shortcuts without
/// parameters (option A).
using resnet20 = sequential<input<3, 32, 32>, detail::filters3<16>, batch_norm, relu,          //
                            detail::basic_block<16>, relu, detail::basic_block<16>, relu,      //
                            detail::basic_block<16>, relu,                                     //
                            detail::narrowing_block<32>, relu, detail::basic_block<32>, relu,  //
                            detail::basic_block<32>, relu,                                     //
                            detail::narrowing_block<64>, relu, detail::basic_block<64>, relu,  //
                            detail::basic_block<64>, relu, global_avg_pool, dense<10>>;

/// ResNet-18 in the form that CIFAR-10 experiments use: a first layer of 3 x 3 filters and no
/// pooling before the blocks.
using resnet18 = sequential<input<3, 32, 32>, detail::filters3<64>, batch_norm, relu,             //
                            detail::basic_block<64>, relu, detail::basic_block<64>, relu,         //
                            detail::projecting_block<128>, relu, detail::basic_block<128>, relu,  //
                            detail::projecting_block<256>, relu, detail::basic_block<256>, relu,  //
                            detail::projecting_block<512>, relu, detail::basic_block<512>, relu,  //
                            global_avg_pool, dense<10>>;

}  // namespace gossip
