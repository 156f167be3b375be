// expect: gossip::residual: the body needs at least one layer.
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<2, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::residual<gossip::branch<>>>;
#else
auto const count = parameters<gossip::residual<gossip::branch<gossip::relu>>>;
#endif
