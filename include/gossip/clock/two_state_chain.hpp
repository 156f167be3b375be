// A Markov chain of two states, as the channel of E. N. Gilbert, "Capacity of a burst-noise
// channel", Bell System Technical Journal 39(5), 1960.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <gossip/core/elementary.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// The states of a Markov chain in its stationary distribution, each found without those before it.
/// A chain with probabilities p and q of a change is one that before each step, with probability
/// p + q, forgets its state and is slow with probability p / (p + q). So a state is that drawn when
/// the chain last forgot. The gaps between these steps are geometric and drawn block of steps by
/// block, from the start of each; blocks are as long as a mean gap, so the expected number of draws
/// is bounded whatever p and q are (about five).
struct two_state_chain {
  double slow_share;     // p / (p + q)
  double log_kept;       // ln(1 - p - q)
  std::uint64_t length;  // of a block, steps
  purpose drawn_for;

  two_state_chain(double p, double q, purpose what = purpose::machine_state)
      : slow_share(p / (p + q)),
        log_kept(p + q < 1.0 ? elementary::log(1.0 - (p + q))
                             : -std::numeric_limits<double>::infinity()),
        length(static_cast<std::uint64_t>(std::ceil(1.0 / (p + q)))),
        drawn_for(what) {}

  bool slow(std::uint64_t seed, node i, std::uint64_t step) const {
    auto last = static_cast<double>(step % length);
    for (std::uint64_t block = step / length;; --block, last = static_cast<double>(length - 1)) {
      keyed_random random(seed, drawn_for, i, block);
      bool known = block == 0;  // the state before the first step
      bool state = known && random.uniform() < slow_share;
      for (double at = gap(random); at <= last; at += 1.0 + gap(random)) {
        known = true;
        state = random.uniform() < slow_share;
      }
      if (known) return state;
    }
  }

 private:
  /// Steps until the next that forgets, geometric from 0.
  double gap(keyed_random &random) const {
    return std::floor(elementary::log(1.0 - random.uniform()) / log_kept);
  }
};

}  // namespace gossip
