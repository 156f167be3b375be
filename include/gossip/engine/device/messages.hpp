// Rows on their way between ranks where they lie in device memory. They come down together into
// pinned memory, from which MPI sends, and go up from where MPI has received them; or MPI gets
// device memory where it can read that. The host never waits for the device here: what a message
// needs of it is marked in the stream, and the message starts once the mark is reached.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/progress.hpp>
#include <gossip/engine/device/tiles.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/rank_layout.hpp>

namespace gossip {

template <class T, class Backend, class Ranks>
class device_messages {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  template <class V>
  using pinned = typename Backend::template pinned<V>;

 public:
  /// rows: of a fleet of this size; mixed: the numbers of a row that travel. progress outlives it.
  device_messages(Backend const &backend, device_op::rows<T> const &rows, fleet_size const &size,
                  rank_layout const &layout, Ranks const &ranks, std::size_t mixed,
                  device_progress<Backend> &progress)
      : backend_(backend),
        rows_(rows),
        place_(layout.places(size.borrowed)),
        models_(layout.own().size() + layout.held_servers()),
        own_(models_ + layout.held_payloads()),
        slots_(size.every_slot_borrows ? size.slots() : 1),
        borrowed_(size.borrowed),
        mixed_(mixed),
        direct_(ranks.reads_device_memory()),
        together_(rows_together(mixed, own_)),
        progress_(progress),
        requests_(ranks.rows()),
        copies_(own_ * slots_),
        taken_(own_ * slots_, false) {
    if (direct_ || size.shared) return;
    device_chosen_ = buffer<std::uint32_t>(own_ * slots_);
    packed_ = buffer<T>(together_ * mixed);
    host_in_ = pinned<T>(size.borrowed * slots_ * mixed);
  }

  /// Bytes of device memory, of rows of so many numbers.
  static std::size_t working_bytes(std::size_t mixed, std::size_t own) {
    return rows_together(mixed, own) * mixed * sizeof(T) + own * sizeof(std::uint32_t);
  }

  /// Node i's row of a slot must not be given anything to change it until the ticket comes back.
  static constexpr std::size_t room() { return static_cast<std::size_t>(-1); }
  void send(std::uint32_t to, std::uint32_t tag, node i, std::size_t slot, std::uint32_t ticket) {
    waiting_.push_back({to, tag, place_[i], static_cast<std::uint32_t>(slot), ticket, true});
  }
  /// `into`: a borrowed row. What was given to the device before still finds the old one there.
  void receive(std::uint32_t from, std::uint32_t tag, node into, std::size_t slot,
               std::uint32_t ticket) {
    waiting_.push_back({from, tag, place_[into], static_cast<std::uint32_t>(slot), ticket, false});
  }

  /// f(ticket) for every row that has left, or arrived for what is given to the device from now on;
  /// whether there was one.
  template <class F>
  bool poll(F f) {
    begin();
    start();
    return requests_.poll([&](std::uint32_t k) {
      message const done = under_way_[k];
      spare_.push_back(k);
      if (!direct_) land(done);
      f(done.ticket);
    });
  }

  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

  /// Whether MPI gets device memory; if not, how many copies brought rows down.
  bool direct() const { return direct_; }
  std::uint64_t copies_down() const { return copies_down_; }

 private:
  struct message {
    std::uint32_t peer, tag, place, slot, ticket;
    bool leaves;
    std::uint64_t mark = 0;
  };
  /// An own row in pinned memory, for as long as somebody is being sent it. Nobody writes to the
  /// row as long, so that there is one copy at most.
  struct copy {
    std::size_t at = 0, users = 0;
  };

  /// As many as 64 MiB take.
  static std::size_t rows_together(std::size_t mixed, std::size_t own) {
    std::size_t const row = std::max<std::size_t>(mixed * sizeof(T), 1);
    return std::clamp<std::size_t>((std::size_t{64} << 20) / row, 1, std::max<std::size_t>(own, 1));
  }

  /// Brings the rows of waiting messages down, unless MPI gets device memory, and marks them.
  void begin() {
    if (waiting_.empty()) return;
    if (!direct_) bring_down();
    std::uint64_t const mark = progress_.mark(backend_);
    for (message &one : waiting_) {
      one.mark = mark;
      marked_.push_back(one);
    }
    waiting_.clear();
  }

  /// Messages whose mark is reached go to MPI.
  void start() {
    if (marked_.empty()) return;
    std::uint64_t const reached = progress_.reached();
    for (; !marked_.empty() && marked_.front().mark <= reached; marked_.pop_front()) {
      message const &one = marked_.front();
      auto const bytes = std::as_writable_bytes(std::span(memory_of(one), mixed_));
      std::uint32_t const k = number_of(one);
      if (one.leaves)
        requests_.send(one.peer, one.tag, bytes, k);
      else
        requests_.receive(one.peer, one.tag, bytes, k);
    }
  }

  std::uint32_t number_of(message const &one) {
    if (spare_.empty()) {
      spare_.push_back(static_cast<std::uint32_t>(under_way_.size()));
      under_way_.emplace_back();
    }
    std::uint32_t const k = spare_.back();
    spare_.pop_back();
    under_way_[k] = one;
    return k;
  }

  T *memory_of(message const &one) const {
    if (direct_) return rows_.row(one.slot, one.place);
    if (one.leaves) return host_out_.data() + copies_[row_of(one)].at * mixed_;
    return host_in_.data() + (one.slot * borrowed_ + one.place - models_) * mixed_;
  }
  /// Own rows are counted slot by slot, as if none were borrowed.
  std::uint32_t row_of(message const &one) const {
    std::size_t const place = one.place < models_ ? one.place : one.place - borrowed_;
    return static_cast<std::uint32_t>(one.slot * own_ + place);
  }
  std::uint32_t place_of(std::uint32_t row) const {
    std::size_t const place = row % own_;
    return static_cast<std::uint32_t>(place < models_ ? place : place + borrowed_);
  }

  void land(message const &done) {
    if (!done.leaves)
      backend_.begin_upload(rows_.row(done.slot, done.place), memory_of(done), mixed_);
    else if (--copies_[row_of(done)].users == 0)
      taken_[copies_[row_of(done)].at] = false, --copies_taken_;
  }

  /// Rows that are to leave and have no copy yet, side by side wherever there is space.
  void bring_down() {
    chosen_.clear();
    for (message const &one : waiting_)
      if (one.leaves && copies_[row_of(one)].users++ == 0) chosen_.push_back(row_of(one));
    if (chosen_.empty()) return;
    if (host_out_.size() == 0) host_out_ = pinned<T>(own_ * slots_ * mixed_);
    if (copies_taken_ == 0) next_ = 0;  // all that come down now lie side by side
    copies_taken_ += chosen_.size();
    std::sort(chosen_.begin(), chosen_.end(), [&](auto a, auto b) { return a / own_ < b / own_; });
    places_.clear();
    for (std::uint32_t const row : chosen_) places_.push_back(place_of(row));
    backend_.upload(device_chosen_.data(), places_.data(), places_.size());
    for (std::size_t done = 0; done < chosen_.size();) {
      while (taken_[next_]) next_ = (next_ + 1) % taken_.size();
      std::size_t const first = next_, slot = chosen_[done] / own_;
      std::size_t const most = std::min({chosen_.size() - done, taken_.size() - first, together_});
      std::size_t count = 0;
      for (; count < most && !taken_[first + count] && chosen_[done + count] / own_ == slot;
           ++count) {
        taken_[first + count] = true;
        copies_[chosen_[done + count]].at = first + count;
      }
      copy_down(slot, done, first, count);
      done += count;
    }
  }

  /// `count` of the chosen rows, of one slot, to as many places from `to` on.
  void copy_down(std::size_t slot, std::size_t chosen, std::size_t to, std::size_t count) {
    T const *from = packed_.data();
    if (count == 1)
      from = rows_.row(slot, places_[chosen]);
    else
      backend_.launch(count * mixed_,
                      device_op::copy_tile<T, T>{device_op::with_slot(rows_, slot), packed_.data(),
                                                 0, mixed_, device_chosen_.data() + chosen});
    backend_.begin_download(host_out_.data() + to * mixed_, from, count * mixed_);
    ++copies_down_;
  }

  Backend backend_;
  device_op::rows<T> rows_;
  std::vector<std::uint32_t> place_;  // (owners + borrowed)
  std::size_t models_;                // rows of nodes and servers here
  std::size_t own_;                   // and of payloads
  std::size_t slots_, borrowed_, mixed_;
  bool direct_;
  std::size_t together_;  // rows
  device_progress<Backend> &progress_;
  typename Ranks::requests requests_;
  std::vector<message> waiting_;
  std::deque<message> marked_;
  std::vector<message> under_way_;  // by the number that MPI's requests have
  std::vector<std::uint32_t> spare_;
  std::vector<copy> copies_;  // (slots, own)
  std::vector<bool> taken_;   // (slots * own) places of host_out_
  std::size_t next_ = 0, copies_taken_ = 0;
  std::uint64_t copies_down_ = 0;
  std::vector<std::uint32_t> chosen_, places_;
  buffer<std::uint32_t> device_chosen_;  // (slots * own)
  buffer<T> packed_;                     // (together, mixed)
  pinned<T> host_out_, host_in_;         // (slots * own, mixed), (slots * borrowed, mixed)
};

}  // namespace gossip
