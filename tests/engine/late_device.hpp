// The serial backend, taken for a device that is late: what it is given waits in a queue until the
// host waits for it, or asks how far it is, which makes it do a little. Who reads too early, or
// changes what a copy under way still needs, has other bits in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gossip/backend/serial.hpp>
#include <gossip/op/plain_layers.hpp>

#include "recording_device.hpp"

namespace gossip::test {

struct late_device : serial {
  static constexpr bool on_device = true;
  using worker = launching_worker<op::plain_layers, late_device>;

  /// There are two, of which each process has one.
  static inline std::size_t chosen = 0;
  static void choose(std::size_t number) { chosen = number % 2; }
  static std::uint64_t device_identity() { return 40 + chosen; }

  /// Freeing memory waits, as CUDA does.
  template <class T>
  struct buffer : host_buffer<T> {
    using host_buffer<T>::host_buffer;
    buffer() = default;
    buffer(buffer &&) noexcept = default;
    buffer &operator=(buffer &&other) noexcept {
      finish();
      host_buffer<T>::operator=(std::move(other));
      return *this;
    }
    ~buffer() { finish(); }
  };
  template <class T>
  using pinned = buffer<T>;

  struct event {
    std::uint64_t place = 0;

    bool passed() const {
      if (done_ < place) do_one();
      return done_ >= place;
    }
  };
  static void record(event &at) { at.place = done_ + queue_.size(); }

  struct recording {
    std::vector<std::function<void()>> launches;
  };

  template <class F>
  void launch(std::size_t count, F f) const {
    give([count, f] { serial{}.launch(count, f); });
  }
  template <class F>
  void replay(recording &kept, F f) const {
    if (kept.launches.empty()) {
      recorded_ = &kept;
      f();
      recorded_ = nullptr;
    } else {
      for (auto const &again : kept.launches) give(again);
    }
  }

  template <class T>
  void upload(T *to, T const *from, std::size_t count) const {
    give([to, numbers = std::vector<T>(from, from + count)] {
      std::copy(numbers.begin(), numbers.end(), to);
    });
  }
  template <class T>
  void download(T *to, T const *from, std::size_t count) const {
    wait();
    serial::download(to, from, count);
  }
  template <class T>
  void begin_upload(T *to, T const *from, std::size_t count) const {
    give([to, from, count] { serial{}.upload(to, from, count); });
  }
  template <class T>
  void begin_download(T *to, T const *from, std::size_t count) const {
    begin_upload(to, from, count);
  }
  static void wait() {
    ++waits;
    finish();
  }
  /// Of the host, since it was set to nothing; freeing memory does not count.
  static inline std::size_t waits = 0;

 private:
  static inline std::deque<std::function<void()>> queue_;
  static inline std::uint64_t done_ = 0;
  static inline recording *recorded_ = nullptr;

  static void give(std::function<void()> work) {
    if (recorded_) recorded_->launches.push_back(work);
    queue_.push_back(std::move(work));
  }
  static void finish() {
    while (!queue_.empty()) do_one();
  }
  static void do_one() {
    auto const work = std::move(queue_.front());
    queue_.pop_front();
    ++done_;
    work();
  }
};

}  // namespace gossip::test
