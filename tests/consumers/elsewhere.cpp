// The second file of a user's program.
#include <gossip/core/random.hpp>

std::uint32_t drawn_elsewhere();

std::uint32_t drawn_elsewhere() {
  return gossip::keyed_random(1, gossip::purpose::user, 0, 0).bits();
}
