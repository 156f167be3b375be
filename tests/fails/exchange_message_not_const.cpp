// expect: the exchange has an on_message that cannot be called
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

struct mine {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.send(0, 1, {{1, gossip::model_row}});
    plan.deliver();
  }
#ifdef GOSSIP_FAILS
  void on_message(auto &, gossip::node, auto const &) {}
#else
  void on_message(auto &, gossip::node, auto const &) const {}
#endif
};

void run() {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<3>{}, gossip::sgd{}, mine{}};
  network.run({});
}
