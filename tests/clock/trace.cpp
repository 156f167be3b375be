// Measured times, from files that the tests write.
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/links.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/speed_trace.hpp>
#include <gossip/clock/trace_time.hpp>

#include <fstream>
#include <string>

#include "../catch.hpp"
#include "../data/temporary_folder.hpp"

using namespace std::chrono_literals;

using gossip::trace_time;

namespace {

std::string trace_file(gossip::test::temporary_folder const &folder, std::string const &text) {
  std::ofstream(folder.path("times.csv"), std::ios::binary) << text;
  return folder.path("times.csv");
}

}  // namespace

TEST_CASE("a trace has the times of each node, or of all", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const own =
      trace_time{.path = trace_file(folder,
                                    "node, step, duration_ms\n0,0,10\n1,0,2.5\n\n0,1,0.000001\r\n"
                                    "1,1,7\n1,2,1e3\n")}
          .prepare();
  CHECK(own.duration(1, 0, 0) == 10ms);
  CHECK(own.duration(9, 0, 1) == 1ns);
  CHECK(own.duration(1, 0, 2) == 10ms);  // from the first again, each node by itself
  CHECK(own.duration(1, 1, 0) == 2'500us);
  CHECK(own.duration(1, 1, 2) == 1s);
  CHECK(own.duration(1, 1, 3) == 2'500us);
  for (auto const &[unit, time] : {std::pair{"ns", 5ns}, {"us", 5us}, {"ms", 5ms}, {"s", 5s}}) {
    trace_time const all{.path =
                             trace_file(folder, std::string("step,duration_") + unit + "\n0,5\n")};
    CHECK(all.duration(1, 0, 0) == time);
    CHECK(all.duration(1, 1000, 77) == time);
  }
  std::string const text = "step,duration_s\n0,3\n1,4\n";
  auto const packed =
      folder.write("times.csv.gz", gossip::test::gzipped({text.begin(), text.end()}));
  CHECK(trace_time{.path = packed}.duration(1, 2, 1) == 4s);
}

TEST_CASE("a trace that ends, or lacks a node, says so", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const path = trace_file(folder, "node,step,duration_ms\n0,0,10\n0,1,11\n1,0,9\n");
  gossip::node_clock const times(gossip::virtual_clock{.compute = trace_time{path, false}}, 3);
  CHECK(times.compute_time(1, 0, 1) == 11ms);
  CHECK_THROWS_WITH(
      times.compute_time(1, 1, 1),
      path + ": expected a duration for training 1 of node 1, or repeats, got 1 durations");
  CHECK_THROWS_WITH(times.compute_time(1, 2, 0),
                    path + ": expected durations for node 2, got durations for 2 nodes");
}

TEST_CASE("faults of traces are named by file and line", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const refused = [&](std::string const &text, std::string const &sentence) {
    auto const path = trace_file(folder, text);
    CHECK_THROWS_WITH(trace_time{path}.prepare(), path + sentence);
  };
  std::string const header = "a header 'node,step,duration_ms', or ns, us, s, or without node";
  refused("", ": expected a header and times, got an empty file");
  refused("node,step,duration_ms\n", ": expected at least one duration, got none");
  refused("step,duration_ms\n\n", ": expected at least one duration, got none");
  refused("node,step,duration\n0,0,1\n", ":1: expected " + header + ", got 'node,step,duration'");
  refused("0,0,1\n", ":1: expected " + header + ", got '0,0,1'");
  refused("step,duration_min\n0,1\n", ":1: expected " + header + ", got 'step,duration_min'");
  std::string const start = "node,step,duration_ms\n0,0,1\n";
  refused(start + "0,1\n", ":3: expected 3 numbers between commas, got '0,1'");
  refused(start + "0,1,x\n", ":3: expected 3 numbers between commas, got '0,1,x'");
  refused(start + "0,2,1\n", ":3: expected step 1 of node 0, got 2");  // a gap
  refused(start + "0,1,1\n0,1,1\n", ":4: expected step 2 of node 0, got 1");
  refused(start + "1,1,1\n", ":3: expected step 0 of node 1, got 1");
  refused(start + "0,0.5,1\n", ":3: expected step 1 of node 0, got 0.5");
  refused(start + "2,0,1\n", ":3: expected a node from 0 to 1, got 2");
  refused(start + "-1,0,1\n", ":3: expected a node from 0 to 1, got -1");
  refused(start + "0.5,0,1\n", ":3: expected a node from 0 to 1, got 0.5");
  refused(start + "nan,0,1\n", ":3: expected a node from 0 to 1, got nan");
  refused(start + "0,1,0\n", ":3: expected a duration from 1 ns to 292 years, got 0");
  refused(start + "0,1,-2\n", ":3: expected a duration from 1 ns to 292 years, got -2");
  refused(start + "0,1,inf\n", ":3: expected a duration from 1 ns to 292 years, got inf");
  refused("step,duration_s\n0,1e300\n",
          ":2: expected a duration from 1 ns to 292 years, got 1e+300");
  CHECK_THROWS_WITH(trace_time{}.prepare(), "trace_time: path: expected a file, got none");
  CHECK_THROWS_WITH(
      trace_time{folder.path("none.csv")}.prepare(),
      folder.path("none.csv") + ": expected a readable file, got 'No such file or directory'");
}

TEST_CASE("outages of a trace are those of its lines", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const path = trace_file(folder, "node,from_ms,until_ms\n2,5,7.5\n0,1,2\n\n2,8,inf\n");
  gossip::outages const traced{.listed = {{.which = 0, .from = 3ms, .until = 4ms}}, .trace = path};
  gossip::outages const listed{
      .listed = {{0, 1ms, 2ms}, {0, 3ms, 4ms}, {2, 5ms, 7'500us}, {2, 8ms}}};
  gossip::up_times const one(traced, 3, 1), other(listed, 3, 1);
  for (gossip::node i = 0; i < 3; ++i)
    for (auto t = 0us; t < 10ms; t += 250us) {
      CHECK(one.up_from(i, t) == other.up_from(i, t));
      CHECK(one.after(i, t, 2ms) == other.after(i, t, 2ms));
    }
  CHECK(one.up_from(2, 6ms) == 7'500us);
  CHECK(one.crashes(2));
  CHECK_FALSE(one.always());
}

TEST_CASE("faults of a trace of outages are named by file and line", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const refused = [&](std::string const &text, std::string const &sentence) {
    auto const path = trace_file(folder, text);
    CHECK_THROWS_WITH(gossip::up_times({.trace = path}, 3, 1), path + sentence);
  };
  std::string const header = "node,from_s,until_s\n";
  refused("", ": expected a header and times, got an empty file");
  refused("node,from,until\n",
          ":1: expected a header 'node,from_s,until_s', or ns, us, ms, got 'node,from,until'");
  refused(header + "0,1\n", ":2: expected 3 numbers between commas, got '0,1'");
  refused(header + "3,1,2\n", ":2: expected a node below 3, got 3");
  refused(header + "0.5,1,2\n", ":2: expected a node below 3, got 0.5");
  refused(header + "0,-1,2\n", ":2: expected a time from 0 to 292 years, got -1");
  refused(header + "0,1,1e30\n", ":2: expected a time from 0 to 292 years, got 1e+30");
  refused(header + "0,2,2\n", ":2: expected an end after 2s, got 2s");
  refused(header + "0,1,3\n1,0,1\n0,2,4\n",
          ":4: expected a time from 3s on, where the last outage of node 0 ends, got 2s");
}

TEST_CASE("speeds of a trace are those of its lines", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const path =
      trace_file(folder, "node,from_ms,until_ms,factor\n2,5,7.5,3\n0,1,2,0.5\n\n2,8,inf,2\n");
  using clock = gossip::virtual_clock<gossip::constant_time>;
  clock const traced{.compute = {2ms}, .slow = {{0, 10, 3ms, 4ms}}, .speeds = path};
  clock const listed{
      .compute = {2ms},
      .slow = {{0, 10, 3ms, 4ms}, {2, 3, 5ms, 7'500us}, {0, 0.5, 1ms, 2ms}, {2, 2, 8ms}}};
  gossip::node_clock const one(traced, 3), other(listed, 3);
  for (gossip::node i = 0; i < 3; ++i)
    for (auto t = 0us; t < 10ms; t += 250us)
      CHECK(one.compute_time(1, i, 0, t) == other.compute_time(1, i, 0, t));
  CHECK(one.compute_time(1, 1, 0, 6ms) == 2ms);
  CHECK(one.compute_time(1, 2, 0, 9ms) == 4ms);
  // From 4 ms on 1 ms, then a third of 2.5 ms, then the sixth of a millisecond that is left.
  CHECK(one.compute_time(1, 2, 0, 4ms) == 3'666'667ns);
}

TEST_CASE("faults of a trace of speeds are named by file and line", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const refused = [&](std::string const &text, std::string const &sentence) {
    auto const path = trace_file(folder, text);
    CHECK_THROWS_WITH(gossip::read_speeds(path, 3), path + sentence);
  };
  std::string const header = "node,from_s,until_s,factor\n";
  refused("", ": expected a header and times, got an empty file");
  refused("node,from,until,factor\n",
          ":1: expected a header 'node,from_s,until_s,factor', or ns, us, ms, got "
          "'node,from,until,factor'");
  refused(header + "0,1,2\n", ":2: expected 4 numbers between commas, got '0,1,2'");
  refused(header + "3,1,2,2\n", ":2: expected a node below 3, got 3");
  refused(header + "0,-1,2,2\n", ":2: expected a time from 0 to 292 years, got -1");
  refused(header + "0,2,2,2\n", ":2: expected an end after 2s, got 2s");
  refused(header + "0,1,2,0\n", ":2: expected a factor above 0, up to 1e9, got 0");
  refused(header + "0,1,2,-1\n", ":2: expected a factor above 0, up to 1e9, got -1");
  refused(header + "0,1,2,nan\n", ":2: expected a factor above 0, up to 1e9, got nan");
  refused(header + "0,1,3,2\n1,0,1,2\n0,2,4,2\n",
          ":4: expected a time from 3s on, where the last factor of node 0 ends, got 2s");
}

TEST_CASE("links of regions are those of a file", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const path =
      trace_file(folder,
                 "from, to, latency, bandwidth\n0,1,40ms,1Gbit/s\n2,0, 60 ms ,8Mbit/s\n\n"
                 "0,2,50ms,16Mbit/s\n1,2,5us,2GB/s\n1,1,1ms,4GB/s\n");
  gossip::link const all{.latency = 1us, .bandwidth = 1e12};
  gossip::region const home{.nodes = 2, .latency = 7us, .bandwidth = 1e10};
  gossip::link_table const table(
      all, {.regions = {home, home, home}, .between = {{2, 1, 9us, 3e9}}, .matrix = path}, 6);
  auto const check = [&](gossip::node from, gossip::node to, gossip::virtual_time latency,
                         double bandwidth) {
    CHECK(table.between(from, to).latency == latency);
    CHECK(table.between(from, to).bandwidth == bandwidth);
  };
  check(0, 1, 7us, 1e10);     // no line: the region's own
  check(2, 3, 1ms, 4e9);      // a line of the region with itself
  check(0, 3, 40ms, 1.25e8);  // one line: both directions
  check(3, 0, 40ms, 1.25e8);
  check(0, 4, 50ms, 2e6);  // two lines
  check(4, 0, 60ms, 1e6);
  check(2, 5, 9us, 3e9);  // `between` comes after the file
  check(5, 2, 9us, 3e9);
  CHECK(table.interface_of(2) == 4e9);
  CHECK_FALSE(gossip::differing_links{.matrix = path}.empty());
}

TEST_CASE("a file of regions is read once for all plans", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const path = trace_file(folder, "from,to,latency,bandwidth\n0,1,40ms,1Gbit/s\n");
  gossip::virtual_clock<gossip::constant_time> given;
  given.links = {.regions = {{.nodes = 1}, {.nodes = 1}}, .matrix = path};
  gossip::prepared_clock const clock = gossip::prepared(given);
  std::filesystem::remove(path);
  gossip::link_table const table({}, clock.links, 2);
  CHECK(table.between(1, 0).latency == 40ms);
  CHECK_THROWS_AS(gossip::prepared(given), gossip::input_error);
}

TEST_CASE("faults of a file of regions are named by file and line", "[clock]") {
  gossip::test::temporary_folder const folder;
  auto const refused = [&](std::string const &text, std::string const &sentence) {
    auto const path = trace_file(folder, text);
    gossip::differing_links const links{.regions = {{.nodes = 1}, {.nodes = 1}, {.nodes = 1}},
                                        .matrix = path};
    CHECK_THROWS_WITH(gossip::link_table({}, links, 3), path + sentence);
  };
  std::string const header = "from,to,latency,bandwidth\n";
  refused("", ": expected a header and links, got an empty file");
  refused("from,to,latency\n",
          ":1: expected a header 'from,to,latency,bandwidth', got 'from,to,latency'");
  refused(header + "0,1,40ms\n", ":2: expected 4 fields between commas, got '0,1,40ms'");
  refused(header + "\n0,3,40ms,1GB/s\n", ":3: expected a region below 3, got '3'");
  refused(header + "-1,2,40ms,1GB/s\n", ":2: expected a region below 3, got '-1'");
  refused(header + ",2,40ms,1GB/s\n", ":2: expected a region below 3, got ''");
  refused(
      header + "0,1,-4ms,1GB/s\n",
      ":2: expected a duration such as 10ms (a number and ns, us, ms, s, min or h), got \"-4ms\"");
  refused(header + "0,1,4ms,0GB/s\n",
          ":2: expected a bandwidth such as 2.8GB/s, more than 0, got \"0GB/s\"");
  refused(header + "0,1,4ms,1GB/s\n0,1,4ms,1GB/s\n",
          ":3: expected one link from region 0 to 1, got two");
  refused(header + "0,1,4ms,1GB/s\n2,0,4ms,1GB/s\n",
          ": expected a link of regions 1 and 2, got none");
  CHECK_THROWS_WITH(gossip::link_table({}, {.matrix = "x"}, 3),
                    "clock: links: matrix: expected regions, got none");
}
