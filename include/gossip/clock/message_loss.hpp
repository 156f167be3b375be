// Messages that are lost, each by itself or in bursts. E. N. Gilbert, "Capacity of a burst-noise
// channel", Bell System Technical Journal 39 (1960); E. O. Elliott, "Estimates of error rates for
// codes on burst-noise channels", Bell System Technical Journal 42 (1963).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

/// The answer to a lost message: it is sent again until it arrives, or all go on without it.
enum class after_loss { send_again, go_on };

template <>
struct value_names<after_loss> {
  static constexpr std::array<char const *, 2> names{"send_again", "go_on"};
};

/// Probabilities of the messages of a link, the same for all links. A link is in a burst or not; at
/// first as often as in the long run.
struct message_loss {
  double share = 0;         ///< of messages that are lost outside of bursts
  double burst_share = 1;   ///< of messages that are lost in a burst
  double burst_begins = 0;  ///< probability that a message is the last before a burst
  double burst_ends = 1;    ///< probability that a message of a burst is its last
  after_loss then = after_loss::send_again;
  virtual_time timeout{0};  ///< from the time at which it would have arrived to the next try

  /// True where a message can be lost.
  bool any() const { return share > 0 || (burst_begins > 0 && burst_share > 0); }

  /// The share of a link's messages that are sent in a burst.
  double in_bursts() const {
    return burst_begins > 0 ? burst_begins / (burst_begins + burst_ends) : 0;
  }

  /// Throws input_error for probabilities and times that cannot be.
  void check() const;

  static constexpr char const *name = "message_loss";
  static constexpr char const *meaning = "loss of messages";
  static constexpr auto members() {
    return member_list{
        described("share", &message_loss::share,
                  "probability that a message is lost outside of a burst", {.most = 1}),
        described("burst_share", &message_loss::burst_share,
                  "probability that a message is lost in a burst", {.most = 1}),
        described("burst_begins", &message_loss::burst_begins,
                  "probability that a burst begins after a message", {.most = 1}),
        described("burst_ends", &message_loss::burst_ends,
                  "probability that a burst ends after a message", {.most = 1}),
        described("then", &message_loss::then, "reaction to a lost message"),
        described("timeout", &message_loss::timeout,
                  "duration from the loss of a message until it is sent again")};
  }

 private:
  static void check_probability(char const *member, double p) {
    if (!(p >= 0 && p <= 1))
      throw input_error(std::string("clock: loss: ") + member, "a probability from 0 to 1",
                        detail::shortest(p));
  }
};

/// The transmission of a message: its bytes in all tries, their number, and the waits between.
struct transmission {
  std::size_t bytes = 0;
  std::uint32_t tries = 1;
  virtual_time waits{0};

  /// One try, but for the caller who says more.
  transmission(std::size_t all_bytes, std::uint32_t count = 1, virtual_time between = {})
      : bytes(all_bytes), tries(count), waits(between) {}
};

/// The losses of every link of a run, message by message. Draws are keyed by
/// (seed, purpose::message_loss, sender, receiver, number of the link's message).
class link_losses {
 public:
  /// Throws input_error for probabilities and times that cannot be.
  link_losses(message_loss const &of, std::uint64_t seed) : of_(of), seed_(seed) {
    of.check();
    again_ = of.any() && of.then == after_loss::send_again;
    gone_ = of.any() && of.then == after_loss::go_on;
  }

  /// True where messages may be lost for good; true where they may be sent again.
  bool gone() const { return gone_ && !free_; }
  bool again() const { return again_ && !free_; }

  /// The fate of the next message of a link.
  bool loses(node from, node to);

  /// The same, where what is lost is gone; of one to node i from node j, and one back if both send.
  [[gnu::always_inline]] bool lost(node from, node to) {
    return gone() && loses_for_good(from, to);
  }
  [[gnu::always_inline]] bool lost_between(node i, node j, bool both) {
    if (!gone()) return false;
    bool const lost_there = loses_for_good(j, i);
    return (both && loses_for_good(i, j)) || lost_there;
  }

  /// Messages so far where what is lost is gone, and those of them that are.
  struct fates {
    std::uint64_t sent = 0, lost = 0;
  };
  fates so_far() const { return so_far_; }

  /// A message with all of its tries.
  [[gnu::always_inline]] transmission message(node from, node to, std::size_t bytes) {
    if (!again()) return bytes;
    return counted(bytes, 1, tries_until(from, to, 1, [&] { return !loses(from, to); }), 1);
  }
  /// A message and its answer, of as many bytes: where one is lost, both are sent again.
  [[gnu::always_inline]] transmission exchange(node from, node to, std::size_t bytes) {
    if (!again()) return bytes;
    auto const both = [&] {
      bool const lost = loses(from, to), answer_lost = loses(to, from);
      return !lost && !answer_lost;
    };
    return counted(bytes, 1, tries_until(from, to, 1, both), 2);
  }
  /// The messages of a link, one a turn, of so many bytes together; all are sent again.
  transmission in_turns(node from, node to, std::size_t bytes, std::size_t turns);

  /// The bytes of all tries but those whose messages have arrived.
  std::uint64_t bytes_sent_again() const { return sent_again_; }

  /// Messages are not lost from now on, or as they are; returns what it was before.
  bool suspend(bool free) { return std::exchange(free_, free); }

 private:
  bool loses_for_good(node from, node to) {
    bool const lost = loses(from, to);
    ++so_far_.sent;
    so_far_.lost += lost;
    return lost;
  }

  struct link_state {
    std::uint32_t sent = 0;
    bool burst = false;
  };

  template <class Arrives>
  std::uint32_t tries_until(node from, node to, std::size_t messages, Arrives arrives) {
    std::uint32_t tries = 0;
    for (std::size_t arrived = 0, lost = 0; arrived < messages; ++tries) {
      if (arrives()) {
        ++arrived;
        lost = 0;
      } else if (++lost == 1'000'000) {
        throw error("clock: loss: a message from node " + std::to_string(from) + " to node " +
                    std::to_string(to) + " is lost a million times");
      }
    }
    return tries;
  }

  transmission counted(std::size_t bytes, std::size_t messages, std::uint32_t tries,
                       std::size_t ways) {
    std::size_t const again = (tries - messages) * (bytes / messages);
    sent_again_ += ways * again;
    return {bytes + again, tries, repeated(tries - messages, of_.timeout)};
  }

  message_loss of_;
  std::uint64_t seed_;
  bool again_, gone_, free_ = false;
  std::uint64_t sent_again_ = 0;
  fates so_far_;
  std::unordered_map<std::uint64_t, link_state> links_;  // by sender and receiver
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/message_loss.ipp>
#endif
