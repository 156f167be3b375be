// A user's program of two files that include a header: both must agree on every number.
#if __has_include(<gossip/gossip.hpp>)
#include <gossip/gossip.hpp>
#endif
#include <gossip/core/random.hpp>

#include <iostream>

std::uint32_t drawn_elsewhere();

int main() {
  std::uint32_t const here = gossip::keyed_random(1, gossip::purpose::user, 0, 0).bits();
  if (here != drawn_elsewhere()) {
    std::cerr << "two files of one program drew different numbers\n";
    return 1;
  }
  std::cout << "drew " << here << " twice\n";
}
