// Law 2 for ranks: a run that is spread over them is that of one process, bit for bit, records
// included. An exchange joins with one call of check_ranks. Every rank runs every test.
#pragma once

#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include <optional>
#include <vector>

#include "../exchange/conformance.hpp"

namespace gossip::test {

/// All processes of mpirun.
inline mpi_ranks const &all_ranks() {
  static mpi_ranks const ranks;
  return ranks;
}

/// Law 2 on every kind of model, precision and topology, and most of their combinations.
void check_ranks(some_exchange const &exchange);

/// The same with every kind once, for an exchange that has verbs which those above lack.
void check_ranks_of_verbs(some_exchange const &exchange);

/// The same on one model only, for an exchange whose verbs other exchanges try on all of them.
void check_ranks_briefly(some_exchange const &exchange);

/// The same where messages are lost for good, and some nodes take part in rounds.
void check_ranks_with_loss(some_exchange const &exchange, participation const &in = {},
                           outages const &down = {});

/// On a small classifier only: another order of the same verbs.
void check_ranks_of_classifier(some_exchange const &exchange);

}  // namespace gossip::test
