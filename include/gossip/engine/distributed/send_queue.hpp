// The order in which rows leave a rank that has room for few of them at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include <gossip/engine/distributed/task.hpp>

namespace gossip {

/// Sends whose rows are ready, in the order of the stream. The last room is kept for the first send
/// that has not ended: ranks take rows in in that order, so that one of them may wait for it with
/// all that it has room for.
class send_queue {
 public:
  static constexpr std::uint32_t none = rank_task::none;

  /// The tasks of a window.
  void begin(std::span<rank_task const> tasks) {
    ended_.assign(tasks.size(), true);
    for (std::size_t t = 0; t < tasks.size(); ++t) ended_[t] = tasks[t].kind != task_kind::send;
    first_ = 0;
    pass_ended();
  }

  /// The row of a send is ready.
  void push(std::uint32_t task) { ready_.push(task); }

  /// The next send to begin where there is room for so many, or none.
  std::uint32_t next(std::size_t room) {
    if (ready_.empty() || room == 0 || (room == 1 && ready_.top() != first_)) return none;
    std::uint32_t const task = ready_.top();
    ready_.pop();
    return task;
  }

  /// The row has left.
  void end(std::uint32_t task) {
    ended_[task] = true;
    pass_ended();
  }

 private:
  void pass_ended() {
    while (first_ < ended_.size() && ended_[first_]) ++first_;
  }

  std::vector<bool> ended_;  // (tasks), and tasks that are no sends
  std::size_t first_ = 0;    // send that has not ended
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
};

}  // namespace gossip
