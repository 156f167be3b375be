// expect: gossip::sequential: a loss stands behind the last layer
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>

#ifdef GOSSIP_FAILS
using mine = gossip::sequential<gossip::input<1, 1, 4>, gossip::mean_square, gossip::dense<2>>;
#else
using mine = gossip::sequential<gossip::input<1, 1, 4>, gossip::dense<2>, gossip::mean_square>;
#endif

auto const count = mine::parameters;
