// A run's report for people and programs: its provenance, and the costs of ranks.
#include <gossip/observer/report.hpp>

#include <gossip/observer/json.hpp>

#include <sstream>
#include <string>

#include "../catch.hpp"

namespace {

/// Two ranks that have planned for so long of ten seconds.
gossip::run_report two_ranks(double most_planning) {
  gossip::run_report report;
  report.ranks = 2;
  report.wall_seconds = 10;
  report.traffic.planning_seconds = most_planning / 2;
  report.traffic.most_planning_seconds = most_planning;
  report.traffic.waiting_seconds = 3;
  report.traffic.levels = 12;
  report.traffic.most_awaited = {.seconds = 0.75, .rank = 1, .window = 3, .level = 5};
  report.traffic.most_uneven = {.imbalance = 1.5, .trainings = 40, .window = 2, .level = 0};
  return report;
}

std::string text_of(gossip::run_report const &report) {
  std::ostringstream out;
  out << report;
  return out.str();
}

}  // namespace

TEST_CASE("planning above a tenth of the time of a rank is said in a sentence", "[observer]") {
  using gossip::test::contains;
  CHECK_THAT(text_of(two_ranks(2.5)), contains("planning took 25 % of a rank's time"));
  CHECK_THAT(text_of(two_ranks(1.01)), contains("planning took 10.1 %"));
  CHECK_THAT(text_of(two_ranks(0.99)), !contains("planning took"));
  gossip::run_report alone = two_ranks(2.5);
  alone.ranks = 1;
  CHECK_THAT(text_of(alone), !contains("planning took"));
}

TEST_CASE("the report names the levels that cost ranks most", "[observer]") {
  using gossip::test::contains;
  std::string const text = text_of(two_ranks(0));
  CHECK_THAT(text, contains("waiting for a level     0.25\n"));
  CHECK_THAT(text, contains("  longest               0.75, rank 1 for level 5 of window 3\n"));
  CHECK_THAT(text, contains("  worst                 1.5, level 0 of window 2 with 40 trainings"));
  auto const json = gossip::to_json(two_ranks(0)).at("traffic");
  CHECK(json.at("level_waiting_seconds") == 0.25);
  CHECK(json.at("most_awaited").dump() == R"({"seconds":0.75,"rank":1,"window":3,"level":5})");
  CHECK(json.at("most_uneven").dump() ==
        R"({"imbalance":1.5,"trainings":40,"window":2,"level":0})");
  gossip::run_report nobody = two_ranks(0);
  nobody.traffic = {};
  CHECK_THAT(text_of(nobody), !contains("window"));
}

TEST_CASE("a report names what the digest depends on", "[observer]") {
  using gossip::test::contains;
  gossip::run_report report;
  report.provenance = {
      .seed = 7,
      .topology_seed = 5,
      .exchange = {"d_psgd", {{"order", "combine_then_adapt"}, {"radius", "0.5"}, {"on", "true"}}},
      .backend = "cpu",
      .numbers = "float, gradients in fp16",
      .processor = "Some CPU",
      .compiler = "g++ 12.2.0",
      .flags = "-O3",
      .commit = "abc",
      .blas = "OpenBLAS 0.3.21",
      .kernels = "SkylakeX"};
  std::string const text = text_of(report);
  CHECK_THAT(text, contains("exchange                d_psgd, order combine_then_adapt, radius 0.5, "
                            "on true\n"));
  CHECK_THAT(text, contains("seed                    7\n"));
  CHECK_THAT(text, contains("processor               Some CPU\n"));
  CHECK_THAT(text, contains("backend                 cpu, float, gradients in fp16\n"));
  CHECK_THAT(text, contains("compiler                g++ 12.2.0, -O3\n"));
  CHECK_THAT(text, contains("BLAS                    OpenBLAS 0.3.21, kernels SkylakeX\n"));
  CHECK_THAT(
      text, contains("gossip                  " + std::string(gossip::version) + ", commit abc\n"));
  CHECK_THAT(text, !contains("device"));
  auto const json = gossip::to_json(report);
  CHECK(json.at("seed") == 7);
  CHECK(json.at("topology_seed") == 5);
  CHECK(json.at("split_seed").is_null());
  CHECK(json.at("exchange").dump() ==
        R"({"kind":"d_psgd","order":"combine_then_adapt","radius":0.5,"on":true})");
  CHECK(json.at("blas_kernels") == "SkylakeX");
  CHECK(json.at("device").is_null());
  CHECK_THAT(text_of(gossip::run_report{}), !contains("seed"));
}
