// lenet5 with any exchange, its gradients in fp16.
#include <gossip/model/zoo.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const lenet5_fp16 = entry<gossip::mixed_precision<gossip::fp16>>(
    "lenet5", [](job const &) { return gossip::lenet5{}; });

}  // namespace simulate
