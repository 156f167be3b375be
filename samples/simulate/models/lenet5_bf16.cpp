// lenet5 with any exchange, its gradients in bf16.
#include <gossip/model/zoo.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const lenet5_bf16 = entry<gossip::mixed_precision<gossip::bf16>>(
    "lenet5", [](job const &) { return gossip::lenet5{}; });

}  // namespace simulate
