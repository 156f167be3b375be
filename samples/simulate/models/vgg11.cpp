// vgg11 with any exchange.
#include <gossip/model/vgg.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const vgg11 = entry("vgg11", [](job const &) { return gossip::vgg11{}; });

}  // namespace simulate
