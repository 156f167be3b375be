// Rows in a file without a name, read and written by threads, past the system's cache where the
// file system can.
#pragma once

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gossip/fleet/row_store.hpp>

namespace gossip {

/// The file is gone with the store, also where the process is killed.
class file_store final : public row_store {
 public:
  /// Takes all bytes from the disk. Throws gossip::error where the folder is in memory (tmpfs) or
  /// the disk has no room.
  file_store(std::string folder, std::uint64_t bytes, std::size_t threads = 4);
  ~file_store() override { end(); }

  std::string name() const override {
    return std::string("a file without a name in ") + folder_ +
           (direct_ ? ", past the system's cache" : ", through the system's cache") +
           (reserved_ ? "" : ", space not set aside");
  }

  /// Requests that lie side by side in the file become one.
  void begin(std::vector<store_request> requests, completion done) override {
    if (requests.empty()) return done("");
    std::sort(requests.begin(), requests.end(),
              [](auto const &a, auto const &b) { return a.at < b.at; });
    auto const all = std::make_shared<group>();
    all->done = std::move(done);
    std::vector<job> jobs;
    for (store_request const &one : requests)
      for (std::size_t first = 0; first < one.memory.size(); first += most_bytes) {
        std::span<std::byte> const part =
            one.memory.subspan(first, std::min(most_bytes, one.memory.size() - first));
        if (jobs.empty() || !jobs.back().takes(one.writes, one.at + first, part.size()))
          jobs.push_back({one.writes, one.at + first, 0, {}, all});
        jobs.back().bytes += part.size();
        jobs.back().pieces.push_back({part.data(), part.size()});
      }
    all->left = jobs.size();
    {
      std::lock_guard const lock(mutex_);
      for (job &one : jobs) waiting_.push_back(std::move(one));
    }
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 20, most_pieces = 512;

  struct group {
    std::size_t left = 0;
    std::string failure;
    completion done;
  };
  struct job {
    bool writes;
    std::uint64_t at;
    std::size_t bytes;
    std::vector<iovec> pieces;
    std::shared_ptr<group> of;

    bool takes(bool writes_too, std::uint64_t next, std::size_t more) const {
      return writes == writes_too && at + bytes == next && bytes + more <= most_bytes &&
             pieces.size() < most_pieces;
    }
  };

  void end() {
    {
      std::lock_guard const lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    for (std::thread &one : threads_) one.join();
    ::close(file_);
  }

  void require_disk() const;

  /// Sets the bytes aside, so that the disk cannot fill up under the rows; a file system that
  /// cannot do so must at least have the bytes free.
  void take(std::uint64_t bytes);

  void open();

  void work();

  /// "", or why it failed.
  std::string carry_out(job &own) const;

  std::string folder_;
  int file_ = -1;
  bool direct_ = false;    // reads and writes go past the system's cache
  bool reserved_ = false;  // the disk has set all bytes aside
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<job> waiting_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/fleet/detail/file_store.ipp>
#endif
