// expect: gossip::simulator: step of the optimizer takes the parameter by value, so that
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

struct mine {
  double rate = 0.1;
  static constexpr std::size_t rows = 1;
  template <class T>
  void absorb(T gradient, T, T *row) const {
    row[0] = gradient;
  }
#ifdef GOSSIP_FAILS
  template <class T>
  void step(T scale, T parameter, T const *row) const {
#else
  template <class T>
  void step(T scale, T &parameter, T const *row) const {
#endif
      parameter -= scale * row[0];
}
}
;

constexpr bool met = gossip::requirements<archetypes::topology, archetypes::model, mine,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
