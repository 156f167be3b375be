// The quadratic model, 16 parameters, with any exchange.
#include <gossip/model/quadratic.hpp>

#include "../model.hpp"

namespace simulate {

constinit model const quadratic = entry("quadratic", [](job const &j) {
  quadratic_values const &v = j.quadratic;
  return gossip::quadratic<16>{
      .curvature = v.curvature, .optimum = v.optimum, .noise = v.noise, .start = v.start};
});

}  // namespace simulate
