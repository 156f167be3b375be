// Definitions of fleet/row_tier.hpp.
#pragma once

#include <gossip/fleet/row_tier.hpp>

#include <cstring>
#include <iterator>

namespace gossip {

template <class T, template <class> class Buffer>
row_tier<T, Buffer>::row_tier(fleet_size const &size, tier_shape const &shape,
                              std::unique_ptr<row_store> store, std::vector<std::uint32_t> places)
    : size_(size),
      shape_(shape),
      layout_(size, shape),
      places_(std::move(places)),
      frame_memory_((shape.frames + size.borrowed) * shape.template frame_numbers<T>(size)),
      block_memory_(tier_shape::blocks * shape.template block_numbers<T>(size)),
      frame_of_(size.numbers_of_owners(), none),
      frames_(shape.frames),
      planned_(size.numbers_of_owners()),
      moved_{.store = store->name(),
             .bytes = tier_shape::stored_bytes<T>(size),
             .frames = shape.frames,
             .columns = shape.columns,
             .by_owner = shape.by_owner},
      store_(std::move(store)) {
  for (std::size_t k = 0; k < size.borrowed; ++k)
    frame_of_[size.owners() + k] = static_cast<std::uint32_t>(shape.frames + k);
}

template <class T, template <class> class Buffer>
row_tier<T, Buffer>::~row_tier() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return under_way_ == 0; });
}

template <class T, template <class> class Buffer>
std::vector<std::span<std::byte>> row_tier<T, Buffer>::memory() const {
  return {{reinterpret_cast<std::byte *>(frame_memory_.data()), frame_memory_.bytes()},
          {reinterpret_cast<std::byte *>(block_memory_.data()), block_memory_.bytes()}};
}

template <class T, template <class> class Buffer>
auto row_tier<T, Buffer>::whole(std::span<owner_use const> uses) -> leased_rows<T> {
  auto end = std::make_unique<end_of_rows>(*this);
  std::vector<owner_use> streamed;
  uses = without_borrowed(uses, streamed);
  end->own.reserve(uses.size());
  std::unique_lock lock(mutex_);
  std::uint32_t slots = 0;
  for (owner_use const &one : uses) slots |= one.used.slots();
  use_as_rows(lock, slots);
  for (owner_use const &one : uses) {
    std::uint32_t const own = bring(lock, one.owner);
    lease(frames_[own]);
    if (one.used.written != 0) planned_.use(one.owner);  // observers write nothing
    end->own.push_back({own, one.used.written});
  }
  read_rows(lock, uses);
  wait(lock, [&] {
    for (std::size_t k = 0; k < uses.size(); ++k)
      if (!frames_[end->own[k].place].is_ready(uses[k].used)) return false;
    return true;
  });
  for (std::size_t k = 0; k < uses.size(); ++k)  // nobody reads over what is written from now on
    frames_[end->own[k].place].here |= uses[k].used.written & all_slots();
  return {
      size_,
      frame_of_,
      {frame_memory_.data(), frame_memory_.data() + layout_.row(), frame_numbers(), layout_.row()},
      0,
      std::move(end)};
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::expect(std::span<owner_use const> uses) {
  std::vector<owner_use> streamed;
  uses = without_borrowed(uses, streamed);
  std::unique_lock lock(mutex_);
  for (std::size_t k = 0; k < uses.size(); ++k) {
    if ((uses[k].used.slots() & in_columns_) != 0) return;
    std::uint32_t own = frame_of_[uses[k].owner];
    if (own == none) own = take_frame(uses[k].owner, false);
    if (own == none) return read_rows(lock, uses.first(k));
    frames_[own].expected = true;
  }
  read_rows(lock, uses);
}

template <class T, template <class> class Buffer>
auto row_tier<T, Buffer>::columns(used_slots const &used, std::size_t first, std::size_t last)
    -> leased_rows<T> {
  std::size_t const number = first / shape_.columns;
  if (last > (number + 1) * shape_.columns)
    throw error("rows: a lease of columns goes beyond a block");
  std::uint32_t const slots = used.slots() & all_slots();
  if (shape_.by_owner && bit_count(slots) > 1)
    throw error("rows: a lease of columns has one slot where the store has whole rows");
  auto end = std::make_unique<end_of_columns>(*this);
  std::unique_lock lock(mutex_);
  use_as_columns(lock, slots);
  columns_written_ |= used.written & all_slots();
  std::uint32_t const slot = the_slot(slots);
  std::uint32_t own = none;
  wait(lock, [&] { return (own = take_block(number, slot)) != none; });
  lease(blocks_[own]);
  end->own = {own, used.written};
  read_block(lock, own, used.read);
  used_slots const still = size_.borrowed > 0 ? changed_slots(slots) : used;
  wait(lock, [&] { return blocks_[own].is_ready(still); });
  auto const rows = rows_of(own);
  if (blocks_[own].leases == 1) copy_borrowed(slots, number, rows);
  return {size_, places_, rows, number * shape_.columns, std::move(end)};
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::expect_columns(used_slots const &used, std::size_t first) {
  std::uint32_t const slots = used.slots() & all_slots();
  std::unique_lock lock(mutex_);
  if ((slots & ~in_columns_) != 0) return;
  std::uint32_t const own = take_block(first / shape_.columns, the_slot(slots));
  if (own == none) return;
  blocks_[own].expected = true;
  read_block(lock, own, used.read);
}

template <class T, template <class> class Buffer>
std::uint32_t row_tier<T, Buffer>::all_slots() const {
  return static_cast<std::uint32_t>((std::uint64_t{1} << size_.slots()) - 1);
}

template <class T, template <class> class Buffer>
std::span<owner_use const> row_tier<T, Buffer>::without_borrowed(
    std::span<owner_use const> uses, std::vector<owner_use> &some) const {
  auto const borrowed = [&](owner_use const &one) { return one.owner >= size_.owners(); };
  if (std::ranges::none_of(uses, borrowed)) return uses;
  std::ranges::remove_copy_if(uses, std::back_inserter(some), borrowed);
  return some;
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::lease(place &one) {
  ++one.leases;
  one.latest = ++leases_;
  one.expected = false;
  one.holder = std::this_thread::get_id();
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::use_as_rows(std::unique_lock<std::mutex> &lock, std::uint32_t slots) {
  if ((slots & in_columns_) != 0) refuse_own(blocks_, "columns of all rows", "whole rows");
  wait(lock, [&] { return (in_columns_ & slots) == 0 || is_still(blocks_, slots & in_columns_); });
  slots &= in_columns_;
  if (slots == 0) return;
  for (place &one : blocks_) one.here &= ~slots;
  if (std::uint32_t const stale = slots & columns_written_; stale != 0)
    for (place &one : frames_) one.here &= ~stale;
  columns_written_ &= ~slots;
  in_columns_ &= ~slots;
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::use_as_columns(std::unique_lock<std::mutex> &lock, std::uint32_t slots) {
  if ((slots & ~in_columns_) != 0) refuse_own(frames_, "whole rows", "columns of all rows");
  wait(lock, [&] {
    std::uint32_t const rows = slots & ~in_columns_;
    return rows == 0 || is_still(frames_, rows);
  });
  in_columns_ |= slots;
}

template <class T, template <class> class Buffer>
auto row_tier<T, Buffer>::memory_of(place const &one) const -> T * {
  if (is_frame(one))
    return frame_memory_.data() + static_cast<std::size_t>(&one - frames_.data()) * frame_numbers();
  return block_memory_.data() + static_cast<std::size_t>(&one - blocks_.data()) * block_numbers();
}

template <class T, template <class> class Buffer>
auto row_tier<T, Buffer>::rows_of(std::uint32_t block) const -> typename leased_rows<T>::memory {
  T *const begin = memory_of(blocks_[block]);
  std::size_t const stride = layout_.columns_of(blocks_[block].number);
  if (shape_.by_owner) return {begin, begin, stride, 0};
  return {begin, begin + size_.rows_in(0) * stride, stride, size_.rows_in(1) * stride};
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::copy_borrowed(std::uint32_t slots, std::size_t number,
                                        typename leased_rows<T>::memory const &rows) const {
  std::size_t const first = number * shape_.columns, count = layout_.columns_of(number);
  for (std::size_t s = 0; s < size_.slots(); ++s)
    for (std::size_t k = 0; (slots >> s & 1) != 0 && k < size_.borrowed_in(s); ++k) {
      T const *const from =
          frame_memory_.data() + (shape_.frames + k) * frame_numbers() + s * layout_.row() + first;
      T *const slot = s == 0 ? rows.models : rows.others + (s - 1) * rows.from_slot_to_slot;
      std::copy_n(from, count, slot + (size_.rows_of_models() + k) * rows.stride);
    }
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::leave(place &one) {
  if (one.number == nothing) return;
  bool const frame = is_frame(one);
  if (frame) frame_of_[one.number] = none;
  if (store_->spoils())
    std::memset(static_cast<void *>(memory_of(one)), 0xff,
                (frame ? frame_numbers() : block_numbers()) * sizeof(T));
  one = {};
}

template <class T, template <class> class Buffer>
std::uint32_t row_tier<T, Buffer>::bring(std::unique_lock<std::mutex> &lock, node i) {
  std::uint32_t own = none;
  wait(lock, [&] {
    own = frame_of_[i];
    if (own == none) own = take_frame(i, false);
    if (own == none) own = take_frame(i, true);
    return own != none;
  });
  return own;
}

template <class T, template <class> class Buffer>
std::uint32_t row_tier<T, Buffer>::take_frame(node i, bool also_expected) {
  auto const can_be_taken = [&](std::uint32_t own) {
    return frames_[own].is_idle() && (also_expected || !frames_[own].expected);
  };
  for (bool const again : {false, true}) {
    if (again) list_last_needed(can_be_taken);
    while (!last_needed_.empty()) {
      std::uint32_t const own = last_needed_.back();
      last_needed_.pop_back();
      if (!can_be_taken(own)) continue;
      leave(frames_[own]);
      frames_[own].number = i;
      return frame_of_[i] = own;
    }
  }
  return none;
}

template <class T, template <class> class Buffer>
std::uint32_t row_tier<T, Buffer>::take_block(std::size_t number, std::uint32_t slot) {
  for (std::uint32_t k = 0; k < blocks_.size(); ++k)
    if (blocks_[k].number == number && blocks_[k].slot == slot) return k;
  for (bool const also_expected : {false, true})
    for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
      if (!blocks_[k].is_idle() || (blocks_[k].expected && !also_expected)) continue;
      leave(blocks_[k]);
      blocks_[k].number = number;
      blocks_[k].slot = slot;
      return k;
    }
  return none;
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::read_rows(std::unique_lock<std::mutex> &lock,
                                    std::span<owner_use const> uses) {
  std::vector<store_request> requests;
  std::vector<held_place> asked;
  for (owner_use const &use : uses) {
    std::uint32_t const own = frame_of_[use.owner];
    place &one = frames_[own];
    std::uint32_t const missing = use.used.read & all_slots() & ~(one.here | one.coming);
    if (missing == 0) continue;
    one.coming |= missing;
    asked.push_back({own, missing});
    layout_.add_rows(requests, row_of(one), missing, memory_of(one), false);
  }
  begin(lock, std::move(requests), [this, asked = std::move(asked)] { arrived(frames_, asked); });
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::read_block(std::unique_lock<std::mutex> &lock, std::uint32_t own,
                                     std::uint32_t slots) {
  place &one = blocks_[own];
  std::uint32_t const missing = slots & all_slots() & ~(one.here | one.coming);
  if (missing == 0) return;
  one.coming |= missing;
  std::vector<store_request> requests;
  layout_.add_block(requests, one.number, missing, memory_of(one), false);
  begin(lock, std::move(requests),
        [this, own, missing] { arrived(blocks_, std::array{held_place{own, missing}}); });
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::release_rows(std::vector<held_place> const &all) {
  std::unique_lock lock(mutex_);
  std::vector<store_request> requests;
  std::vector<held_place> asked;
  for (auto const &[own, written] : all)
    if (std::uint32_t const slots = end_lease(frames_[own], written); slots != 0) {
      layout_.add_rows(requests, row_of(frames_[own]), slots, memory_of(frames_[own]), true);
      asked.push_back({own, slots});
    }
  begin(lock, std::move(requests), [this, asked = std::move(asked)] { left(frames_, asked); });
  if (store_->spoils())
    for (auto const &[own, written] : all) leave_if_unused(frames_[own]);
}

template <class T, template <class> class Buffer>
void row_tier<T, Buffer>::release_block(held_place const &held) {
  std::unique_lock lock(mutex_);
  place &one = blocks_[held.place];
  std::uint32_t const slots = end_lease(one, held.written);
  std::vector<store_request> requests;
  if (slots != 0) layout_.add_block(requests, one.number, slots, memory_of(one), true);
  begin(lock, std::move(requests),
        [this, own = held.place, slots] { left(blocks_, std::array{held_place{own, slots}}); });
  if (store_->spoils()) leave_if_unused(one);
}

template <class T, template <class> class Buffer>
std::uint32_t row_tier<T, Buffer>::end_lease(place &one, std::uint32_t written) {
  one.written |= written & all_slots();
  one.here |= written & all_slots();
  changed_.notify_all();
  if (--one.leases > 0 || !failure_.empty()) return 0;
  std::uint32_t const slots = std::exchange(one.written, 0U);
  one.leaving |= slots;
  return slots;
}

}  // namespace gossip
