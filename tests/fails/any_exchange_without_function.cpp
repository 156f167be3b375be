// expect: gossip::basic_any_exchange: its lists must have all functions of the exchange
#include <gossip/simulator/any_exchange.hpp>

#include "../archetypes.hpp"

using gossip::test::archetypes::halved;

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
