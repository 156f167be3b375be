// Durations, sizes and bandwidths: read, written exactly, written for people.
#include <gossip/clock/units.hpp>

#include <limits>
#include <string>

#include "../catch.hpp"

using namespace std::chrono_literals;
using namespace gossip;

TEST_CASE("durations are read with any unit, with fractions and with a blank", "[clock]") {
  CHECK(parse_duration("10ms") == 10ms);
  CHECK(parse_duration("25us") == 25us);
  CHECK(parse_duration("1.5s") == 1500ms);
  CHECK(parse_duration("100ns") == 100ns);
  CHECK(parse_duration("2 min") == 120s);
  CHECK(parse_duration(".5h") == 1800s);
  CHECK(parse_duration("1e3us") == 1ms);
  CHECK(parse_duration("0s") == 0ns);
  CHECK(parse_duration("0.1s") == 100ms);
}

TEST_CASE("sizes are read in decimal and binary units", "[clock]") {
  CHECK(parse_bytes("512B") == 512);
  CHECK(parse_bytes("1.6MB") == 1'600'000);
  CHECK(parse_bytes("64 KiB") == 65'536);
  CHECK(parse_bytes("1.5GiB") == 1'610'612'736);
  CHECK(parse_bytes("2TB") == 2'000'000'000'000);
  CHECK(parse_bytes("0.001kB") == 1);
}

TEST_CASE("bandwidths are read in bytes and in bits", "[clock]") {
  CHECK(parse_bandwidth("2.8GB/s") == 2.8e9);
  CHECK(parse_bandwidth("100 Gbit/s") == 12.5e9);
  CHECK(parse_bandwidth("10B/s") == 10.0);
}

TEST_CASE("what is not a quantity is refused with the units that exist", "[clock]") {
  CHECK_THROWS_WITH(parse_duration("10 parsecs", "config.json: /clock/compute/mean"),
                    "config.json: /clock/compute/mean: expected a duration such as 10ms (a number "
                    "and ns, us, ms, s, min or h), got \"10 parsecs\"");
  for (char const *bad : {"", " ", "10", "ms", "-1ms", "+1ms", "nan s", "inf s", "1e999s", "0x1s",
                          "1  s", "1s ", "1,5s", "1 S"})
    CHECK_THROWS_AS(parse_duration(bad), input_error);
  CHECK_THROWS_WITH(parse_duration("1e10s"),
                    "duration: expected a duration such as 10ms, below 292 years, got \"1e10s\"");
  CHECK_THROWS_WITH(parse_bytes("1.5B"),
                    "size: expected a size such as 1.6MB, a whole number of bytes below 2^63, got "
                    "\"1.5B\"");
  CHECK_THROWS_AS(parse_bytes("1e30TB"), input_error);
  CHECK_THROWS_WITH(parse_bandwidth("0GB/s"),
                    "bandwidth: expected a bandwidth such as 2.8GB/s, more than 0, got \"0GB/s\"");
  CHECK_THROWS_WITH(
      parse_bandwidth("1e300TB/s"),
      "bandwidth: expected a bandwidth such as 2.8GB/s, below 1.8e308 bytes a second, "
      "got \"1e300TB/s\"");
  CHECK_THROWS_AS(parse_bandwidth("2.8Gb/s"), input_error);  // bits or bytes?
}

TEST_CASE("exact texts are read back as what they were", "[clock]") {
  CHECK(exact_duration(10ms) == "10ms");
  CHECK(exact_duration(1500us) == "1500us");
  CHECK(exact_duration(120s) == "120s");
  CHECK(exact_duration(0ns) == "0ns");
  for (auto const time : {1ns, 999ns, 1'000'001ns, virtual_time(25us), virtual_time(1h)})
    CHECK(parse_duration(exact_duration(time)) == time);
  CHECK(exact_bandwidth(2.8e9) == "2.8GB/s");
  CHECK(exact_bandwidth(12.5e9) == "12.5GB/s");
  CHECK(exact_bandwidth(10) == "10B/s");
  for (double const rate : {1.0 / 3.0, 1e9 / 3.0, 123456789.0, 1e300, 2.8e9})
    CHECK(parse_bandwidth(exact_bandwidth(rate)) == rate);
}

TEST_CASE("times for people have three digits or two units", "[clock]") {
  CHECK(format_duration(0ns) == "0 ns");
  CHECK(format_duration(999ns) == "999 ns");
  CHECK(format_duration(1234ns) == "1.23 us");
  CHECK(format_duration(25us) == "25.0 us");
  CHECK(format_duration(999'600ns) == "1.00 ms");
  CHECK(format_duration(1280ms) == "1.28 s");
  CHECK(format_duration(59'400ms) == "59.4 s");
  CHECK(format_duration(59'700ms) == "1 min 00 s");
  CHECK(format_duration(125s) == "2 min 05 s");
  CHECK(format_duration(12'000s) == "3 h 20 min");
  CHECK(format_duration(99h) == "4 d 03 h");
  CHECK(format_duration(-25us) == "-25.0 us");
  CHECK(format_duration(virtual_time::min()) == "-106751 d 23 h");
}

TEST_CASE("sizes and counts for people", "[clock]") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(999) == "999 B");
  CHECK(format_bytes(1'648'877) == "1.65 MB");
  CHECK(format_bytes(999'600) == "1.00 MB");
  CHECK(format_bytes(345'000'000) == "345 MB");
  CHECK(format_bytes(35'000'000'000'000) == "35.0 TB");
  CHECK(format_count(7) == "7");
  CHECK(format_count(431'080) == "431,080");
  CHECK(format_count(11'173'962) == "11,173,962");
  CHECK(format_count(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}
