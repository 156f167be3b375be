// Functions of gossip/engine/ that are no templates, and engines of hosts, compiled once for
// gossip::compiled.
#include <gossip/engine/detail/loss_record.ipp>
#include <gossip/engine/detail/planned_row_traffic.ipp>
#include <gossip/engine/detail/row_accesses.ipp>
#include <gossip/engine/detail/training_place.ipp>
#include <gossip/engine/detail/used_rows.ipp>
#include <gossip/engine/distributed/detail/communication_volume.ipp>
#include <gossip/engine/distributed/detail/halo_pattern.ipp>
#include <gossip/engine/distributed/detail/task_graph.ipp>
#include <gossip/engine/distributed/detail/watch.ipp>
#include <gossip/engine/host/detail/levelled.ipp>
#include <gossip/engine/host/detail/row_program.ipp>
#include <gossip/engine/host/detail/scalar_program.ipp>
#include <gossip/engine/host/detail/stage_sums.ipp>

namespace gossip {

// Engines of hosts depend on numbers and rows alone.
template class levelled_engine<float>;
template class levelled_engine<float, bf16>;
template class levelled_engine<float, fp16>;
template class levelled_engine<double>;
template class row_program<float, float>;
template class row_program<float, bf16>;
template class row_program<float, fp16>;
template class row_program<double, double>;
template class scalar_program<float, fleet<float, host_buffer>>;
template class scalar_program<float, fleet<bf16, host_buffer>>;
template class scalar_program<float, fleet<fp16, host_buffer>>;
template class scalar_program<double, fleet<double, host_buffer>>;

}  // namespace gossip
