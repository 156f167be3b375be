// Functions of gossip/simulator/ that are no templates, compiled once for gossip::compiled.
#include <gossip/simulator/detail/attachments.ipp>
#include <gossip/simulator/detail/causes.ipp>
#include <gossip/simulator/detail/network_use.ipp>
#include <gossip/simulator/detail/observers.ipp>
#include <gossip/simulator/detail/plan_report.ipp>
#include <gossip/simulator/detail/prepared_plan.ipp>
#include <gossip/simulator/detail/remarks.ipp>
#include <gossip/simulator/detail/run_extent.ipp>
#include <gossip/simulator/detail/run_plan.ipp>
#include <gossip/simulator/detail/run_state.ipp>
#include <gossip/simulator/detail/samples.ipp>
#include <gossip/simulator/detail/settings.ipp>

namespace gossip::detail {

// Facts of what every clock has beside compute times.
template void add_facts(fact_list &, std::string const &, differing_links const &);
template void add_facts(fact_list &, std::string const &, gossip::message_loss const &);
template void add_facts(fact_list &, std::string const &, gossip::outages const &);
template void add_facts(fact_list &, std::string const &, gossip::participation const &);

}  // namespace gossip::detail
