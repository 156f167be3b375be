// The laws of a backend, for those of the host.
#include <gossip/backend/cpu.hpp>
#include <gossip/backend/serial.hpp>

#include "conformance.hpp"

TEST_CASE("serial keeps the laws of a backend", "[backend]") {
  gossip::test::check_backend(gossip::serial{});
}

TEST_CASE("cpu keeps the laws of a backend", "[backend]") {
  gossip::test::check_backend(gossip::cpu{});
}

TEST_CASE("loops of cpu are right on any number of threads", "[backend]") {
  for (std::size_t const threads : {1, 2, 3, 5}) gossip::test::check_loops(gossip::cpu{threads});
}

TEST_CASE("a guard inside a guard restores what it found", "[backend]") {
  gossip::flushed_denormals const outer;
  {
    gossip::flushed_denormals const inner;
  }
  CHECK_FALSE(gossip::test::denormals_are_kept());
}
