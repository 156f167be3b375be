// resnet20 with any exchange.
#include <gossip/model/resnet.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const resnet20 = entry("resnet20", [](job const &) { return gossip::resnet20{}; });

}  // namespace simulate
