// The contract of a channel: how the learners of a live run, one a rank, reach each other.
//
// A channel is what one rank holds; one thread of the rank uses it. Nothing in it waits:
//
//   std::size_t rank() const;                this learner, counted from 0
//   std::size_t ranks() const;               how many there are
//   request send(std::size_t to, int tag, std::span<std::byte const> bytes);
//   request receive(std::size_t from, int tag, std::span<std::byte> bytes);
//   bool test(request &);                    whether it is complete; true ever after
//   bool arrived(std::size_t from, int tag); whether a receive would find a message
//
// Bytes stay where they are, and as they are, until their request is complete; those of a receive
// may hold anything until then. Messages from one rank to another with one tag arrive in the order
// in which they were sent. A send may remain incomplete until its receive has begun, so nobody may
// count on more. Every function throws gossip::error once the run is lost, because another rank has
// failed or is gone.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace gossip::live {

template <class C>
concept channel = requires(C &c, C const &constant, std::size_t other, int tag,
                           std::span<std::byte const> out, std::span<std::byte> in,
                           typename C::request &r) {
  { constant.rank() } -> std::same_as<std::size_t>;
  { constant.ranks() } -> std::same_as<std::size_t>;
  { c.send(other, tag, out) } -> std::same_as<typename C::request>;
  { c.receive(other, tag, in) } -> std::same_as<typename C::request>;
  { c.test(r) } -> std::same_as<bool>;
  { c.arrived(other, tag) } -> std::same_as<bool>;
};

/// The kind of a message of a live run.
enum class tag : int { model, mean_model, slice, mean_slice, done, progress, stop, gathered, go };

/// The bytes of numbers that are sent and received as they are.
template <class T>
std::span<std::byte const> bytes_of(std::span<T const> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(values);
}
template <class T>
std::span<std::byte> bytes_of(std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_writable_bytes(values);
}

/// Requests under way at the same time.
template <channel Channel>
class request_set {
 public:
  explicit request_set(Channel &channel) : channel_(&channel) {}

  void send(std::size_t to, tag what, std::span<std::byte const> bytes) {
    open_.push_back(channel_->send(to, static_cast<int>(what), bytes));
    sent_bytes_ += bytes.size();
  }
  void receive(std::size_t from, tag what, std::span<std::byte> bytes) {
    open_.push_back(channel_->receive(from, static_cast<int>(what), bytes));
  }

  /// Whether all are complete; moves them on.
  bool complete() {
    std::erase_if(open_, [&](auto &request) { return channel_->test(request); });
    return open_.empty();
  }

  /// Bytes sent through this set so far.
  std::size_t sent_bytes() const { return sent_bytes_; }

 private:
  Channel *channel_;
  std::vector<typename Channel::request> open_;
  std::size_t sent_bytes_ = 0;
};

}  // namespace gossip::live
