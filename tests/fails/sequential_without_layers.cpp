// expect: gossip::sequential: a model needs at least one layer.
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/max_pool.hpp>
#include <gossip/model/sequential.hpp>

#ifdef GOSSIP_FAILS
using model = gossip::sequential<gossip::input<1, 4, 4>>;
#else
using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<2>>;
#endif

auto const count = model::parameters;
