// lenet5 with any exchange.
#include <gossip/model/zoo.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const lenet5 = entry("lenet5", [](job const &) { return gossip::lenet5{}; });

}  // namespace simulate
