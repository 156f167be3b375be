// expect: gossip::avg_pool: the window must not be larger than its input
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::avg_pool<5>>;
#else
auto const count = parameters<gossip::avg_pool<4>>;
#endif
