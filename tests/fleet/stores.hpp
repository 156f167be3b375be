// A store of rows that is late, out of order and may fail; what leaves memory becomes NaN.
#pragma once

#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/fleet/file_store.hpp>
#include <gossip/fleet/row_store.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gossip::test {

/// A folder on a disk for rows in a file, or "" where the usual ones are in memory.
inline std::string scratch_folder() {
  for (std::string const folder : {".", "/var/tmp"}) {
    try {
      file_store(folder, row_store::page);
      return folder;
    } catch (error const &) {
    }
  }
  return "";
}

/// How a store behaves.
struct behaviour {
  bool at_once = false;  ///< requests are done when begin() returns
  bool spoils = true;    ///< what leaves memory becomes NaN
  std::uint64_t fails_at = std::numeric_limits<std::uint64_t>::max();  ///< this request and later
};

/// Keeps its bytes in memory. Several calls of begin() wait together and end in any order.
class awkward_store final : public row_store {
 public:
  explicit awkward_store(std::uint64_t bytes, behaviour how = {})
      : bytes_(bytes), how_(how), thread_([this] { work(); }) {}
  ~awkward_store() override {
    {
      std::lock_guard const lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void begin(std::vector<store_request> requests, completion done) override {
    for (store_request const &one : requests)
      if (one.at % page != 0 || one.memory.size() % page != 0 ||
          reinterpret_cast<std::uintptr_t>(one.memory.data()) % page != 0 ||
          one.at + one.memory.size() > bytes_.size())
        wrong_ = true;
    call own{std::move(requests), std::move(done)};
    if (how_.at_once) return finish(own);
    std::lock_guard const lock(mutex_);
    waiting_.push_back(std::move(own));
    changed_.notify_all();
  }
  std::string name() const override { return "memory of a test"; }
  bool spoils() const override { return how_.spoils; }

 private:
  struct call {
    std::vector<store_request> requests;
    completion done;
  };

  void work() {
    keyed_random random(7, purpose::user, 0, 0);
    for (std::unique_lock lock(mutex_);;) {
      changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      lock.unlock();
      if (random.below(4) == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
      lock.lock();
      auto const which =
          static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(waiting_.size())));
      call own = std::move(waiting_[static_cast<std::size_t>(which)]);
      waiting_.erase(waiting_.begin() + which);
      lock.unlock();
      finish(own);
      lock.lock();
    }
  }

  void finish(call &own) {
    std::string failure = wrong_ ? "a request is not of whole pages within the store" : "";
    std::reverse(own.requests.begin(), own.requests.end());
    {
      std::lock_guard const lock(contents_);
      for (store_request const &one : own.requests) {
        if (requests_++ >= how_.fails_at) {
          failure = "the store of a test has failed";
          break;
        }
        std::byte *const here = bytes_.data() + one.at;
        if (one.writes)
          std::memcpy(here, one.memory.data(), one.memory.size());
        else
          std::memcpy(one.memory.data(), here, one.memory.size());
      }
    }
    own.done(failure);
  }

  std::vector<std::byte> bytes_;
  behaviour how_;
  std::atomic<bool> wrong_ = false;
  std::uint64_t requests_ = 0;
  std::mutex mutex_, contents_;
  std::condition_variable changed_;
  std::vector<call> waiting_;
  bool ends_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace gossip::test
