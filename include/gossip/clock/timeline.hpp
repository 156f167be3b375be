// Trainings and messages of the owners of a network in virtual time, as a plan times them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// A training, or a message from one owner, a node or a server, to another.
struct timed_activity {
  node who;           ///< trains, or sends
  node to;            ///< receives; of a training who trains
  std::size_t bytes;  ///< of a message
  virtual_time begin, end;

  bool is_training() const { return to == who; }
};

/// The bytes of all messages from one owner to another.
struct edge_bytes {
  node from = 0, to = 0;
  std::uint64_t bytes = 0;
};

/// Trainings and messages, counted by owner and by edge; those of the first nodes are kept.
/// Activities come in any order.
class timeline {
 public:
  /// kept: nodes whose activities are kept, 48 bytes each.
  explicit timeline(std::size_t owners, std::size_t kept = 0)
      : kept_(kept),
        trained_(owners, virtual_time{0}),
        trains_until_(owners, virtual_time{0}),
        sent_(owners) {}

  void trains(node i, virtual_time begin, virtual_time end) {
    trained_[i] += end - begin;
    trains_until_[i] = end;
    if (i < kept_) activities_.push_back({i, i, 0, begin, end});
  }

  void sends(node from, node to, std::size_t bytes, virtual_time begin, virtual_time end) {
    will_send(from, to, bytes);
    has_sent(from, to, bytes, begin, end);
  }
  /// The two halves of it: a message that is planned, and one whose times are known. The run may
  /// end between them.
  void will_send(node from, node to, std::size_t bytes) {
    sent_[from] += bytes;
    if (edges_.size() == merge_at_) {
      merge();
      merge_at_ = std::max(merge_at_, 2 * edges_.size());
    }
    edges_.push_back({from, to, bytes});
  }
  void has_sent(node from, node to, std::size_t bytes, virtual_time begin, virtual_time end) {
    if (from < kept_ || to < kept_) activities_.push_back({from, to, bytes, begin, end});
  }

  std::size_t owners() const { return trained_.size(); }
  /// Time that an owner was in training until then, when its last has begun, with its rests while
  /// it was down; the bytes that it sent.
  virtual_time in_training(node i, virtual_time until) const {
    return trained_[i] - std::max(virtual_time(0), trains_until_[i] - until);
  }
  std::uint64_t bytes_sent(node i) const { return sent_[i]; }

  /// Edges that carried something, ascending by sender and receiver.
  std::vector<edge_bytes> const &edges() {
    merge();
    return edges_;
  }

  /// The activities that were kept, ascending by begin, then by end, sender and receiver.
  std::vector<timed_activity> take_activities();

 private:
  /// One entry an edge.
  void merge();

  std::size_t kept_;
  std::vector<virtual_time> trained_;       // (owners)
  std::vector<virtual_time> trains_until_;  // (owners) the end of its last training
  std::vector<std::uint64_t> sent_;         // (owners)
  std::vector<edge_bytes> edges_;           // some of them several times
  std::size_t merge_at_ = std::size_t{1} << 20;
  std::vector<timed_activity> activities_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/timeline.ipp>
#endif
