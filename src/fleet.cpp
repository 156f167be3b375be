// Functions of gossip/fleet/ that are no templates, and tiers of rows, compiled once for
// gossip::compiled.
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/fleet/detail/file_store.ipp>
#include <gossip/fleet/detail/memory.ipp>
#include <gossip/fleet/detail/planned_leases.ipp>
#include <gossip/fleet/detail/rank_layout.ipp>
#include <gossip/fleet/detail/row_tier.ipp>

namespace gossip {

template class row_tier<float, host_buffer>;
template class row_tier<bf16, host_buffer>;
template class row_tier<fp16, host_buffer>;
template class row_tier<double, host_buffer>;

}  // namespace gossip
