// resnet18 with any exchange.
#include <gossip/model/resnet.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const resnet18 = entry("resnet18", [](job const &) { return gossip::resnet18{}; });

}  // namespace simulate
