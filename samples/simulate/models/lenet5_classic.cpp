// lenet5_classic with any exchange.
#include <gossip/model/zoo.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const lenet5_classic =
    entry("lenet5_classic", [](job const &) { return gossip::lenet5_classic{}; });

}  // namespace simulate
