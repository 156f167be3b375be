// expect: gossip::sequential: a model needs at least one layer.
#include <gossip/model/conv2d.hpp>
#include <gossip/model/dense.hpp>
#include <gossip/model/max_pool.hpp>
#include <gossip/model/sequential.hpp>

#ifdef GOSSIP_FAILS
using model = gossip::sequential<gossip::input<1, 4, 4>>;
#else
using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<2>>;
#endif

auto const count = model::parameters;
