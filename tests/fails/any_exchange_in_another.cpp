// expect: gossip::basic_any_exchange: holds an exchange, not another that holds one
#include <gossip/exchange/none.hpp>
#include <gossip/simulator/any_exchange.hpp>

struct halved {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] *= T(0.5);
  }
};
using wider = gossip::basic_any_exchange<gossip::column_functions<halved>>;

#ifdef GOSSIP_FAILS
wider const held = gossip::any_exchange(gossip::none{});
#else
wider const held = gossip::none{};
#endif
