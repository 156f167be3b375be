// expect: gossip::group_norm: the channels must be a multiple of the groups.
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<6, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::group_norm<0>>;
#else
auto const count = parameters<gossip::group_norm<1>>;
#endif
