// expect: gossip::dropout: less than 100 percent can be dropped.
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<1, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::dropout<100>>;
#else
auto const count = parameters<gossip::dropout<99>>;
#endif
