// mlp with any exchange.
#include <gossip/model/zoo.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const mlp = entry("mlp", [](job const &) { return gossip::mlp{}; });

}  // namespace simulate
