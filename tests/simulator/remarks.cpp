// Remarks before a run: methods that never act within it, and rounds that the stop does not fill.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/diloco.hpp>
#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/fed_opt.hpp>
#include <gossip/exchange/fed_prox.hpp>
#include <gossip/exchange/gasloc.hpp>
#include <gossip/exchange/global_merge.hpp>
#include <gossip/exchange/k_gt.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/noloco.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/overlapped_push_sum.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/scaffold.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

constexpr std::uint64_t never = 1'000'000'000'000;

/// A network whose exchange and graph are chosen at run time.
struct any_graph {
  std::shared_ptr<graph const> made;
  graph build(std::uint64_t = 0) const { return *made; }
};
any_graph ring_of(std::size_t n) {
  return {std::make_shared<graph const>(ring{n}.build())};
}

auto network_of(any_exchange const &exchange, any_graph const &g,
                virtual_clock<any_compute_time> const &clock = {}) {
  return simulator{g, quadratic<8>{}, sgd{.rate = 0.1}, exchange, clock};
}

plan_report planned(any_exchange const &exchange, std::uint64_t of_rounds,
                    any_graph const &g = ring_of(6),
                    virtual_clock<any_compute_time> const &clock = {}) {
  return network_of(exchange, g, clock).dry_run({.stop = rounds{of_rounds}}, {});
}

std::vector<std::string> said(any_exchange const &exchange, std::uint64_t of_rounds) {
  return planned(exchange, of_rounds).remarks;
}

using sentences = std::vector<std::string>;

struct outspoken : none {
  std::vector<std::string> remarks(graph const &g) const {
    return {"it sees " + std::to_string(g.nodes()) + " nodes"};
  }
  static constexpr char const *name = "outspoken";
};

/// Every node averages with the node so many places ahead, or combines its model with that.
struct by_offset {
  std::uint32_t offset;
  bool combines = false;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) {
      auto const j = static_cast<node>((i + offset) % plan.nodes());
      combines ? plan.combine(i, j, 0.5) : plan.average(i, j);
    }
  }
};
struct by_offset_in_events {
  std::uint32_t offset;

  void on_trained(auto &plan, node i) const {
    plan.step(i);
    plan.average(i, static_cast<node>((i + offset) % plan.nodes()));
    plan.train(i);
  }
};

}  // namespace

TEST_CASE("a method that sends nothing within its run is told of before it", "[simulator]") {
  auto const report = planned(diloco{}, 250);
  CHECK(report.bytes_sent == 0);
  CHECK(report.remarks ==
        sentences{"diloco: no outer step comes within the run: the first would come after 500 "
                  "rounds, and the run has 250",
                  "diloco sends nothing within the run's 1500 node-iterations"});
  std::vector<any_exchange> const silent{
      local_sgd{never},
      diloco{never},
      streaming_diloco{{never}},
      noloco{never},
      slow_mo<>{{}, never},
      k_gt<>{never},
      gasloc<>{never},
      epidemic_learning{.local_steps = never},
      global_merge<none>{{}, never},
      div_share{.fragments = 8, .peers = 2, .local_steps = never}};
  for (any_exchange const &one : silent) {
    auto const of = planned(one, 20);
    CAPTURE(one.in_words().name);
    CHECK(of.bytes_sent == 0);
    REQUIRE(!of.remarks.empty());
    CHECK(of.remarks.back() ==
          one.in_words().name + " sends nothing within the run's 120 node-iterations");
  }
  any_graph const apart{std::make_shared<graph const>(graph::undirected(3, {}))};
  CHECK(planned(ad_psgd{}, 5, apart).remarks ==
        sentences{"ad_psgd sends nothing within the run's 15 node-iterations"});
}

TEST_CASE("messages that change no model are told of before a run", "[simulator]") {
  std::string const within = " within the run's 120 node-iterations";
  CHECK(
      said(softsync{.collected = 121}, 20) ==
      sentences{"softsync sends messages, but no message changes the model of a server" + within});
  CHECK(said(softsync{.collected = 120}, 20).empty());
  CHECK(said(buffered_gossip{.buffer = 1000}, 20) ==
        sentences{"buffered_gossip sends messages, but no message changes the model of a node" +
                  within});
  CHECK(said(swift<>{.local_steps = never}, 20) ==
        sentences{"swift sends messages, but no message changes the model of a node" + within});
  CHECK(said(overlapped_push_sum<>{{}, 40}, 20) ==
        sentences{"overlapped_push_sum sends messages, but no message changes the model of a node" +
                  within});
  virtual_clock<any_compute_time> const lossy{.loss = {.share = 1, .then = after_loss::go_on}};
  CHECK(planned(d_psgd<>{}, 20, ring_of(6), lossy).remarks ==
        sentences{"d_psgd sends messages, but no message changes the model of a node" + within});
}

TEST_CASE("an act that never comes is told of beside a base that acts", "[simulator]") {
  CHECK(said(slow_mo<d_psgd<>>{{}, 30}, 20) ==
        sentences{"slow_mo: no slow step comes within the run: the first would come after 30 "
                  "rounds, and the run has 20"});
  CHECK(said(global_merge<>{{}, 21}, 20) ==
        sentences{"global_merge: no mean of all models comes within the run: the only one would "
                  "come after 21 rounds, and the run has 20"});
  CHECK(said(global_merge<>{{}, 3}, 20).empty());
}

TEST_CASE("methods that act, and nodes that learn alone, are not remarked on", "[simulator]") {
  std::vector<any_exchange> const all{none{},
                                      d_psgd<>{},
                                      ad_psgd{},
                                      local_sgd{},
                                      softsync{},
                                      buffered_gossip{},
                                      swift<>{},
                                      div_share{.fragments = 8, .peers = 2},
                                      fed_avg{},
                                      parameter_server{},
                                      synchronous_server{},
                                      overlapped_push_sum<>{},
                                      scaffold{.local_steps = 1},
                                      streaming_diloco{{4}}};
  for (any_exchange const &one : all) {
    CAPTURE(one.in_words().name);
    CHECK(said(one, 20).empty());
  }
  CHECK(planned(d_psgd<>{}, 3, ring_of(1)).remarks.empty());  // has nobody to talk to
}

TEST_CASE("rounds behind the last act are told of before a run", "[simulator]") {
  CHECK(said(local_sgd{}, 10) ==
        sentences{"local_sgd: the last mean of all models comes after round 8 of 10, and 2 rounds "
                  "follow it"});
  CHECK(said(diloco{9}, 10) ==
        sentences{"diloco: the last outer step comes after round 9 of 10, and 1 round follows it"});
  CHECK(said(local_sgd{}, 12).empty());
}

TEST_CASE("remarks of an exchange of one's own come before those on its plan", "[simulator]") {
  CHECK(said(outspoken{}, 2) == sentences{"it sees 6 nodes"});
}

TEST_CASE("a stop is rounded up to whole rounds of clients, and told in them", "[simulator]") {
  auto const report = planned(fed_avg{.clients = 4, .local_steps = 5}, 10);  // 60 of 20 each
  CHECK(report.node_iterations == 60);
  CHECK(report.remarks == sentences{"fed_avg: the run has 3 rounds of 4 clients with 5 local steps "
                                    "each, 20 node-iterations per round"});
  fed_avg const three{.clients = 5, .local_steps = 3};
  for (any_exchange const &one : std::vector<any_exchange>{
           three, fed_prox{three}, fed_opt<>{three}, fed_opt<fed_prox>{{three}}, scaffold{5, 3}}) {
    CAPTURE(one.in_words().name);
    auto const of = planned(one, 4);  // 24 node-iterations, 15 a round
    CHECK(of.node_iterations == 30);
    CHECK(of.remarks ==
          sentences{one.in_words().name + ": the run has 2 rounds of 5 clients with 3 local steps "
                                          "each, 15 node-iterations per round"});
  }
  virtual_clock<any_compute_time> const lossy{.loss = {.share = 0.5, .then = after_loss::go_on}};
  CHECK_THAT(planned(three, 4, ring_of(6), lossy).remarks.at(0),
             Catch::Contains("the run has at least 2 rounds of 5 clients"));
  CHECK(planned(fed_avg{.local_steps = 500}, 250).node_iterations == 3000);  // one round
  CHECK_THROWS_WITH(
      planned(fed_avg{.local_steps = 1'000 * never}, 250),
      "run: stop: expected a round of fewer than 10^15 node-iterations, got 6 clients "
      "with 1000000000000000 local steps each");
}

TEST_CASE("a run and its observers are told the remarks of its dry run", "[simulator]") {
  sentences begun;
  struct listener {
    sentences *to;
    void begin(run_outline const &outline) { *to = outline.remarks; }
  };
  auto network = network_of(local_sgd{}, ring_of(6));
  auto const report = network.run({.stop = rounds{3}}, listener{&begun});
  CHECK(report.bytes_sent == 0);
  CHECK(report.remarks == planned(local_sgd{}, 3).remarks);
  CHECK(begun == report.remarks);
  CHECK(begun.size() == 2);
}

TEST_CASE("averages of nodes that are no neighbors are told of before a run", "[simulator]") {
  std::vector<any_exchange> const within{by_offset{1}, by_offset{5, true}, by_offset_in_events{1}};
  for (any_exchange const &one : within) CHECK(said(one, 20).empty());
  std::vector<any_exchange> const beyond{by_offset{2}, by_offset{2, true}};
  for (any_exchange const &one : beyond)
    CHECK(
        said(one, 20) ==
        sentences{
            one.in_words().name +
            " averages or combines rows of nodes 0 and 2, which are not neighbors in the network"});
  CHECK_THAT(said(by_offset_in_events{3}, 20).at(0),
             Catch::Contains("which are not neighbors in the network"));
  any_graph const one_way{std::make_shared<graph const>(
      graph::directed(3, {{0, 1}, {1, 2}, {2, 0}}))};  // an arc is enough, whichever way it goes
  CHECK(planned(by_offset{1}, 20, one_way).remarks.empty());
  CHECK(planned(by_offset{2}, 20, one_way).remarks.empty());
}
