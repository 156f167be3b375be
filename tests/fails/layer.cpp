// Layers that do not fit: in themselves or on what comes before them.
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>

template <std::size_t Channels, class... Layers>
constexpr std::size_t parameters =
    gossip::sequential<gossip::input<Channels, 4, 4>, Layers..., gossip::dense<2>>::parameters;

// expect: gossip::avg_pool: the window must be positive.
namespace avg_pool_of_nothing {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::avg_pool<0>>;
#else
auto const count = parameters<1, gossip::avg_pool<1>>;
#endif
}  // namespace avg_pool_of_nothing

// expect: gossip::avg_pool: the window must not be larger than its input
namespace avg_pool_too_large {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::avg_pool<5>>;
#else
auto const count = parameters<1, gossip::avg_pool<4>>;
#endif
}  // namespace avg_pool_too_large

// expect: gossip::conv2d: filters and kernel must be positive.
namespace conv2d_of_nothing {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::conv2d<0, 3>>;
#else
auto const count = parameters<1, gossip::conv2d<1, 3>>;
#endif
}  // namespace conv2d_of_nothing

// expect: gossip::conv2d: the padding must be less than the kernel
namespace conv2d_padded_too_far {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::conv2d<3, 3, gossip::convolution_options{.padding = 3}>>;
#else
auto const count = parameters<1, gossip::conv2d<3, 3, gossip::convolution_options{.padding = 2}>>;
#endif
}  // namespace conv2d_padded_too_far

// expect: gossip::conv2d: the kernel must not be larger than its input
// expect: gossip::conv2d<3, 5>::on<gossip::tensor_shape{1, 4, 4}>
namespace conv2d_too_large {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::conv2d<3, 5>>;
#else
auto const count = parameters<1, gossip::conv2d<3, 4>>;
#endif
}  // namespace conv2d_too_large

// expect: gossip::conv2d: the kernel must not be larger than its input with padding
namespace conv2d_too_large_with_padding {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::conv2d<3, 7, gossip::convolution_options{.padding = 1}>>;
#else
auto const count = parameters<1, gossip::conv2d<3, 6, gossip::convolution_options{.padding = 1}>>;
#endif
}  // namespace conv2d_too_large_with_padding

// expect: gossip::conv2d: the stride must be positive.
namespace conv2d_without_stride {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::conv2d<3, 3, gossip::convolution_options{.stride = 0}>>;
#else
auto const count = parameters<1, gossip::conv2d<3, 3, gossip::convolution_options{.stride = 2}>>;
#endif
}  // namespace conv2d_without_stride

// expect: gossip::dense: units must be positive.
namespace dense_of_nothing {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::dense<0>>;
#else
auto const count = parameters<1, gossip::dense<1>>;
#endif
}  // namespace dense_of_nothing

// expect: gossip::dropout: less than 100 percent can be dropped.
namespace dropout_of_everything {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::dropout<100>>;
#else
auto const count = parameters<1, gossip::dropout<99>>;
#endif
}  // namespace dropout_of_everything

// expect: gossip::group_norm: the channels must be a multiple of the groups.
namespace group_norm_with_a_remainder {
#ifdef GOSSIP_FAILS
auto const count = parameters<6, gossip::group_norm<4>>;
#else
auto const count = parameters<6, gossip::group_norm<3>>;
#endif
}  // namespace group_norm_with_a_remainder

// expect: gossip::group_norm: the channels must be a multiple of the groups.
namespace group_norm_without_groups {
#ifdef GOSSIP_FAILS
auto const count = parameters<6, gossip::group_norm<0>>;
#else
auto const count = parameters<6, gossip::group_norm<1>>;
#endif
}  // namespace group_norm_without_groups

// expect: gossip::sequential: the layer must have static void backward(Worker &, layer_pass<T>
// const &)
namespace layer_without_backward {
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
auto const count = parameters<1, same>;
}  // namespace layer_without_backward

// expect: gossip::sequential: a layer must have template <tensor_shape In> struct on
namespace layer_without_shape {
#ifdef GOSSIP_FAILS
struct mine {};
#else
using mine = gossip::relu;
#endif
auto const count = parameters<1, mine>;
}  // namespace layer_without_shape

// expect: gossip::max_pool: the window must be 1 to 15.
namespace max_pool_beyond_15 {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::max_pool<16>>;
#else
auto const count = parameters<1, gossip::max_pool<2>>;
#endif
}  // namespace max_pool_beyond_15

// expect: gossip::max_pool: the window must not be larger than its input
// expect: gossip::max_pool<5>::on<gossip::tensor_shape{1, 4, 4}>
namespace max_pool_too_large {
#ifdef GOSSIP_FAILS
auto const count = parameters<1, gossip::max_pool<5>>;
#else
auto const count = parameters<1, gossip::max_pool<4>>;
#endif
}  // namespace max_pool_too_large

// expect: gossip::residual: body and shortcut must end in one shape
// expect: residual_of<gossip::tensor_shape{4, 2, 2}, gossip::tensor_shape{2, 4, 4}>
namespace residual_of_two_shapes {
template <std::size_t Stride>
using wider = gossip::conv2d<4, 1, gossip::convolution_options{.stride = Stride}>;

#ifdef GOSSIP_FAILS
auto const count = parameters<2, gossip::residual<gossip::branch<wider<2>>>>;
#else
auto const count =
    parameters<2, gossip::residual<gossip::branch<wider<2>>, gossip::branch<wider<2>>>>;
#endif
}  // namespace residual_of_two_shapes

// expect: gossip::residual: the body needs at least one layer.
namespace residual_without_body {
#ifdef GOSSIP_FAILS
auto const count = parameters<2, gossip::residual<gossip::branch<>>>;
#else
auto const count = parameters<2, gossip::residual<gossip::branch<gossip::relu>>>;
#endif
}  // namespace residual_without_body

// expect: gossip::subsample: channels can only be added, and the stride is at least 1.
namespace subsample_to_fewer_channels {
#ifdef GOSSIP_FAILS
auto const count = parameters<4, gossip::subsample<3, 2>>;
#else
auto const count = parameters<4, gossip::subsample<4, 2>>;
#endif
}  // namespace subsample_to_fewer_channels
