// Definitions of engine/distributed/task_graph.hpp.
#pragma once

#include <gossip/engine/distributed/task_graph.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void task_graph::clear() {
  tasks.clear();
  transfers.clear();
  lists_.clear();
  for (auto *const uses : {&models_, &others_, &counts_}) uses->assign(layout_->held(), row_use{});
  std::fill(version_.begin(), version_.end(), 0U);
  std::fill(last_in_.begin(), last_in_.end(), row_delivery{});
  std::fill(sent_.begin(), sent_.end(), 0U);
  std::fill(received_.begin(), received_.end(), 0U);
  last_of_all_ = none;
}

GOSSIP_INLINE void task_graph::write_place(std::uint32_t task, row_use &use) {
  if (use.readers == none && use.writer != none) follow(task, use.writer);
  lists_.each(use.readers, [&](std::uint32_t reader) {
    if (reader != task) follow(task, reader);
  });
  use = {task, none};
}

GOSSIP_INLINE void task_graph::write_all(std::uint32_t task) {
  for (row_use &use : models_) write_place(task, use);
  if (other_rows_)
    for (auto *const uses : {&others_, &counts_})
      for (row_use &use : *uses) write_place(task, use);
  if (last_of_all_ != none && models_.empty()) follow(task, last_of_all_);
  last_of_all_ = task;
}

GOSSIP_INLINE void task_graph::use_rows(std::uint32_t task, node i, used_slots const &slots) {
  use_kind(task, models_[place_[i]], slots.read & 1, slots.written & 1);
  if (!other_rows_) return;
  use_kind(task, others_[place_[i]], slots.read & ~1U, slots.written & ~1U);
  use_kind(task, counts_[place_[i]], 0, slots.written);
}

GOSSIP_INLINE std::uint32_t task_graph::add_reader(operation const &o, plan_window const &window) {
  std::uint32_t const task = add({o, o.ends_stage() ? task_kind::last : task_kind::row});
  if (o.makes_scalar()) scalar_writers_[o.scalar()] = task;
  if (o.reads_scalars())
    for (std::size_t k = o.first_operand();; ++k) {
      operand const &one = window.operands[k];
      if (one.scalar != operand::none) follow(task, scalar_writers_[one.scalar]);
      if (one.last) break;
    }
  return task;
}

GOSSIP_INLINE void task_graph::columns(operation const &o, plan_window const &window) {
  std::size_t const me = layout_->rank(), a = layout_->owner(o.a);
  std::size_t const b = o.rows.names_second() ? layout_->owner(o.b()) : a;
  row_uses const uses = uses_of(o);
  bool const both = uses.second.written != 0;
  if (a != b) {
    std::uint32_t const from_b = deliver(o.b(), o.rows.slot_of(true), a, !both);
    std::uint32_t const from_a = both ? deliver(o.a, o.rows.slot_of(false), b, false) : none;
    if (a == me) use_rows(use(add_reader(o, window), from_b), o.a, uses.first);
    if (b == me && both) use_rows(use(add({o, task_kind::row}), from_a), o.b(), uses.second);
  } else if (a == me) {
    std::uint32_t const task = add_reader(o, window);
    if (o.rows.names_second()) use_rows(task, o.b(), uses.second);
    use_rows(task, o.a, uses.first);
  }
  written(o.a, uses.first);
  if (both) written(o.b(), uses.second);
}

GOSSIP_INLINE void task_graph::reduce_others(operation const &o, plan_window const &window) {
  std::size_t const to = layout_->owner(o.owner_of_scalar());
  auto const elsewhere = [&](node i) { return layout_->owner(i) != to; };
  std::uint32_t const first = elsewhere(o.a) ? deliver(o.a, o.rows.slot_of(false), to, true) : none;
  std::uint32_t const second =
      elsewhere(o.b()) ? deliver(o.b(), o.rows.slot_of(true), to, true) : none;
  if (to != layout_->rank()) return;
  std::uint32_t const task = add_reader(o, window);
  row_uses const uses = uses_of(o);
  first != none ? void(use(task, first)) : use_rows(task, o.a, uses.first);
  second != none ? void(use(task, second)) : use_rows(task, o.b(), uses.second);
}

GOSSIP_INLINE void task_graph::mix(operation const &o, halo_pattern const *halo) {
  std::uint32_t first = none;
  if (halo) {
    for (halo_row const &out : halo->outgoing) send(out.row, o.slot(), out.rank);
    for (halo_row const &in : halo->incoming) {
      std::uint32_t const one = receive(in.row, o.slot());
      if (first == none) first = one;
    }
  }
  std::uint32_t const task = add({o, task_kind::mix});
  if (first != none)
    for (auto t = first; t < transfers.size(); ++t) use(task, t);
  write_all(task);
  std::fill(last_in_.begin(), last_in_.end(), row_delivery{});
}

GOSSIP_INLINE std::uint32_t task_graph::deliver(node row, std::uint8_t slot, std::size_t to,
                                                bool only_read) {
  row_delivery const now{row, slot, version_[row], only_read};
  bool const again = only_read && last_in_[to] == now;
  last_in_[to] = now;
  if (!again && layout_->owns(row)) send(row, slot, static_cast<std::uint32_t>(to));
  if (to != layout_->rank()) return none;
  return again ? static_cast<std::uint32_t>(transfers.size() - 1) : receive(row, slot);
}

GOSSIP_INLINE void task_graph::send(node row, std::uint8_t slot, std::uint32_t to) {
  rank_task task{{}, task_kind::send};
  task.what.a = row;
  task.what.rows = {{slot}};
  task.peer = to;
  task.tag = next_tag(sent_[to]);
  use_rows(add(task), row, {.read = std::uint32_t{1} << slot});
}

GOSSIP_INLINE std::uint32_t task_graph::receive(node row, std::uint8_t slot) {
  auto const source = static_cast<std::uint32_t>(layout_->owner(row));
  transfers.push_back({source, next_tag(received_[source]), row, slot});
  return static_cast<std::uint32_t>(transfers.size() - 1);
}

GOSSIP_INLINE std::uint32_t task_graph::use(std::uint32_t task, std::uint32_t transfer) {
  lists_.push(transfers[transfer].followers, task);
  ++transfers[transfer].users;
  ++tasks[task].waits;
  if (tasks[task].arrival_count++ == 0) tasks[task].arrivals = transfer;
  return task;
}

}  // namespace gossip
