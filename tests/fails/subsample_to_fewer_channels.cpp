// expect: gossip::subsample: channels can only be added, and the stride is at least 1.
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/residual.hpp>
#include <gossip/model/sequential.hpp>

template <class... Layers>
inline constexpr std::size_t parameters =
    gossip::sequential<gossip::input<4, 4, 4>, Layers..., gossip::dense<2>>::parameters;

#ifdef GOSSIP_FAILS
auto const count = parameters<gossip::subsample<3, 2>>;
#else
auto const count = parameters<gossip::subsample<4, 2>>;
#endif
