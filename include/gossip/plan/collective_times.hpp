// Virtual time of sums over all nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gossip/clock/collective.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/owner_times.hpp>

namespace gossip {

/// The times of all owners, and collectives. Messages that are lost are sent again, whatever others
/// do.
template <class Clock>
class collective_times : public owner_times<Clock> {
  using owners = owner_times<Clock>;

 public:
  using owners::owner_times;

  /// A sum over all nodes of rows of so many bytes, by the clock's collective. Returns the bytes of
  /// all messages. On a ring everybody waits for the last, then 2 (n - 1) latencies and the time
  /// that the most bytes of a node take, 2 (n - 1) / n of a row and at most two more.
  std::uint64_t reduce(std::size_t row_bytes) {
    if (collective_ == collective::chain) return chain(row_bytes);
    if (collective_ != collective::ring) return hops(row_bytes);
    ring(2 * nodes_ - 2, [&](node i) { return bytes_on_ring(row_bytes, nodes_, i); });
    return 2 * (nodes_ - 1) * row_bytes;
  }

  /// A ring of so many turns, in which node i sends sent_bytes(i) together.
  template <class SentBytes>
  void ring(std::size_t turns, SentBytes sent_bytes) {
    auto const on_link = [&](node i, node next) {
      return losses_.in_turns(i, next, sent_bytes(i), turns);
    };
    if (activities_) return activities_->ring(on_link);
    std::size_t const n = nodes_;
    auto const end = free_at_.begin() + static_cast<std::ptrdiff_t>(n);  // of nodes, not servers
    virtual_time const begin = *std::max_element(free_at_.begin(), end);
    virtual_time done = begin;
    for (node i = 0; n > 1 && i < n; ++i) {
      node const next = static_cast<node>((i + 1) % n);
      transmission const one = on_link(i, next);
      virtual_time const sent = up_together(i, next, begin);
      virtual_time const arrived = time_after(sent, duration(one));
      if (told_) told_->sends(i, next, one.bytes, sent, arrived);
      done = std::max(done, arrived);
    }
    std::fill(free_at_.begin(), end, done);
    std::copy(free_at_.begin(), end, written_at_.begin());
  }

  /// The time at which the last of the nodes that are not down for good has done what it has to do,
  /// after which nothing is planned.
  [[gnu::noinline]] virtual_time end_of_nodes() {
    if (activities_) return activities_->finish();
    virtual_time end{0};
    for (std::size_t i = 0; i < nodes_; ++i)
      if (free_at_[i] != owners::never) end = std::max(end, free_at_[i]);
    return end;
  }

 protected:
  using owners::activities_, owners::collective_, owners::free_at_, owners::losses_, owners::nodes_,
      owners::parts_, owners::told_, owners::written_at_, owners::duration, owners::up_together;

 private:
  /// The messages of a chain, part by part, see network_activities::chain.
  std::uint64_t chain(std::size_t row_bytes) {
    auto const on_part = [&](node from, node to, std::size_t k) {
      return losses_.in_turns(from, to, bytes_of_part(row_bytes, parts_, k), 1);
    };
    std::uint64_t const all = 2 * (nodes_ - 1) * row_bytes;
    if (activities_) return activities_->chain(parts_, on_part), all;
    auto const end = free_at_.begin() + static_cast<std::ptrdiff_t>(nodes_);
    std::vector<virtual_time> there(parts_, virtual_time{0}), done(free_at_.begin(), end);
    each_link_of_chain(nodes_, [&](node i, node j) {
      virtual_time before = std::max(free_at_[i], free_at_[j]);
      for (std::size_t k = 0; k < parts_; ++k) {
        transmission const one = on_part(i, j, k);
        virtual_time const begin = up_together(i, j, std::max(before, there[k]));
        before = there[k] = time_after(begin, duration(one));
        if (told_) told_->sends(i, j, one.bytes, begin, before);
      }
      done[i] = std::max(done[i], before);
      done[j] = std::max(done[j], before);
    });
    std::copy(done.begin(), done.end(), free_at_.begin());
    std::copy(done.begin(), done.end(), written_at_.begin());
    return all;
  }

  /// The messages of a tree, or of halving and doubling.
  std::uint64_t hops(std::size_t row_bytes) {
    std::uint64_t all = 0;
    each_hop(collective_, nodes_, row_bytes,
             [&](node i, node j, std::size_t bytes, std::optional<std::size_t> answer) {
               bool const both = answer.has_value();
               all += bytes + answer.value_or(0);
               transmission const there = losses_.in_turns(i, j, bytes, 1);
               transmission const back =
                   both ? losses_.in_turns(j, i, *answer, 1) : transmission(0);
               if (activities_) return activities_->hop(i, j, there, both ? &back : nullptr);
               virtual_time const begin = up_together(i, j, std::max(free_at_[i], free_at_[j]));
               virtual_time end = time_after(begin, duration(there));
               if (both) end = std::max(end, time_after(begin, duration(back)));
               if (told_) told_->sends(i, j, there.bytes, begin, end);
               if (told_ && both) told_->sends(j, i, back.bytes, begin, end);
               free_at_[i] = free_at_[j] = end;
             });
    auto const nodes = static_cast<std::ptrdiff_t>(nodes_);
    if (activities_)
      activities_->write_all();
    else
      std::copy(free_at_.begin(), free_at_.begin() + nodes, written_at_.begin());
    return all;
  }
};

}  // namespace gossip
