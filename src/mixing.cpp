// Functions of gossip/mixing/ that are no templates, compiled once for gossip::compiled.
#include <gossip/mixing/detail/active_matchings.ipp>
#include <gossip/mixing/detail/arrived_weights.ipp>
#include <gossip/mixing/detail/averaging_times.ipp>
#include <gossip/mixing/detail/base_graph_weights.ipp>
#include <gossip/mixing/detail/best_constant.ipp>
#include <gossip/mixing/detail/equal_shares.ipp>
#include <gossip/mixing/detail/equi_weights.ipp>
#include <gossip/mixing/detail/graph_report.ipp>
#include <gossip/mixing/detail/lowest_eigenvectors.ipp>
#include <gossip/mixing/detail/matching.ipp>
#include <gossip/mixing/detail/matrix.ipp>
#include <gossip/mixing/detail/one_peer.ipp>
#include <gossip/mixing/detail/spectrum.ipp>
#include <gossip/mixing/detail/weighted_laplacian.ipp>
#include <gossip/mixing/detail/weights.ipp>
