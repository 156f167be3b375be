// expect: gossip::conv2d: the kernel must not be larger than its input with padding
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::conv2d<3, 7, gossip::convolution_options{.padding = 1}>>;
#else
auto const count = parameters<gossip::conv2d<3, 6, gossip::convolution_options{.padding = 1}>>;
#endif
