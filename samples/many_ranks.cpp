// The same run on one process or on many: mpirun -n 4 build/release/bin/many_ranks
// test: 2
#include <cstdlib>
#include <exception>
#include <iostream>

#include <gossip/gossip.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/transport/mpi/ranks.hpp>

// quote main
int main(int argc, char **argv) {
  gossip::mpi_ranks const ranks;  // all processes that mpirun has started
  try {
    auto const [train, test] = gossip::digits("samples/data/digits");
    gossip::simulator network{gossip::torus{.rows = 6, .columns = 8}, gossip::softmax_regression{},
                              gossip::sgd{.rate = 0.05}, gossip::ad_psgd{}, ranks};
    auto const report = network.run(
        {.seed = 1, .batch = 32, .stop = gossip::epochs{argc > 1 ? std::atof(argv[1]) : 10}},
        gossip::split(train, gossip::iid{}),
        gossip::every(gossip::epochs{1}, gossip::accuracy{test}));
    if (ranks.rank() == 0) std::cout << report;
  } catch (std::exception const &fault) {
    auto const last = ranks.failed(fault.what());
    if (last.sentence) std::cerr << *last.sentence << '\n';
    if (last.alone) ranks.abort(1);  // the others cannot go on without this one
    return 1;
  }
  return 0;
}
// end quote
