// AD-PSGD, live. X. Lian, W. Zhang, C. Zhang, J. Liu, "Asynchronous decentralized parallel
// stochastic gradient descent", ICML 2018, Algorithm 1, on a bipartite graph.
//
// A learner of the active side chooses a neighbour at random whenever it begins a gradient, and the
// two set both models to their mean while the gradient is computed. Learners of the passive side
// answer, one at a time, whatever they compute. So nobody who is waited for ever waits: no
// deadlock.
//
// A pair's average is atomic. The active learner leaves its model alone from the moment it sends it
// until the mean comes back; the passive one averages in one piece, on the only thread that ever
// touches its model.
//
// The end: rank 0 adds up what all have done and tells everybody to stop. An active learner ends
// the average that it is in and says so to its neighbours; a passive one answers until all its
// neighbours have said so.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/live/bipartition.hpp>
#include <gossip/live/channel.hpp>
#include <gossip/live/collectives.hpp>
#include <gossip/live/learner.hpp>
#include <gossip/live/termination.hpp>

namespace gossip::live {

namespace detail {

/// Of the active side: one average at a time, with a neighbour drawn for each gradient.
template <channel Channel, class Learner>
class asking {
  using T = typename Learner::number;

 public:
  asking(Channel const &channel, Learner &learner, std::span<node const> neighbors,
         std::uint64_t seed)
      : requests_(channel.rows()),
        learner_(learner),
        neighbors_(neighbors),
        seed_(seed),
        mean_(learner.exchanged().size()) {}

  void begin() {
    if (neighbors_.empty()) return;
    keyed_random random(seed_, purpose::neighbor, learner_.self(), learner_.counted().iterations);
    node const partner = neighbors_[random.below(static_cast<std::uint32_t>(neighbors_.size()))];
    began_ = recording::clock::now();
    partner_ = partner;
    requests_.receive(partner, tag::mean_model, bytes_of(std::span(mean_)));
    requests_.send(partner, tag::model, bytes_of(std::span<T const>(learner_.exchanged())));
    under_way_ = true;
  }

  /// Moves the average on; true if that ended it.
  bool advance() {
    if (!under_way_ || !complete(requests_)) return false;
    std::ranges::copy(mean_, learner_.exchanged().begin());
    learner_.changed();
    learner_.recorded().exchanged(partner_, learner_.counted().iterations, began_,
                                  learner_.exchanged().size_bytes());
    ++learner_.counted().exchanges;
    under_way_ = false;
    return true;
  }

  bool under_way() const { return under_way_; }
  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

 private:
  typename Channel::requests requests_;
  Learner &learner_;
  std::span<node const> neighbors_;
  std::uint64_t seed_;
  std::vector<T> mean_;  // (d)
  node partner_ = 0;
  recording::clock::time_point began_{};
  bool under_way_ = false;
};

/// Of the passive side: answers one neighbour at a time, each in its turn.
template <channel Channel, class Learner>
class answering {
  using T = typename Learner::number;

 public:
  answering(Channel const &channel, Learner &learner, std::span<node const> neighbors)
      : channel_(channel),
        requests_(channel.rows()),
        learner_(learner),
        neighbors_(neighbors),
        row_(learner.exchanged().size()) {}

  /// Moves on; true if anything happened.
  bool advance() {
    if (state_ == state::listening) return listen();
    if (!complete(requests_)) return false;
    if (state_ == state::receiving) {
      average();
      requests_.send(partner_, tag::mean_model, bytes_of(std::span<T const>(row_)));
      state_ = state::replying;
    } else {
      state_ = state::listening;
    }
    return true;
  }

  bool under_way() const { return state_ != state::listening; }
  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

 private:
  enum class state { listening, receiving, replying };

  bool listen() {
    for (std::size_t k = 0; k < neighbors_.size(); ++k) {
      node const j = neighbors_[next_++ % neighbors_.size()];
      if (!channel_.arrived(j, tag::model)) continue;
      partner_ = j;
      requests_.receive(j, tag::model, bytes_of(std::span(row_)));
      state_ = state::receiving;
      return true;
    }
    return false;
  }

  void average() {
    flushed_denormals const guard;
    T *__restrict const a = learner_.exchanged().data();
    T *__restrict const b = row_.data();
    for (std::size_t c = 0; c < row_.size(); ++c) a[c] = b[c] = (a[c] + b[c]) * T(0.5);
    learner_.changed();
    ++learner_.counted().exchanges;
  }

  Channel const &channel_;
  typename Channel::requests requests_;
  Learner &learner_;
  std::span<node const> neighbors_;
  std::size_t next_ = 0;
  std::vector<T> row_;  // (d) what came, then the mean
  node partner_ = 0;
  state state_ = state::listening;
};

}  // namespace detail

/// Runs until all learners together have computed s.iterations gradients or taken part in twice
/// s.exchanges averages, and a few more that are on their way then. The learner's arithmetic must
/// be that of gradients that wait. Throws input_error unless g is bipartite and has a node a rank.
template <channel Channel, class Learner>
void run_ad_psgd(Channel const &channel, Learner &learner, graph const &g, settings const &s) {
  if (g.nodes() != channel.size())
    throw input_error("live ad_psgd", "a graph of " + std::to_string(channel.size()) + " nodes",
                      std::to_string(g.nodes()));
  bool const active = active_side(g)[channel.rank()];
  auto const neighbors = g.neighbors(channel.rank());
  detail::asking<Channel, Learner> asks(channel, learner, neighbors, s.seed);
  detail::answering<Channel, Learner> answers(channel, learner, neighbors);
  termination<Channel> end(channel, neighbors, active, s);
  measured(channel, learner, s, [&] {
    bool computing = false;
    while (!end.over() || asks.under_way() || answers.under_way()) {
      bool moved = active ? asks.advance() : answers.advance();
      bool const ready = computing && learner.wait(std::chrono::nanoseconds(0));
      if (ready && !asks.under_way()) {
        learner.step(s.rate);
        computing = false;
        moved = true;
      }
      moved |= end.advance(learner.counted(), asks.under_way());
      if (!computing && !end.stopped()) {
        learner.begin();
        if (active) asks.begin();
        computing = moved = true;
      }
      if (!moved) pause(learner, computing && !ready, s);
    }
    learner.counted().bytes_sent = asks.sent_bytes() + answers.sent_bytes() + end.sent_bytes();
  });
}

}  // namespace gossip::live
