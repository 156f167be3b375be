// A rank's tasks in a window, and the transfers of rows that come for them.
#pragma once

#include <cstdint>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

enum class task_kind : std::uint8_t {
  train,
  row,         ///< step, columns
  mix,         ///< the own rows of X <- W X
  last,        ///< those that end a stage: reduce_rows, compute, whole_rows
  send,        ///< what.a's row of slot what.slot() goes to rank `peer`
  collective,  ///< reduce, observe and sum: all ranks at once
};

struct rank_task {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  operation what{};
  task_kind kind = task_kind::row;
  std::uint32_t peer = 0, tag = 0;  ///< of a send
  std::uint32_t waits = 0;          ///< for so many tasks and arrivals
  std::uint32_t followers = none;   ///< first of a list
  std::uint32_t arrivals = none;    ///< first transfer that it uses
  std::uint32_t arrival_count = 0;
  std::uint32_t behind =
      none;  ///< batch whose last tasks it has waited for, see distributed_engine
};

/// A row that comes from another rank.
struct row_transfer {
  std::uint32_t source = 0, tag = 0;
  node row = 0;
  std::uint32_t slot = 0;
  std::uint32_t users = 0;
  std::uint32_t followers = rank_task::none;
};

/// The row that reached a rank last.
struct row_delivery {
  node row = 0;
  std::uint8_t slot = 0;
  std::uint32_t version = 0;
  bool only_read = false;
  friend bool operator==(row_delivery const &, row_delivery const &) = default;
};

/// Lists of tasks in one memory, each named by its first entry; an empty one is rank_task::none.
class task_lists {
 public:
  void clear() { links_.clear(); }

  void push(std::uint32_t &list, std::uint32_t task) {
    links_.push_back({task, list});
    list = static_cast<std::uint32_t>(links_.size() - 1);
  }

  /// f(task) for all of a list; f may push to others.
  template <class F>
  void each(std::uint32_t list, F f) const {
    for (; list != rank_task::none; list = links_[list].next) f(links_[list].task);
  }

 private:
  struct link {
    std::uint32_t task, next;
  };
  std::vector<link> links_;
};

}  // namespace gossip
