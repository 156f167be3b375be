// expect: gossip::conv2d: the padding must be less than the kernel
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::conv2d<3, 3, gossip::convolution_options{.padding = 3}>>;
#else
auto const count = parameters<gossip::conv2d<3, 3, gossip::convolution_options{.padding = 2}>>;
#endif
