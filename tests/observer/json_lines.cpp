// Records as lines of JSON: complete, and never half written.
#include <gossip/observer/json_lines.hpp>

#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/json.hpp>

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../data/temporary_folder.hpp"
#include "../exchange/conformance.hpp"
#include "thresholds.hpp"

using namespace gossip::test;
using nlohmann::json;

namespace {

std::vector<json> lines_of(std::string const &path) {
  std::vector<json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

}  // namespace

TEST_CASE("every record is one line with all that was measured", "[observer]") {
  temporary_folder const folder;
  std::string const path = folder.path("metrics.jsonl");
  gossip::simulator network{gossip::ring{5}, threshold{}, gossip::sgd{.rate = 1.0}, gossip::none{}};
  auto const report =
      network.run({.batch = 4, .stop = gossip::rounds{5}}, gossip::split(hundred(), gossip::iid{}),
                  gossip::every(gossip::rounds{2}, gossip::json_lines{path}),
                  gossip::accuracy{hundred()}, gossip::consensus_distance{});
  auto const lines = lines_of(path);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0]["round"] == 0);
  CHECK(lines[0]["loss"].is_null());  // nothing has been trained
  CHECK(lines[1]["round"] == 2);
  CHECK(lines[1]["node_iterations"] == 10);
  CHECK(lines[1]["epoch"].get<double>() == Approx(0.4));
  CHECK(lines[1]["loss"] == 2.0);
  CHECK(lines[1]["bytes_sent"] == 0);
  CHECK_FALSE(lines[1].contains("accuracy"));  // measured at the end only
  json const &last = lines[3];
  CHECK(last["accuracy"]["mean"].get<double>() == report.last.accuracy->mean);
  for (char const *key : {"min", "max", "std"}) CHECK(last["accuracy"].contains(key));
  CHECK(last["averaged_model_accuracy"] == *report.last.averaged_model_accuracy);
  CHECK(last["consensus_distance"] == *report.last.consensus_distance);
  CHECK(last["test_loss"] == *report.last.test_loss);
  CHECK(last["evaluated_nodes"] == 5);
  CHECK(last["evaluated_samples"] == 100);
  CHECK(last["virtual_seconds"].get<double>() == report.virtual_seconds);
}

TEST_CASE("lines of a run that goes on follow those before the state, and no others",
          "[observer]") {
  using namespace gossip;
  temporary_folder const folder;
  std::string const path = folder.path("metrics.jsonl"), other = folder.path("other.jsonl");
  simulator network{ring{5}, threshold{}, sgd{.rate = 1.0}, none{}};
  run_settings settings{.batch = 4, .stop = rounds{11}};
  auto const data = split(hundred(), iid{});
  std::vector<named_state> states;
  network.run(settings, data, every(rounds{1}, json_lines{path}), keep_states{&states});
  auto const whole = lines_of(path);
  REQUIRE(whole.size() == 12);
  settings.state = &states[1];
  network.run(settings, data, every(rounds{1}, json_lines::resumed(path)));
  auto const lines = lines_of(path);
  REQUIRE(lines.size() == 12);  // the start is not observed again
  for (std::size_t k = 0; k < 12; ++k) {
    CHECK(lines[k]["round"] == k);
    CHECK(lines[k]["loss"] == whole[k]["loss"]);
  }
  CHECK_THROWS_WITH(network.run(settings, data, every(rounds{1}, json_lines{other})),
                    contains("bytes before the state, kept by json_lines::resumed, got 0"));
}

TEST_CASE("what is not a number is null", "[observer]") {
  auto const line = gossip::to_json(gossip::record{}).dump();
  CHECK(json::parse(line)["loss"].is_null());
}

TEST_CASE("a summary has all its fields", "[observer]") {
  auto const summary =
      gossip::to_json(threshold_run(2, gossip::execution::levelled, gossip::accuracy{hundred()}));
  for (char const *key :
       {"gossip", "digest", "nodes", "parameters", "ranks", "threads", "node_iterations",
        "wall_seconds", "node_iterations_per_second", "virtual_seconds", "bytes_sent",
        "state_bytes_per_node", "peak_resident_bytes", "mean_cohort", "loss", "accuracy",
        "averaged_model_accuracy"}) {
    INFO(key);
    CHECK(summary.contains(key));
  }
  CHECK(summary["digest"].get<std::string>().size() == 16);
  for (char const *key : {"edges", "components", "spectral_gap"})
    CHECK(summary["graph"].contains(key));
  CHECK(summary["graph"]["spectral_gap_converged"].is_null());  // of nodes that learn alone
}

TEST_CASE("a summary says that a spectral gap is a bound only", "[observer]") {
  gossip::run_report report;
  report.graph.spectral_gap = 0.25;
  CHECK(gossip::to_json(report)["graph"]["spectral_gap_converged"] == false);
  report.graph.spectral_gap.reset();
  CHECK(gossip::to_json(report)["graph"]["spectral_gap"].is_null());
  CHECK(gossip::to_json(report)["graph"]["spectral_gap_converged"].is_null());
}

TEST_CASE("a file that cannot be opened is refused before the run", "[observer]") {
  CHECK_THROWS_WITH(gossip::json_lines("/no such folder/metrics.jsonl"),
                    "/no such folder/metrics.jsonl: cannot be written: No such file or directory");
  CHECK_THROWS_AS(gossip::json_lines("/no such folder/metrics.jsonl"), gossip::input_error);
}

TEST_CASE("a full disk ends the run in a sentence", "[observer]") {
  CHECK_THROWS_WITH(threshold_run(2, gossip::execution::levelled, gossip::json_lines{"/dev/full"}),
                    "/dev/full: cannot be written: No space left on device");
}
