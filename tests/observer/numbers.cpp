// Numbers that observers add to a record by name, in files, reports and states.
#include <gossip/observer/json.hpp>
#include <gossip/observer/named_record.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>

#include <cmath>
#include <sstream>
#include <string>

#include "../catch.hpp"

TEST_CASE("numbers that observers name are in records and reports", "[observer]") {
  gossip::record r;
  r.set("norm_gini", 0.5);
  r.set("other", 1);
  r.set("norm_gini", 0.25);
  auto const j = gossip::to_json(r);
  CHECK(j["norm_gini"] == 0.25);
  CHECK(j["other"] == 1);
  r.set("other", std::nan(""));
  CHECK(gossip::to_json(r)["other"].is_null());

  gossip::run_report report;
  report.last = r;
  CHECK(gossip::to_json(report)["norm_gini"] == 0.25);
  std::ostringstream printed;
  printed << report;
  CHECK(printed.str().find("norm_gini               0.25\n") != std::string::npos);

  auto const state = gossip::named_state::of(
      [&](gossip::state_visitor const &visit) { gossip::name_record(visit, r); });
  gossip::record again;
  state.restore([&](gossip::state_visitor const &visit) { gossip::name_record(visit, again); });
  REQUIRE(again.numbers.size() == 2);
  CHECK(again.numbers[0].name == "norm_gini");
  CHECK(again.numbers[0].value == 0.25);
  CHECK(again.numbers[1].name == "other");
  CHECK(std::isnan(again.numbers[1].value));
}

TEST_CASE("a number of an observer takes the name of no member of a record", "[observer]") {
  gossip::record r;
  for (auto const name : gossip::record::members)
    CHECK_THROWS_WITH(r.set(name, 7),
                      gossip::test::contains("a name that no member of the record"));
  CHECK_THROWS_WITH(r.set("", 7), gossip::test::contains("a name on one line, got none"));
  CHECK_THROWS_WITH(r.set("a\nb", 7), gossip::test::contains("control characters"));
  CHECK(r.numbers.empty());
  // All of them, as JSON names them.
  r.accuracy.emplace();
  r.averaged_model_accuracy = r.test_loss = r.consensus_distance = r.statistics_distance = 1;
  r.evaluated_nodes = 1;
  auto const json = gossip::to_json(r);
  CHECK(json.size() == gossip::record::members.size());
  for (auto const name : gossip::record::members) CHECK(json.contains(std::string(name)));
}
