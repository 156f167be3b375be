// Lost messages: their share, the lengths of bursts, tries until they arrive.
#include <gossip/clock/message_loss.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::after_loss;
using gossip::link_losses;
using gossip::message_loss;
using gossip::transmission;

namespace {

constexpr int many = 200'000;

std::vector<bool> lost_of(message_loss const &of, gossip::node from, gossip::node to,
                          std::uint64_t seed = 1) {
  link_losses losses(of, seed);
  std::vector<bool> lost(many);
  for (auto &&one : lost) one = losses.loses(from, to);
  return lost;
}

double share_of(std::vector<bool> const &lost) {
  double count = 0;
  for (bool const one : lost) count += one;
  return count / static_cast<double>(lost.size());
}

/// The mean length of runs of what is lost, or of what is not.
double mean_run(std::vector<bool> const &lost, bool of) {
  double runs = 0, all = 0;
  for (std::size_t k = 0; k < lost.size(); ++k) {
    all += lost[k] == of;
    runs += lost[k] == of && (k == 0 || lost[k - 1] != of);
  }
  return all / runs;
}

/// Five standard deviations of a share of `many`.
double margin(double p) {
  return 5 * std::sqrt(p * (1 - p) / many);
}

}  // namespace

TEST_CASE("as many messages are lost as their probability says, each by itself", "[clock]") {
  for (double const p : {0.01, 0.3, 0.9}) {
    auto const lost = lost_of({.share = p}, 2, 5);
    CHECK(share_of(lost) == Approx(p).margin(margin(p)));
    CHECK(mean_run(lost, true) == Approx(1 / (1 - p)).epsilon(0.05));
    CHECK(mean_run(lost, false) == Approx(1 / p).epsilon(0.15));
    for (auto const &other : {lost_of({.share = p}, 5, 2), lost_of({.share = p}, 2, 6),
                              lost_of({.share = p}, 2, 5, 2)}) {
      double both = 0;
      for (int k = 0; k < many; ++k) both += lost[k] && other[k];
      CHECK(both / many == Approx(p * p).margin(margin(p * p)));
    }
    CHECK(lost == lost_of({.share = p}, 2, 5));
  }
  CHECK(share_of(lost_of({}, 0, 1)) == 0);
  CHECK(share_of(lost_of({.share = 1, .then = after_loss::go_on}, 0, 1)) == 1);
}

// Gilbert: in bursts of 1 / 0.2 messages all are lost, between them, 1 / 0.01, none.
TEST_CASE("bursts are as long, and as far apart, as a Markov chain has them", "[clock]") {
  auto const lost = lost_of({.burst_begins = 0.01, .burst_ends = 0.2}, 0, 1);
  CHECK(mean_run(lost, true) == Approx(5).epsilon(0.1));
  CHECK(mean_run(lost, false) == Approx(100).epsilon(0.1));
  CHECK(share_of(lost) == Approx(0.01 / 0.21).epsilon(0.1));

  // Elliott: the share is that of both states; the correlation of messages k apart, divided by the
  // product of the states' difference squared and their variance, is (1 - 0.05 - 0.1)^k.
  message_loss const of{.share = 0.1, .burst_share = 0.7, .burst_begins = 0.05, .burst_ends = 0.1};
  auto const mixed = lost_of(of, 3, 4);
  double const in = 0.05 / 0.15, p = in * 0.7 + (1 - in) * 0.1;
  CHECK(of.in_bursts() == Approx(in));
  CHECK(share_of(mixed) == Approx(p).margin(0.01));
  for (int const apart : {1, 4}) {
    double both = 0;
    for (int k = apart; k < many; ++k) both += mixed[k] && mixed[k - apart];
    double const covariance = 0.6 * 0.6 * in * (1 - in) * std::pow(0.85, apart);
    CHECK(both / many - p * p == Approx(covariance).margin(0.01));
  }

  // Links are in a burst at first as often as later.
  link_losses losses({.burst_begins = 0.05, .burst_ends = 0.1}, 7);
  double first = 0;
  for (gossip::node i = 1; i <= 20'000; ++i) first += losses.loses(0, i);
  CHECK(first / 20'000 == Approx(in).margin(0.02));
}

TEST_CASE("a lost message is sent until it arrives", "[clock]") {
  double const p = 0.3;
  link_losses losses({.share = p, .timeout = 7ms}, 1);
  double tries = 0, exchanges = 0, turns = 0;
  std::uint64_t again = 0;
  for (int k = 0; k < 20'000; ++k) {
    transmission const one = losses.message(0, 1, 100);
    CHECK(one.bytes == 100 * one.tries);
    CHECK(one.waits == (one.tries - 1) * 7ms);
    tries += one.tries;
    transmission const both = losses.exchange(1, 2, 10);
    CHECK(both.bytes == 10 * both.tries);
    exchanges += both.tries;
    transmission const ring = losses.in_turns(2, 3, 60, 6);
    CHECK(ring.bytes == 10 * ring.tries);
    CHECK(ring.waits == (ring.tries - 6) * 7ms);
    turns += ring.tries;
    again += 100 * (one.tries - 1) + 20 * (both.tries - 1) + 10 * (ring.tries - 6);
  }
  CHECK(tries / 20'000 == Approx(1 / (1 - p)).epsilon(0.02));
  CHECK(exchanges / 20'000 == Approx(1 / ((1 - p) * (1 - p))).epsilon(0.02));
  CHECK(turns / 20'000 == Approx(6 / (1 - p)).epsilon(0.02));
  CHECK(losses.bytes_sent_again() == again);

  bool const before = losses.suspend(true);
  for (int k = 0; k < 100; ++k) {
    CHECK(losses.message(0, 1, 100).tries == 1);
    CHECK(losses.exchange(0, 1, 100).tries == 1);
    CHECK(losses.in_turns(0, 1, 100, 4).tries == 4);
  }
  CHECK_FALSE(before);
  CHECK(losses.bytes_sent_again() == again);
}

TEST_CASE("messages that are gone are not sent again, but those of rings", "[clock]") {
  link_losses losses({.share = 0.5, .then = after_loss::go_on}, 1);
  CHECK(losses.gone());
  double turns = 0;
  for (int k = 0; k < 1000; ++k) {
    CHECK(losses.message(0, 1, 100).tries == 1);
    CHECK(losses.exchange(0, 1, 100).tries == 1);
    turns += losses.in_turns(0, 1, 100, 10).tries;
  }
  CHECK(turns / 1000 == Approx(20).epsilon(0.05));
  losses.suspend(true);
  CHECK_FALSE(losses.gone());
}

TEST_CASE("probabilities of losses that cannot be are refused", "[clock]") {
  auto const refused = [](message_loss const &of, char const *sentence) {
    CHECK_THROWS_WITH(link_losses(of, 1), Catch::Contains(sentence));
  };
  refused({.share = 1.5}, "clock: loss: share: expected a probability from 0 to 1, got 1.5");
  refused({.share = -0.1}, "clock: loss: share: expected a probability from 0 to 1, got -0.1");
  refused({.burst_begins = std::nan("")}, "clock: loss: burst_begins: expected a probability");
  refused({.burst_begins = 0.1, .burst_ends = 0},
          "clock: loss: burst_ends: expected a probability "
          "above 0, since bursts begin, got 0");
  refused({.share = 0.1, .timeout = -1ns}, "clock: loss: timeout: expected 0s or more, got -1ns");
  refused({.share = 1}, "clock: loss: share: expected less than 1 where lost messages are sent");
  CHECK_NOTHROW(link_losses({.share = 1, .then = after_loss::go_on}, 1));
  link_losses hopeless({.share = 1, .burst_share = 0.999'999'999, .burst_begins = 1e-12}, 1);
  CHECK_THROWS_WITH(hopeless.message(3, 4, 1),
                    "clock: loss: a message from node 3 to node 4 is lost a million times");
}
