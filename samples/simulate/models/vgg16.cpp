// vgg16 with any exchange.
#include <gossip/model/vgg.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const vgg16 = entry("vgg16", [](job const &) { return gossip::vgg16{}; });

}  // namespace simulate
