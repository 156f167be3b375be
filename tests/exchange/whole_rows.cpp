// Functions of whole rows: the laws for exchanges that use them in every way.
#include "laws.hpp"
#include "whole_row_exchanges.hpp"

using namespace gossip::test;

TEST_CASE("whole rows between writes of rows keep the laws of exchanges", "[exchange]") {
  check_exchange(whole_rows_by_event{}, {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("whole rows before and behind mixtures keep the laws of exchanges", "[exchange]") {
  check_exchange(whole_rows_in_rounds{}, {.keeps_mean = false, .reaches_mean = false});
}
