// resnet20 with any exchange, its gradients in bf16.
#include <gossip/model/resnet.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const resnet20_bf16 = entry<gossip::mixed_precision<gossip::bf16>>(
    "resnet20", [](job const &) { return gossip::resnet20{}; });

}  // namespace simulate
