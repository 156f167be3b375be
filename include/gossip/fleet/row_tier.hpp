// Rows that lie in a store: memory has frames, each for the whole rows of one owner, and three
// blocks, each for some columns of the rows of all owners. What is expected next is read while the
// present is worked on, and what has been written leaves behind it. Of the frames that are not in
// use those are given to others whose owners the plan needs last.
//
// A block is read in one piece, and rows of consecutive owners lie side by side in each
// (store_layout.hpp).
//
// When a lease ends, rows that it has written go to the store, and stay readable here until their
// memory is taken. So what memory has of a row is what the store has, but for leases that have not
// ended, and rows that are on their way; a slot is in use as whole rows or as columns, and goes
// from one to the other when neither of these is left.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gossip/core/bits.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/planned_leases.hpp>
#include <gossip/fleet/row_home.hpp>
#include <gossip/fleet/row_store.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/store_layout.hpp>
#include <gossip/fleet/tier_report.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

/// The rows of all owners of one process or rank; nodes that share a row have no need of a tier.
/// Rows that a rank borrows have frames of their own, which they keep. Leases of threads that run
/// at the same time have at most all frames together; one thread at a time leases columns, or whole
/// rows in slots that are in use as columns.
template <class T, template <class> class Buffer>
class row_tier final : public row_home<T> {
 public:
  /// store: of tier_shape::stored_bytes() bytes; places: as of a fleet.
  row_tier(fleet_size const &size, tier_shape const &shape, std::unique_ptr<row_store> store,
           std::vector<std::uint32_t> places = {});
  ~row_tier() override;

  lease_parts parts() const override { return {shape_.owners, shape_.columns}; }
  bool prefers_owners() const override { return shape_.by_owner; }
  std::vector<std::span<std::byte>> memory() const override;
  tier_report report() const override {
    std::lock_guard const lock(mutex_);
    return moved_;
  }

  leased_rows<T> whole(std::span<owner_use const> uses) override;

  void foresee(std::span<node const> order) override {
    std::lock_guard const lock(mutex_);
    planned_.begin(order);
    last_needed_.clear();
  }

  void expect(std::span<owner_use const> uses) override;

  leased_rows<T> columns(used_slots const &used, std::size_t first, std::size_t last) override;

  void expect_columns(used_slots const &used, std::size_t first) override;

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  /// Memory of a frame or a block, and the state of the slots in it, as bits of sets.
  struct place {
    std::size_t number = nothing;  ///< of a frame: its owner; of a block: its place in a row
    std::uint32_t slot = none;     ///< the slot of a block that has one slot
    std::uint32_t leases = 0;      ///< number of leases that have not ended
    std::uint32_t here = 0;        ///< slots with the store's contents, or a lease's newer ones
    std::uint32_t coming = 0;      ///< slots that are being read from the store
    std::uint32_t written = 0;     ///< slots that ended leases have written while others go on
    std::uint32_t leaving = 0;     ///< slots that are being written to the store
    bool expected = false;         ///< a lease of it is likely to be next
    std::uint64_t latest = 0;      ///< number of its latest lease
    std::thread::id holder{};      ///< the thread of the latest lease

    bool is_idle() const { return leases == 0 && coming == 0 && leaving == 0; }
    bool is_ready(used_slots const &used) const {
      return (used.read & coming) == 0 && (used.written & (coming | leaving)) == 0;
    }
  };
  /// A frame among others that may be taken: the next use of its owner, and its latest lease, the
  /// greater the longer ago.
  struct frame_use {
    std::size_t next;
    std::uint64_t before;
    std::uint32_t frame;
    friend auto operator<=>(frame_use const &, frame_use const &) = default;
  };
  /// A place that a lease has, and slots that the lease writes.
  struct held_place {
    std::uint32_t place, written;
  };
  struct end_of_rows final : lease_end {
    explicit end_of_rows(row_tier &tier) : of(tier) {}
    ~end_of_rows() override { of.release_rows(own); }
    row_tier &of;
    std::vector<held_place> own;
  };
  struct end_of_columns final : lease_end {
    explicit end_of_columns(row_tier &tier) : of(tier) {}
    ~end_of_columns() override {
      if (own.place != none) of.release_block(own);
    }
    row_tier &of;
    held_place own{none, 0};
  };

  std::size_t frame_numbers() const { return shape_.template frame_numbers<T>(size_); }
  std::size_t block_numbers() const { return shape_.template block_numbers<T>(size_); }
  std::uint32_t all_slots() const;
  /// The slot of a block that has one slot, of a set; none for blocks that have all slots.
  std::uint32_t the_slot(std::uint32_t slots) const {
    return shape_.by_owner ? bit_width(slots) - 1 : none;
  }

  /// The uses of owners whose rows may be in the store: all of them, or those in `some`.
  std::span<owner_use const> without_borrowed(std::span<owner_use const> uses,
                                              std::vector<owner_use> &some) const;

  void lease(place &one);

  /// Throws gossip::error where a thread would wait for the end of a lease of its own.
  template <class Places>
  static void refuse_own(Places const &places, std::string const &held, std::string const &asked) {
    for (place const &one : places)
      if (one.leases > 0 && one.holder == std::this_thread::get_id())
        throw error("rows: expected one kind of lease at a time, got a thread that has " + held +
                    " and asks for " + asked);
  }

  template <class Condition>
  void wait(std::unique_lock<std::mutex> &lock, Condition condition) {
    if (failure_.empty() && condition()) return;
    auto const begin = std::chrono::steady_clock::now();
    changed_.wait(lock, [&] { return !failure_.empty() || condition(); });
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    moved_.waiting_seconds += taken.count();
    if (failure_.empty()) return;
    std::string const why = failure_;
    lock.unlock();  // the end of the lease takes it
    throw error(why);
  }

  // Whole rows or columns ---------------------------------------------------------------

  /// Whether nothing is at work or on its way in some places, as far as it concerns some slots.
  template <class Places>
  static bool is_still(Places const &places, std::uint32_t slots) {
    return std::ranges::all_of(places, [slots](place const &one) {
      return one.leases == 0 && ((one.coming | one.leaving) & slots) == 0;
    });
  }

  void use_as_rows(std::unique_lock<std::mutex> &lock, std::uint32_t slots);

  void use_as_columns(std::unique_lock<std::mutex> &lock, std::uint32_t slots);

  // Places ------------------------------------------------------------------------------

  T *memory_of(place const &one) const;
  /// Of a block; where a block has one slot, it is in the place of every slot.
  typename leased_rows<T>::memory rows_of(std::uint32_t block) const;

  /// Columns of borrowed rows in some slots to their places in a block.
  void copy_borrowed(std::uint32_t slots, std::size_t number,
                     typename leased_rows<T>::memory const &rows) const;

  bool is_frame(place const &one) const {
    return &one >= frames_.data() && &one < frames_.data() + frames_.size();
  }

  /// Of a frame, the row of its owner in every slot.
  std::size_t row_of(place const &frame) const {
    return places_.empty() ? frame.number : places_[frame.number];
  }

  /// An idle place is free again.
  void leave(place &one);

  /// The frame of an owner, when there is one.
  std::uint32_t bring(std::unique_lock<std::mutex> &lock, node i);

  /// An idle frame for an owner, if there is one.
  std::uint32_t take_frame(node i, bool also_expected);

  /// Lists an eighth of the frames that can be taken, so that all are compared only now and then:
  /// those whose owners are needed last, of these the ones that have been leased longest ago.
  template <class CanBeTaken>
  void list_last_needed(CanBeTaken can_be_taken) {
    uses_.clear();
    for (std::uint32_t own = 0; own < frames_.size(); ++own) {
      place const &one = frames_[own];
      if (!can_be_taken(own)) continue;
      bool const empty = one.number == nothing;
      uses_.push_back(
          {empty ? nothing : planned_.next_use(static_cast<node>(one.number)), ~one.latest, own});
    }
    auto const count = static_cast<std::ptrdiff_t>((uses_.size() + 7) / 8);
    std::ranges::partial_sort(uses_, uses_.begin() + count, std::greater<>{});
    for (auto k = count; k-- > 0;) last_needed_.push_back(uses_[static_cast<std::size_t>(k)].frame);
  }

  /// The place of a block, or an idle one that becomes it, if there is one.
  std::uint32_t take_block(std::size_t number, std::uint32_t slot);

  // Requests ----------------------------------------------------------------------------

  /// Begins to read the rows that are read and not here.
  void read_rows(std::unique_lock<std::mutex> &lock, std::span<owner_use const> uses);

  void read_block(std::unique_lock<std::mutex> &lock, std::uint32_t own, std::uint32_t slots);

  template <class Places, class Asked>
  static void arrived(Places &places, Asked const &asked) {
    for (auto const &[own, slots] : asked) {
      places[own].coming &= ~slots;
      places[own].here |= slots;
    }
  }

  void release_rows(std::vector<held_place> const &all);

  void release_block(held_place const &held);

  /// Returns the slots that are to be written now.
  std::uint32_t end_lease(place &one, std::uint32_t written);

  template <class Places, class Asked>
  void left(Places &places, Asked const &asked) {
    for (auto const &[own, slots] : asked) {
      places[own].leaving &= ~slots;
      if (store_->spoils()) leave_if_unused(places[own]);
    }
  }
  void leave_if_unused(place &one) {
    if (one.is_idle() && !one.expected) leave(one);
  }

  /// done() is called with the lock when the store has carried out all.
  template <class F>
  void begin(std::unique_lock<std::mutex> &lock, std::vector<store_request> requests, F done) {
    if (requests.empty()) {
      done();
      return changed_.notify_all();
    }
    ++under_way_;
    for (store_request const &one : requests)
      (one.writes ? moved_.written : moved_.read) += one.memory.size();
    auto const ended = [this, done = std::move(done)](std::string const &failure) {
      std::lock_guard const again(mutex_);
      if (failure_.empty()) failure_ = failure;
      done();
      --under_way_;
      changed_.notify_all();  // with the lock: the tier may be gone behind it
    };
    lock.unlock();
    try {
      store_->begin(std::move(requests), ended);
    } catch (std::exception const &fault) {
      ended(fault.what());
    }
    lock.lock();
  }

  fleet_size size_;
  tier_shape shape_;
  store_layout<T> layout_;
  std::vector<std::uint32_t> places_;  // of rows in slots, by owner; none: owner i has row i
  Buffer<T> frame_memory_, block_memory_;
  std::vector<std::uint32_t> frame_of_;  // (owners, borrowed rows)
  std::vector<place> frames_;
  std::array<place, tier_shape::blocks> blocks_;
  std::uint32_t in_columns_ = 0;       // slots that are in use as columns
  std::uint32_t columns_written_ = 0;  // of these, slots that have been written since
  planned_leases planned_;
  std::vector<std::uint32_t> last_needed_;  // frames to be taken, from the back
  std::vector<frame_use> uses_;             // while frames are compared
  std::uint64_t leases_ = 0;
  std::size_t under_way_ = 0;
  std::string failure_;
  tier_report moved_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<row_store> store_;  // first to end: its threads use the rest
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/fleet/detail/row_tier.ipp>
#endif
