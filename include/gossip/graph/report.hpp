// The former place of <gossip/mixing/graph_report.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/graph_report.hpp>
