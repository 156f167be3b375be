// expect: gossip::max_pool: the window must be 1 to 15.
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::max_pool<16>>;
#else
auto const count = parameters<gossip::max_pool<2>>;
#endif
