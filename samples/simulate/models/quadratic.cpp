// The quadratic model, 16 parameters, with any exchange.
#include "../model.hpp"

namespace simulate {

constinit model const quadratic = entry("quadratic", [](job const &j) { return j.quadratic; });

}  // namespace simulate
