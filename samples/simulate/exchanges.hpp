// The exchanges that the driver offers: a line each.
#pragma once

#include <tuple>

#include <gossip/exchange/a2cid2.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/beer.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d2.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/decent_lam.hpp>
#include <gossip/exchange/decoupled_momentum.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/diloco.hpp>
#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/ef_sgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/extra.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/fed_opt.hpp>
#include <gossip/exchange/fed_prox.hpp>
#include <gossip/exchange/gasloc.hpp>
#include <gossip/exchange/global_merge.hpp>
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
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/overlapped_push_sum.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/power_gossip.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/quasi_global_momentum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/exchange/running_sums_push_sum.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/exchange/scaffold.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/sparse_loco.hpp>
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/exchange/teleportation.hpp>
#include <gossip/exchange/variance_corrected_gossip.hpp>

#include "policies.hpp"

namespace simulate {

using beer = gossip::beer<chosen_codec, chosen_weights>;
using motef = gossip::motef<chosen_codec, chosen_weights>;
using choco_sgd = gossip::choco_sgd<chosen_codec, chosen_weights>;
using overlapped_push_sum = gossip::overlapped_push_sum<chosen_weights>;
using running_sums_push_sum = gossip::running_sums_push_sum<chosen_weights>;
using global_merge = gossip::global_merge<gossip::d_psgd<chosen_weights>>;
using deep_squeeze = gossip::deep_squeeze<chosen_codec, chosen_weights>;
using power_gossip = gossip::power_gossip<chosen_weights>;
using robust_gossip = gossip::robust_gossip<chosen_rule, chosen_attack, chosen_weights>;
using sparse_loco = gossip::sparse_loco<chosen_codec>;
using decoupled_momentum = gossip::decoupled_momentum<chosen_codec>;

inline auto offered_exchanges() {
  return std::tuple{gossip::none{},                                              //
                    gossip::all_reduce{},                                        //
                    gossip::local_sgd{},                                         //
                    gossip::slow_mo<>{},                                         //
                    gossip::diloco{},                                            //
                    gossip::streaming_diloco{},                                  //
                    gossip::noloco{},                                            //
                    gossip::gasloc<chosen_weights>{},                            //
                    gossip::d_psgd<chosen_weights>{},                            //
                    gossip::gradient_tracking<chosen_weights>{},                 //
                    gossip::d2<chosen_weights>{{gossip::lazy_metropolis{}}},     //
                    gossip::extra<chosen_weights>{},                             //
                    gossip::gut<chosen_weights>{},                               //
                    gossip::k_gt<chosen_weights>{},                              //
                    gossip::momentum_mixing<chosen_weights>{},                   //
                    gossip::quasi_global_momentum<chosen_weights>{},             //
                    gossip::decent_lam<chosen_weights>{},                        //
                    global_merge{},                                              //
                    gossip::epidemic_learning{},                                 //
                    gossip::mosaic{},                                            //
                    gossip::matcha{},                                            //
                    gossip::teleportation{},                                     //
                    gossip::clipped_gossip<chosen_weights>{},                    //
                    robust_gossip{},                                             //
                    gossip::sam_d_psgd<chosen_weights>{},                        //
                    gossip::muon_d_psgd<chosen_weights>{},                       //
                    choco_sgd{},                                                 //
                    beer{},                                                      //
                    motef{},                                                     //
                    deep_squeeze{},                                              //
                    power_gossip{},                                              //
                    gossip::ef_sgd<chosen_codec>{},                              //
                    sparse_loco{{gossip::codec::chunked_top_k{}}},               //
                    decoupled_momentum{{gossip::codec::cosine_top_k{}}},         //
                    gossip::push_sum<chosen_weights>{{gossip::equal_shares{}}},  //
                    overlapped_push_sum{{gossip::equal_shares{}}},               //
                    running_sums_push_sum{{gossip::equal_shares{}}},             //
                    gossip::relay_sgd{},                                         //
                    gossip::fed_avg{},                                           //
                    gossip::fed_prox{},                                          //
                    gossip::fed_opt<>{},                                         //
                    gossip::scaffold{},                                          //
                    gossip::parameter_server{},                                  //
                    gossip::buffered_gossip{},                                   //
                    gossip::variance_corrected_gossip{},                         //
                    gossip::synchronous_server{},                                //
                    gossip::softsync{},                                          //
                    gossip::gossip_learning{},                                   //
                    gossip::swift<chosen_weights>{},                             //
                    gossip::div_share{},                                         //
                    gossip::ad_psgd{},                                           //
                    gossip::overlapped_ad_psgd{},                                //
                    gossip::a2cid2{}};
}

}  // namespace simulate
