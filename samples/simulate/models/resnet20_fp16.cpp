// resnet20 with any exchange, its gradients in fp16.
#include <gossip/model/resnet.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const resnet20_fp16 = entry<gossip::mixed_precision<gossip::fp16>>(
    "resnet20", [](job const &) { return gossip::resnet20{}; });

}  // namespace simulate
