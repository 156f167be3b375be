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
  termination(Channel const &channel, std::span<node const> neighbors, bool active,
              settings const &s)
      : channel_(channel),
        settings_(s),
        neighbors_(neighbors),
        active_(active),
        said_last_(channel.rank() == 0),
        heard_(channel.rank() == 0 ? channel.size() : 0),
        arriving_(heard_.size()),
        words_(1 + (active ? 0 : neighbors.size())),
        outgoing_(channel.rows()),
        incoming_(channel.rows()) {
    for (std::uint32_t r = 1; r < heard_.size(); ++r) expect_report(r);
    if (channel.rank() > 0) incoming_.receive(0, tag::stop, {&words_[0], 1}, stop_ticket);
    if (!active)
      for (std::size_t k = 0; k < neighbors.size(); ++k)
        incoming_.receive(neighbors[k], tag::done, {&words_[1 + k], 1}, done_ticket);
  }

  /// Nothing new shall be begun.
  bool stopped() const { return stopped_; }

  /// Nobody needs this rank any more.
  bool over() const { return over_; }

  /// Moves messages on. `asking`: this learner waits for an answer. True if anything happened.
  bool advance(metrics const &own, bool asking) {
    bool const before = stopped_;
    incoming_.poll([this](std::uint32_t ticket) { arrived(ticket); });
    bool const quiet = complete(outgoing_);
    channel_.rank() == 0 ? lead(own) : follow(own, quiet);
    if (stopped_ && active_ && !asking && !said_done_) {
      for (node const j : neighbors_) outgoing_.send(j, tag::done, {&word_, 1});
      said_done_ = true;
    }
    over_ = stopped_ && incoming_.empty() && complete(outgoing_) && (said_done_ || !active_) &&
            said_last_;
    return stopped_ != before;
  }

  std::uint64_t sent_bytes() const { return outgoing_.sent_bytes(); }

 private:
  /// A learner's counts so far.
  struct count {
    std::uint64_t iterations = 0, exchanges = 0, last = 0;
  };

  /// Tickets of what is received; that of a report is its rank.
  static constexpr std::uint32_t stop_ticket = 0xffffffff, done_ticket = 0xfffffffe;

  void expect_report(std::uint32_t r) {
    incoming_.receive(r, tag::progress, bytes_of(std::span(&arriving_[r], 1)), r);
  }

  void arrived(std::uint32_t ticket) {
    stopped_ = stopped_ || ticket == stop_ticket;
    if (ticket >= heard_.size()) return;
    heard_[ticket] = arriving_[ticket];
    if (!heard_[ticket].last) expect_report(ticket);
  }

  void lead(metrics const &own) {
    if (stopped_) return;
    std::uint64_t iterations = own.iterations, exchanges = own.exchanges;
    for (count const &c : heard_) {
      iterations += c.iterations;
      exchanges += c.exchanges;
    }
    stopped_ = iterations >= settings_.iterations || exchanges / 2 >= settings_.exchanges;
    if (stopped_)
      for (std::size_t r = 1; r < channel_.size(); ++r) outgoing_.send(r, tag::stop, {&word_, 1});
  }

  /// The next report goes when the last one has gone, so one is under way at most.
  void follow(metrics const &own, bool quiet) {
    if (!quiet || said_last_) return;
    if (!stopped_ && own.iterations == own_.iterations && own.exchanges == own_.exchanges) return;
    own_ = {own.iterations, own.exchanges, stopped_};
    said_last_ = stopped_;
    outgoing_.send(0, tag::progress, bytes_of(std::span<count const>(&own_, 1)));
  }

  Channel const &channel_;
  settings const &settings_;
  std::span<node const> neighbors_;
  bool active_;
  bool stopped_ = false, over_ = false, said_done_ = false, said_last_;
  std::byte word_{};
  count own_;
  std::vector<count> heard_;      // (ranks) on rank 0, the last that has arrived
  std::vector<count> arriving_;   // (ranks) where the next is received
  std::vector<std::byte> words_;  // that say stop, then done
  typename Channel::requests outgoing_, incoming_;
};

}  // namespace gossip::live
