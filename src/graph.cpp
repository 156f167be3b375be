// Functions of gossip/graph/ that are no templates, compiled once for gossip::compiled.
#include <gossip/graph/detail/bipartition.ipp>
#include <gossip/graph/detail/components.ipp>
#include <gossip/graph/detail/graph.ipp>
#include <gossip/graph/detail/partition.ipp>
#include <gossip/graph/detail/spanning_tree.ipp>
#include <gossip/graph/detail/weighted_graph.ipp>
