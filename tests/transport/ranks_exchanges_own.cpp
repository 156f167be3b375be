// Exchanges of one's own on many ranks: the verbs that the library's exchanges leave out.
#include <gossip/codec/qsgd.hpp>
#include <gossip/exchange/a2cid2.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d2.hpp>
#include <gossip/exchange/decoupled_momentum.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/ef_sgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/fed_opt.hpp>
#include <gossip/exchange/fed_prox.hpp>
#include <gossip/exchange/gasloc.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/exchange/gut.hpp>
#include <gossip/exchange/k_gt.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/matcha.hpp>
#include <gossip/exchange/momentum_mixing.hpp>
#include <gossip/exchange/mosaic.hpp>
#include <gossip/exchange/motef.hpp>
#include <gossip/exchange/muon_d_psgd.hpp>
#include <gossip/exchange/noloco.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/overlapped_push_sum.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/power_gossip.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/quasi_global_momentum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/running_sums_push_sum.hpp>
#include <gossip/exchange/scaffold.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/sparse_loco.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/exchange/teleportation.hpp>
#include <gossip/exchange/variance_corrected_gossip.hpp>
#include <gossip/mixing/one_peer.hpp>

#include <chrono>

#include "../exchange/attacked_exchanges.hpp"
#include "../exchange/edge_exchanges.hpp"
#include "../exchange/fitting.hpp"
#include "../exchange/fragment_exchanges.hpp"
#include "../exchange/late_functions.hpp"
#include "../exchange/late_reduce.hpp"
#include "../exchange/matching_exchanges.hpp"
#include "../exchange/message_exchanges.hpp"
#include "../exchange/row_exchanges.hpp"
#include "../exchange/scalar_exchanges.hpp"
#include "../exchange/sum_exchanges.hpp"
#include "../exchange/whole_row_exchanges.hpp"
#include "own_exchanges.hpp"
#include "ranks.hpp"

TEST_CASE("combine crosses ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::pulls{});
}

TEST_CASE("a row with many readers on a rank crosses once while it stays as it is", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::stars{});
}

TEST_CASE("chains of averages and mixtures in a row cross ranks in the order of the plan",
          "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::chains{});
}

TEST_CASE("pairs of rows besides the models cross ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::pairs_of_rows{});
}

TEST_CASE("mixtures of rows besides the models cross ranks in every form of halo", "[ranks]") {
  gossip::test::check_ranks(gossip::test::mixtures_of_rows{});
}

TEST_CASE("sums of gradients that outlive a window are those of all ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::late_reduce{});
}

TEST_CASE("mixtures and means of fragments cross ranks in every form of halo", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::mixtures_of_fragments{});
}

TEST_CASE("functions that a plan names late have the same numbers on all ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::late_functions{});
}

TEST_CASE("push-sum crosses ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::push_sum<>{});
}

TEST_CASE("push-sum with running sums crosses ranks", "[ranks]") {
  gossip::participation const some{.scheme = gossip::participation_scheme::uniform, .share = 0.7};
  gossip::test::check_ranks_with_loss(gossip::running_sums_push_sum<>{}, some);
}

TEST_CASE("push-sum with overlap crosses ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::overlapped_push_sum<>{{}, 2});
}

TEST_CASE("messages by event, a server and timers cross ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::test::letters{});
}

TEST_CASE("messages in rounds and two servers cross ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::test::rounds_of_letters{});
}

TEST_CASE("gradient tracking, mixed momentum and one peer a round cross ranks", "[ranks]") {
  using gossip::mixing_order;
  gossip::test::check_ranks_briefly(gossip::gradient_tracking<>{});
  gossip::test::check_ranks_briefly(gossip::muon_d_psgd<>{});
  gossip::test::check_ranks_briefly(gossip::momentum_mixing<>{});
  gossip::test::check_ranks_briefly(
      gossip::d_psgd<gossip::one_peer>{.order = mixing_order::adapt_then_combine});
}

TEST_CASE("scalars of pairs of nodes on two ranks belong to the first", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::scalars_by_event{});
}

TEST_CASE("scalars before and behind mixtures on many ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::scalars_in_rounds{});
}

TEST_CASE("whole rows of nodes on two ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::whole_rows_by_event{});
}

TEST_CASE("whole rows before and behind mixtures on many ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::whole_rows_in_rounds{});
}

TEST_CASE("factors of matrices cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::power_gossip{.rank = 2});
}

TEST_CASE("sums over nodes of all ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::sums_of_rows{});
}

TEST_CASE("rows of edges and scalars of messages on many ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::edges_by_event{});
  gossip::test::check_ranks_briefly(gossip::test::clipped_letters{});
}

TEST_CASE("fragments and messages of several rows cross ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::test::fragments_by_event{});
  gossip::test::check_ranks_briefly(gossip::test::fragment_gossip{});
  gossip::test::check_ranks_briefly(gossip::test::push_sum_of_two{});
}

TEST_CASE("another matrix in every round on many ranks", "[ranks]") {
  gossip::test::check_ranks_of_verbs(gossip::test::random_matchings{});
}

TEST_CASE("encoded messages cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::deep_squeeze<>{.code = {.share = 0.2}});
  gossip::test::check_ranks_briefly(
      gossip::choco_sgd<gossip::codec::qsgd>{.code = {.scaled = true}, .share = 0.3});
  gossip::test::check_ranks_briefly(gossip::motef<>{.code = {.share = 0.4}, .share = 0.2});
  gossip::test::check_ranks_briefly(gossip::ef_sgd<>{.code = {.share = 0.2}});
  gossip::test::check_ranks_briefly(
      gossip::sparse_loco<>{.code = {.chunk = 10, .kept = 3}, .local_steps = 2});
  gossip::test::check_ranks_briefly(
      gossip::sparse_loco<>{.code = {.chunk = 10, .kept = 3},
                            .local_steps = 2,
                            .counted = gossip::counted_nodes::senders});
  gossip::test::check_ranks_briefly(
      gossip::decoupled_momentum<>{.code = {.chunk = 10, .kept = 3}, .momentum = 0.9});
}

TEST_CASE("clipped gossip crosses ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::clipped_gossip<>{.radius = 0.1});
}

TEST_CASE("aggregation rules and attacks cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::test::attacked_gossip{});
}

TEST_CASE("averages of models and their partners cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::a2cid2{});
  gossip::test::check_ranks_briefly(gossip::overlapped_ad_psgd{});
}

TEST_CASE("averages of all models every few steps cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::local_sgd{.local_steps = 2});
}

TEST_CASE("corrections by what mixing has moved cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::d2<>{});
}

TEST_CASE("momenta of what nodes have moved cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::quasi_global_momentum<>{});
}

TEST_CASE("outer steps cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::slow_mo<gossip::d_psgd<>>{{}, 2});
}

TEST_CASE("outer steps of random pairs cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::noloco{.local_steps = 2});
}

TEST_CASE("streaming DiLoCo crosses ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::streaming_diloco{{.local_steps = 3}, 2});
}

TEST_CASE("gossip with a momentum of models crosses ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::gasloc<>{.local_steps = 2});
}

TEST_CASE("tracked updates cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::gut<>{});
}

TEST_CASE("models that move to other nodes cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::test::fitting_teleportation{{.active = 3}});
}

TEST_CASE("matchings that are drawn cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::matcha{});
}

TEST_CASE("random peers in every round cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(
      gossip::test::fitting_rounds{gossip::epidemic_learning{.peers = 3}});
  gossip::test::check_ranks_briefly(gossip::test::fitting_rounds{
      gossip::epidemic_learning{.sampling = gossip::peer_sampling::oracle}});
}

TEST_CASE("mosaic learning crosses ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::test::fitting_rounds{gossip::mosaic{{.peers = 3}, 3}});
}

TEST_CASE("gradient tracking with local steps crosses ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::k_gt<>{.local_steps = 2});
}

TEST_CASE("decisions are the same on all ranks", "[ranks]") {
  using gossip::measured;
  gossip::test::check_ranks_briefly(
      gossip::stop_at<gossip::d_psgd<>>{{}, measured::consensus_distance, 0.05, 2});
}

TEST_CASE("servers, relays and buffers cross ranks", "[ranks]") {
  gossip::test::check_ranks_briefly(gossip::fed_avg{.local_steps = 2});
  gossip::test::check_ranks_briefly(gossip::fed_avg{.local_steps = 2, .population = 40});
  gossip::test::check_ranks_briefly(gossip::fed_prox{{.local_steps = 2}, 0.3});
  gossip::test::check_ranks_briefly(gossip::fed_opt<>{{.local_steps = 2}});
  gossip::test::check_ranks_briefly(gossip::scaffold{.clients = 1, .local_steps = 2});
  gossip::test::check_ranks_briefly(gossip::relay_sgd{});
  gossip::test::check_ranks_briefly(gossip::parameter_server{});
  gossip::test::check_ranks_briefly(gossip::synchronous_server{1});
  gossip::test::check_ranks_briefly(gossip::softsync{2});
  gossip::test::check_ranks_briefly(gossip::buffered_gossip{.least = 2, .most = 5});
  gossip::test::check_ranks_briefly(gossip::variance_corrected_gossip{{.least = 2, .most = 5}});
  gossip::test::check_ranks_briefly(gossip::swift<>{});
  gossip::test::check_ranks_briefly(gossip::test::fitting_div_share{{.fragments = 3, .peers = 2}});
  gossip::test::check_ranks_briefly(
      gossip::gossip_learning{.creation = gossip::model_creation::update_merge});
  gossip::test::check_ranks_briefly(
      gossip::gossip_learning{.period = gossip::virtual_time(15'000'000),
                              .account = gossip::token_account::randomized,
                              .capacity = 4,
                              .reactivity = 2});
}

TEST_CASE(
    "exchanges that go on without lost messages and absent nodes give the bits of one process",
    "[ranks]") {
  gossip::participation const some{.scheme = gossip::participation_scheme::uniform, .share = 0.7};
  gossip::test::check_ranks_with_loss(gossip::push_sum<>{}, some);
  gossip::test::check_ranks_with_loss(gossip::relay_sgd{}, some);
  gossip::test::check_ranks_with_loss(gossip::fed_avg{.local_steps = 2}, some);
  gossip::test::check_ranks_with_loss(gossip::buffered_gossip{.least = 2, .most = 5});
}

TEST_CASE("exchanges that go on without nodes that are down give the bits of one process",
          "[ranks]") {
  using std::chrono::milliseconds;
  gossip::outages const down{.listed = {{.which = 4, .from = milliseconds(25)}},
                             .churn = {.up = milliseconds(40), .down = milliseconds(12)},
                             .then = gossip::after_outage::time_out,
                             .timeout = milliseconds(4)};
  gossip::test::check_ranks_with_loss(gossip::running_sums_push_sum<>{}, {}, down);
  gossip::test::check_ranks_with_loss(gossip::fed_avg{.local_steps = 2}, {}, down);
}
