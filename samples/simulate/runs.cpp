// Simulators of models on the host, with any exchange.
#include "runs.hpp"

namespace simulate {

template gossip::memory_need memory_of(job const &, gossip::any_model const &, std::size_t,
                                       std::size_t);
template gossip::plan_report plan_of(job const &, gossip::any_model const &);
template gossip::run_report run_of(job const &, gossip::any_model const &, data_pair const *,
                                   watcher &);

}  // namespace simulate
