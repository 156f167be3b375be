// Live learners as threads of this process, connected by a memory_network: what the tests share.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <gossip/gossip.hpp>
#include <gossip/live/ad_psgd.hpp>
#include <gossip/live/all_reduce.hpp>
#include <gossip/live/d_psgd.hpp>
#include <gossip/live/memory_channel.hpp>

namespace gossip::test {

using live_model = sequential<input<1, 8, 8>, conv2d<3, 3>, max_pool<2>, dense<7>, relu, dense<4>>;

inline dataset const &live_images() {
  static dataset const images = synthetic{.samples = 300, .shape = {1, 8, 8}, .classes = 4}.build();
  return images;
}

/// The results of a run in this process.
template <class T>
struct live_outcome {
  std::vector<std::vector<T>> rows;  // (ranks, d)
  std::vector<live::metrics> metrics;
};

/// Runs body(channel, learner) on a thread a rank. make(rank) gives the parts of its learner. What
/// one throws ends the others, and is thrown here.
template <class Learner, class Make, class Body>
live_outcome<typename Learner::number> run_live(live::memory_network &network, Make make,
                                                Body body) {
  std::size_t const n = network.ranks();
  live_outcome<typename Learner::number> outcome{
      std::vector<std::vector<typename Learner::number>>(n), std::vector<live::metrics>(n)};
  std::exception_ptr first;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < n; ++r)
    threads.emplace_back([&, r] {
      try {
        live::memory_channel channel(network, r);
        Learner learner(make(r));
        body(channel, learner);
        outcome.rows[r].assign(learner.row().begin(), learner.row().end());
        outcome.metrics[r] = learner.counted();
      } catch (std::exception const &e) {
        std::lock_guard const guard(mutex);
        if (!first) first = std::current_exception();
        network.fail(r, e.what());
      }
    });
  for (std::thread &t : threads) t.join();
  if (first) std::rethrow_exception(first);
  return outcome;
}

}  // namespace gossip::test
