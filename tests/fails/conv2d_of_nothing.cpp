// expect: gossip::conv2d: filters and kernel must be positive.
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::conv2d<0, 3>>;
#else
auto const count = parameters<gossip::conv2d<1, 3>>;
#endif
