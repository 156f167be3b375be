// expect: gossip::conv2d: the kernel must not be larger than its input
// expect: gossip::conv2d<3, 5>::on<gossip::tensor_shape{1, 4, 4}>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::conv2d<3, 5>>;
#else
auto const count = parameters<gossip::conv2d<3, 4>>;
#endif
