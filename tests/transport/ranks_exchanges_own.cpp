// Exchanges of one's own on many ranks: the verbs that the library's exchanges leave out.
#include "../exchange/row_exchanges.hpp"
#include "own_exchanges.hpp"
#include "ranks.hpp"

TEST_CASE("combine crosses ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::test::pulls{});
}

TEST_CASE("a row with many readers on a rank crosses once while it stays as it is", "[ranks]") {
  gossip::test::check_ranks(gossip::test::stars{});
}

TEST_CASE("chains of averages and mixtures in a row cross ranks in the order of the plan",
          "[ranks]") {
  gossip::test::check_ranks(gossip::test::chains{});
}

TEST_CASE("pairs of rows besides the models cross ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::test::pairs_of_rows{});
}

TEST_CASE("mixtures of rows besides the models cross ranks in every form of halo", "[ranks]") {
  gossip::test::check_ranks(gossip::test::mixtures_of_rows{});
}
