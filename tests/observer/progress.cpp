// The text of a progress bar.
#include <gossip/observer/progress.hpp>

#include "../catch.hpp"

using gossip::progress;

TEST_CASE("a progress line has a bar, the epoch, the rate and the time left", "[observer]") {
  CHECK(progress::line({.node_iterations = 500, .epoch = 1.25}, 1000, 2.0) ==
        "[============            ]  50 %  epoch 1.25  250 it/s  2 s left");
  CHECK(progress::line({.node_iterations = 1000, .epoch = 2.5}, 1000, 4.0) ==
        "[========================] 100 %  epoch 2.50  250 it/s  0 s left");
}

TEST_CASE("a progress line before anything has happened promises nothing", "[observer]") {
  CHECK(progress::line({}, 1000, 0.0) ==
        "[                        ]   0 %  epoch 0.00  0 it/s  0 s left");
}
