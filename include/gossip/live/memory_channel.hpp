// A channel between threads of one process, with delays on demand: for tests of learners and for
// looking at an algorithm without MPI.
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/live/channel.hpp>

namespace gossip::live {

/// Memory for the messages of all ranks until they are received. As strict as a channel may be: a
/// send is complete only when the receiver has its bytes.
class memory_network {
 public:
  using clock = std::chrono::steady_clock;

  /// Every message takes a random time from 0 to longest_delay, keyed by the seed.
  explicit memory_network(std::size_t ranks,
                          std::chrono::nanoseconds longest_delay = std::chrono::nanoseconds(0),
                          std::uint64_t seed = 1)
      : ranks_(ranks), longest_delay_(longest_delay), seed_(seed) {}

  std::size_t ranks() const { return ranks_; }

  /// Ends the run for everybody: their next call throws.
  void fail(std::size_t rank, std::string const &why) {
    std::lock_guard const guard(mutex_);
    if (failure_.empty()) failure_ = "rank " + std::to_string(rank) + ": " + why;
  }

 private:
  friend class memory_channel;
  friend class memory_requests;

  struct message {
    std::vector<std::byte> bytes;  // a copy: a sender that fails takes its own with it
    clock::time_point arrival;
    bool taken = false;
  };
  struct way {
    std::size_t from, to;
    std::uint32_t tag;
    friend auto operator<=>(way const &, way const &) = default;
  };

  void require_running() const {
    if (!failure_.empty()) throw error(failure_);
  }

  std::shared_ptr<message> put(way const &w, std::span<std::byte const> bytes) {
    std::lock_guard const guard(mutex_);
    require_running();
    double const part =
        keyed_random(seed_, purpose::user, static_cast<std::uint32_t>(w.from), messages_++)
            .uniform();
    auto const delay = std::chrono::nanoseconds(
        static_cast<std::int64_t>(part * static_cast<double>(longest_delay_.count())));
    auto &queue = waiting_[w];
    auto arrival = clock::now() + delay;
    if (!queue.empty()) arrival = std::max(arrival, queue.back()->arrival);
    queue.push_back(std::make_shared<message>(message{{bytes.begin(), bytes.end()}, arrival}));
    return queue.back();
  }

  bool has(way const &w) {
    std::lock_guard const guard(mutex_);
    require_running();
    auto const found = waiting_.find(w);
    return found != waiting_.end() && !found->second.empty() &&
           found->second.front()->arrival <= clock::now();
  }

  bool take(way const &w, std::span<std::byte> bytes) {
    if (!has(w)) return false;
    std::lock_guard const guard(mutex_);
    auto &queue = waiting_[w];
    message &first = *queue.front();
    if (first.bytes.size() != bytes.size())
      throw error("memory_channel: expected a message of " + std::to_string(bytes.size()) +
                  " bytes, got " + std::to_string(first.bytes.size()));
    std::ranges::copy(first.bytes, bytes.begin());
    first.taken = true;
    queue.pop_front();
    return true;
  }

  bool taken(message const &m) {
    std::lock_guard const guard(mutex_);
    require_running();
    return m.taken;
  }

  std::size_t ranks_;
  std::chrono::nanoseconds longest_delay_;
  std::uint64_t seed_, messages_ = 0;
  std::mutex mutex_;
  std::string failure_;
  std::map<way, std::deque<std::shared_ptr<message>>> waiting_;
};

/// Messages of one rank under way.
class memory_requests {
 public:
  memory_requests(memory_network &network, std::size_t rank) : network_(&network), rank_(rank) {}

  void send(std::size_t to, std::uint32_t tag, std::span<std::byte const> bytes,
            std::uint32_t ticket = 0) {
    open_.push_back({ticket, network_->put({rank_, to, tag}, bytes)});
    sent_bytes_ += bytes.size();
  }
  void receive(std::size_t from, std::uint32_t tag, std::span<std::byte> bytes,
               std::uint32_t ticket = 0) {
    open_.push_back({ticket, nullptr, {from, rank_, tag}, bytes});
  }

  template <class F>
  bool poll(F f) {
    std::vector<std::uint32_t> finished;
    std::erase_if(open_, [&](request const &r) {
      bool const complete = r.sent ? network_->taken(*r.sent) : network_->take(r.way, r.bytes);
      if (complete) finished.push_back(r.ticket);
      return complete;
    });
    for (std::uint32_t const ticket : finished) f(ticket);  // which may send and receive more
    return !finished.empty();
  }

  bool empty() const { return open_.empty(); }
  std::uint64_t sent_bytes() const { return sent_bytes_; }

 private:
  struct request {
    std::uint32_t ticket;
    std::shared_ptr<memory_network::message> sent;  // null: this is a receive
    memory_network::way way{};
    std::span<std::byte> bytes{};
  };

  memory_network *network_;
  std::size_t rank_;
  std::uint64_t sent_bytes_ = 0;
  std::vector<request> open_;
};

/// One rank's end of a memory_network, which must outlive it.
class memory_channel {
 public:
  using requests = memory_requests;

  memory_channel(memory_network &network, std::size_t rank) : network_(&network), rank_(rank) {}

  std::size_t rank() const { return rank_; }
  std::size_t size() const { return network_->ranks(); }
  requests rows() const { return {*network_, rank_}; }
  bool arrived(std::size_t from, std::uint32_t tag) const {
    return network_->has({from, rank_, tag});
  }

 private:
  memory_network *network_;
  std::size_t rank_;
};
static_assert(channel<memory_channel>);

}  // namespace gossip::live
