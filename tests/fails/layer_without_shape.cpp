// expect: gossip::sequential: a layer must have template <tensor_shape In> struct on
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/sequential.hpp>

#ifdef GOSSIP_FAILS
struct mine {};
#else
using mine = gossip::relu;
#endif

auto const count = gossip::sequential<gossip::input<1, 4, 4>, mine, gossip::dense<2>>::parameters;
