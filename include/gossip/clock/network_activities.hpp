// Activities of many nodes at once: mixtures, rings, barriers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gossip/clock/activities.hpp>
#include <gossip/clock/collective.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// An activity_clock, and what all nodes of a network do.
template <class Machines>
class network_activities : public activity_clock<Machines> {
  using owners = activity_clock<Machines>;
  using owners::ends_, owners::graph_, owners::nodes_, owners::sent_after;

 public:
  using owners::activity_clock, owners::untold;

  /// Every node goes on when all have done what they have to do.
  void wait_for_all() { ends_.set_last_of_nodes(graph_.joined(ends_.last_of_nodes())); }

  /// Messages from nodes to others, whose models have been written. A node goes on when all to it
  /// have arrived, and all from it, for until then its model must stay as it is. With a barrier all
  /// are sent when the last model has been written.
  /// each(send): calls send(from, to, transmission) for every message, ascending by receiver.
  template <class Each>
  void mix(bool global_barrier, Each each) {
    activity const last = global_barrier ? graph_.joined(ends_.written_by_nodes()) : activity{};
    std::vector<std::vector<activity>> awaited(nodes_);
    each([&](node from, node to, transmission const &sent) {
      activity const end =
          sent_after(global_barrier ? last : ends_.written(from), from, to, sent, untold);
      awaited[to].push_back(end);
      awaited[from].push_back(end);
    });
    for (node i = 0; i < nodes_; ++i) {
      awaited[i].push_back(ends_.last(i));
      ends_.set_last(i, graph_.joined(awaited[i]));
    }
    if (global_barrier) wait_for_all();
    ends_.write_all();
  }

  /// A ring all-reduce: when all have done what they have to do, each sends the next what
  /// on_link(node, next) says, a try a turn, and all go on together.
  template <class OnLink>
  void ring(OnLink on_link) {
    if (nodes_ < 2) return;
    wait_for_all();
    std::vector<activity> sent;
    for (node i = 0; i < nodes_; ++i) {
      auto const next = static_cast<node>((i + 1) % nodes_);
      sent.push_back(sent_after(ends_.last(i), i, next, on_link(i, next), untold));
    }
    ends_.set_last_of_nodes(graph_.joined(sent));
    ends_.write_all();
  }

  /// A message of a collective, which both ends wait for and do nothing beside, and one back, or
  /// null.
  void hop(node from, node to, transmission const &there, transmission const *back) {
    activity const before[] = {ends_.last(from), ends_.last(to)};
    activity const begin = graph_.joined(before);
    activity end = sent_after(begin, from, to, there, untold);
    if (back) {
      activity const ways[] = {end, sent_after(begin, to, from, *back, untold)};
      end = graph_.joined(ways);
    }
    ends_.set_last(from, end);
    ends_.set_last(to, end);
  }

  /// A row that goes along a chain of all nodes and back, see each_link_of_chain, in parts. A part
  /// leaves a node when it is there and the part before it has arrived at the next; both ends of a
  /// link have done what they have to do before. on_part(from, to, k): the message of part k.
  template <class OnPart>
  void chain(std::size_t parts, OnPart on_part) {
    std::vector<activity> there(parts);
    std::vector<std::vector<activity>> own(nodes_);
    each_link_of_chain(nodes_, [&](node from, node to) {
      activity const free[] = {ends_.last(from), ends_.last(to)};
      activity before = graph_.joined(free);
      for (std::size_t k = 0; k < parts; ++k) {
        activity const both[] = {before, there[k]};
        before = sent_after(graph_.joined(both), from, to, on_part(from, to, k), untold);
        there[k] = before;
      }
      own[from].push_back(before);
      own[to].push_back(before);
    });
    for (node i = 0; i < nodes_; ++i) {
      own[i].push_back(ends_.last(i));
      ends_.set_last(i, graph_.joined(own[i]));
    }
    ends_.write_all();
  }

  /// Every node has written its model at the end of what it has to do.
  void write_all() { ends_.write_all(); }

  /// The end of what all of these owners have to do.
  activity end_of(std::span<node const> nodes) {
    std::vector<activity> all;
    for (node const i : nodes) all.push_back(ends_.last(i));
    return graph_.joined(all);
  }

  /// Ends all that nodes have to do; returns the time at which that is over.
  virtual_time finish() {
    std::vector<activity> all;
    for (node i = 0; i < nodes_; ++i) all.push_back(ends_.last(i));
    activity const end = graph_.joined(all);
    while (!graph_.over(end) && this->next() != owners::never) this->advance();
    return this->now();
  }
};

}  // namespace gossip
