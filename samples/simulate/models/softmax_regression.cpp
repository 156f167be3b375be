// softmax_regression with any exchange.
#include <gossip/model/zoo.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const softmax_regression =
    entry("softmax_regression", [](job const &) { return gossip::softmax_regression{}; });

}  // namespace simulate
