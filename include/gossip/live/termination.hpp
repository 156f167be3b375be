// Termination of an asynchronous run with nobody left waiting: counts go to rank 0, its stop to
// all, and learners that ask for averages tell those that answer when they are done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/live/channel.hpp>
#include <gossip/live/collectives.hpp>
#include <gossip/live/metrics.hpp>

namespace gossip::live {

/// One rank's part in it. Rank 0 stops the run as soon as it knows of enough work; the messages
/// that say so are small and never waited for.
template <channel Channel>
class termination {
 public:
  /// active: this learner asks its neighbours; otherwise it answers them. s outlives the object.
  termination(Channel &channel, std::span<node const> neighbors, bool active, settings const &s)
      : channel_(channel),
        settings_(s),
        neighbors_(neighbors),
        active_(active),
        heard_(channel.rank() == 0 ? channel.ranks() : 0),
        arriving_(heard_.size()),
        words_(1 + (active ? 0 : neighbors.size())),
        outgoing_(channel),
        incoming_(channel) {
    for (std::size_t r = 1; r < heard_.size(); ++r) reports_.push_back(expect_report(r));
    if (channel.rank() > 0) stop_.push_back(channel.receive(0, id(tag::stop), {&words_[0], 1}));
    if (!active)
      for (std::size_t k = 0; k < neighbors.size(); ++k)
        incoming_.receive(neighbors[k], tag::done, {&words_[1 + k], 1});
  }

  /// Nothing new shall be begun.
  bool stopped() const { return stopped_; }

  /// Nobody needs this rank any more.
  bool over() const { return over_; }

  /// Moves messages on. `asking`: this learner waits for an answer. True if anything happened.
  bool advance(metrics const &own, bool asking) {
    bool const before = stopped_;
    bool const quiet = outgoing_.complete();
    channel_.rank() == 0 ? lead(own) : follow(own, quiet);
    if (stopped_ && active_ && !asking && !said_done_) {
      for (node const j : neighbors_) outgoing_.send(j, tag::done, {&word_, 1});
      said_done_ = true;
    }
    bool const answered = incoming_.complete();
    over_ = stopped_ && answered && outgoing_.complete() && (said_done_ || !active_) &&
            (channel_.rank() == 0 ? reports_.empty() : said_last_);
    return stopped_ != before;
  }

  std::size_t sent_bytes() const { return outgoing_.sent_bytes(); }

 private:
  /// A learner's counts so far.
  struct count {
    std::uint64_t iterations = 0, exchanges = 0, last = 0;
  };
  struct report {
    std::size_t from;
    typename Channel::request request;
  };

  static int id(tag what) { return static_cast<int>(what); }

  report expect_report(std::size_t r) {
    return {r, channel_.receive(r, id(tag::progress), bytes_of(std::span(&arriving_[r], 1)))};
  }

  void lead(metrics const &own) {
    std::erase_if(reports_, [&](report &r) {
      if (!channel_.test(r.request)) return false;
      heard_[r.from] = arriving_[r.from];
      if (heard_[r.from].last) return true;
      r = expect_report(r.from);
      return false;
    });
    if (stopped_) return;
    std::uint64_t iterations = own.iterations, exchanges = own.exchanges;
    for (count const &c : heard_) {
      iterations += c.iterations;
      exchanges += c.exchanges;
    }
    stopped_ = iterations >= settings_.iterations || exchanges / 2 >= settings_.exchanges;
    if (stopped_)
      for (std::size_t r = 1; r < channel_.ranks(); ++r) outgoing_.send(r, tag::stop, {&word_, 1});
  }

  /// The next report goes when the last one has gone, so one is under way at most.
  void follow(metrics const &own, bool quiet) {
    stopped_ = stopped_ || channel_.test(stop_.front());
    if (!quiet || said_last_) return;
    if (!stopped_ && own.iterations == own_.iterations && own.exchanges == own_.exchanges) return;
    own_ = {own.iterations, own.exchanges, stopped_};
    said_last_ = stopped_;
    outgoing_.send(0, tag::progress, bytes_of(std::span<count const>(&own_, 1)));
  }

  Channel &channel_;
  settings const &settings_;
  std::span<node const> neighbors_;
  bool active_;
  bool stopped_ = false, over_ = false, said_done_ = false, said_last_ = false;
  std::byte word_{};
  count own_;
  std::vector<count> heard_;      // (ranks) on rank 0, the last that has arrived
  std::vector<count> arriving_;   // (ranks) where the next is received
  std::vector<std::byte> words_;  // that say stop, then done
  std::vector<report> reports_;
  std::vector<typename Channel::request> stop_;
  request_set<Channel> outgoing_, incoming_;
};

}  // namespace gossip::live
