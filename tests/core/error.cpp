// The sentence of an input error, and its parts.
#include <gossip/core/error.hpp>

#include "../catch.hpp"

TEST_CASE("an input error keeps the parts of its sentence", "[core]") {
  gossip::input_error const located("graph.txt:2", "two node numbers: a and b", "'1 two'");
  CHECK(std::string(located.what()) ==
        "graph.txt:2: expected two node numbers: a and b, got '1 two'");
  CHECK(located.where() == "graph.txt:2");
  CHECK(located.expected() == "two node numbers: a and b");
  CHECK(located.got() == "'1 two'");
  gossip::input_error const whole("run: the rank of node 0 is missing");
  CHECK(std::string(whole.what()) == "run: the rank of node 0 is missing");
  CHECK(whole.where().empty());
}
