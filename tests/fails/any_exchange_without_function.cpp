// expect: gossip::basic_any_exchange: its lists must have all functions of the exchange
#include <gossip/simulator/any_exchange.hpp>

struct halved {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] *= T(0.5);
  }
};

struct halving {
  static constexpr std::size_t rows = 0;
  using functions = gossip::column_functions<halved>;

  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    for (gossip::node i = 0; i < plan.nodes(); ++i)
      plan.template apply<halved>(i, {gossip::model_row});
    plan.step_all();
  }
};

#ifdef GOSSIP_FAILS
gossip::any_exchange const held = halving{};
#else
gossip::basic_any_exchange<gossip::column_functions<halved>> const held = halving{};
#endif
