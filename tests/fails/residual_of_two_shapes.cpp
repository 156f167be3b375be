// expect: gossip::residual: body and shortcut must end in one shape
// expect: residual_of<gossip::tensor_shape{4, 2, 2}, gossip::tensor_shape{2, 4, 4}>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>

template <std::size_t Stride>
using wider = gossip::conv2d<4, 1, gossip::convolution_options{.stride = Stride}>;

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<2, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::residual<gossip::branch<wider<2>>>>;
#else
auto const count = parameters<gossip::residual<gossip::branch<wider<2>>, gossip::branch<wider<2>>>>;
#endif
