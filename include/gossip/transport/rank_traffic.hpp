// The former place of <gossip/transport/communication_report.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/transport/communication_report.hpp>

namespace gossip {
using rank_traffic = communication_report;
}
