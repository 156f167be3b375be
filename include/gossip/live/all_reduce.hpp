// Synchronous data-parallel SGD, live: every learner steps by the mean of all gradients, so that
// all models stay the same.
#pragma once

#include <chrono>
#include <cstdint>

#include <gossip/core/error.hpp>
#include <gossip/live/channel.hpp>
#include <gossip/live/collectives.hpp>
#include <gossip/live/learner.hpp>
#include <gossip/live/mean_of_rows.hpp>

namespace gossip::live {

/// Rounds of all ranks.
template <channel Channel>
std::uint64_t rounds(Channel const &channel, settings const &s) {
  return (s.iterations + channel.size() - 1) / channel.size();
}

/// Runs until all learners together have computed s.iterations gradients, rounded up to whole
/// rounds. The models are, bit for bit, that of the simulator's all_reduce. The learner's
/// arithmetic must be that of gradients that do not wait. Throws gossip::error for gradients that
/// cannot be summed.
template <channel Channel, class Learner>
void run_all_reduce(Channel const &channel, Learner &learner, settings const &s) {
  mean_of_rows<Channel, typename Learner::number> mean(channel, learner.row().size());
  measured(channel, learner, s, [&] {
    for (std::uint64_t k = 0; k < rounds(channel, s); ++k) {
      learner.begin();
      while (!learner.wait(std::chrono::seconds(1))) {
      }
      auto const began = recording::clock::now();
      std::uint64_t const sent = mean.sent_bytes();
      if (!mean.take(learner.gradient(), s))
        throw diverged(
            "step " + std::to_string(k) +
            ": a gradient has a number that is not finite or beyond 2^20, too large to be "
            "summed; a smaller rate or a warm-up may keep it smaller");
      learner.recorded().resume();
      learner.recorded().exchanged(learner.self(), k, began, mean.sent_bytes() - sent);
      learner.step_by(mean.mean(), s.rate);
    }
    learner.counted().exchanges = rounds(channel, s);
    learner.counted().bytes_sent = mean.sent_bytes();
  });
}

}  // namespace gossip::live
