// Rows in a file without a name, read and written by threads, past the system's cache where the
// file system can.
#pragma once

#include <fcntl.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

#include <gossip/core/error.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/row_store.hpp>

namespace gossip {

/// The file is gone with the store, also where the process is killed.
class file_store final : public row_store {
 public:
  /// Takes all bytes from the disk. Throws gossip::error where the folder is in memory (tmpfs) or
  /// the disk has no room.
  file_store(std::string folder, std::uint64_t bytes, std::size_t threads = 4)
      : folder_(std::move(folder)) {
    require_disk();
    open();
    try {
      take(bytes);
      for (std::size_t k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
    } catch (...) {
      end();
      throw;
    }
  }
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

  void require_disk() const {
    constexpr std::uint64_t in_memory[] = {0x01021994, 0x858458f6};  // TMPFS_MAGIC, RAMFS_MAGIC
    struct statfs found{};
    if (::statfs(folder_.c_str(), &found) != 0)
      throw error(folder_ + ": expected a folder on a disk for rows: " + std::strerror(errno));
    for (std::uint64_t const kind : in_memory)
      if (static_cast<std::uint64_t>(found.f_type) == kind)
        throw error(folder_ + ": expected a folder on a disk for rows, got one in memory (tmpfs)");
  }

  /// Sets the bytes aside, so that the disk cannot fill up under the rows; a file system that
  /// cannot do so must at least have the bytes free.
  void take(std::uint64_t bytes) {
    int failed = 0;
    do failed = ::fallocate(file_, 0, 0, static_cast<off_t>(bytes));
    while (failed != 0 && errno == EINTR);
    reserved_ = failed == 0;
    if (reserved_) return;
    int code = errno;
    if (code == EOPNOTSUPP && ::ftruncate(file_, static_cast<off_t>(bytes)) == 0) {
      struct statvfs disk{};
      if (::fstatvfs(file_, &disk) == 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize >= bytes)
        return;
      code = ENOSPC;
    }
    throw error(folder_ + ": expected " + detail::gigabytes(bytes) +
                " of the disk for rows: " + std::strerror(code));
  }

  void open() {
    direct_ = true;
    file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    if (file_ < 0) {
      direct_ = false;
      file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    }
    if (file_ >= 0) return;
    std::string name = folder_ + "/gossip-rows-XXXXXX";  // a file system without nameless files
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0)
      throw error(folder_ + ": expected a folder for a file of rows: " + std::strerror(errno));
    ::unlink(name.c_str());
    direct_ = ::fcntl(file_, F_SETFL, O_DIRECT) == 0;
  }

  void work() {
    for (std::unique_lock lock(mutex_);;) {
      changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      job own = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      std::string const failure = carry_out(own);
      lock.lock();
      if (own.of->failure.empty()) own.of->failure = failure;
      if (--own.of->left > 0) continue;
      lock.unlock();
      own.of->done(own.of->failure);
      lock.lock();
    }
  }

  /// "", or why it failed.
  std::string carry_out(job &own) const {
    std::size_t first = 0;  // of the pieces
    while (own.bytes > 0) {
      auto const place = static_cast<off_t>(own.at);
      int const count = static_cast<int>(own.pieces.size() - first);
      ssize_t const moved = own.writes ? ::pwritev(file_, &own.pieces[first], count, place)
                                       : ::preadv(file_, &own.pieces[first], count, place);
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0)
        return folder_ + ": rows cannot be " + (own.writes ? "written: " : "read: ") +
               (moved < 0 ? std::strerror(errno) : "the file is shorter than it was");
      own.at += static_cast<std::uint64_t>(moved);
      own.bytes -= static_cast<std::size_t>(moved);
      for (auto left = static_cast<std::size_t>(moved); left > 0;) {
        iovec &piece = own.pieces[first];
        std::size_t const taken = std::min(left, piece.iov_len);
        piece.iov_base = static_cast<std::byte *>(piece.iov_base) + taken;
        piece.iov_len -= taken;
        left -= taken;
        if (piece.iov_len == 0) ++first;
      }
    }
    return "";
  }

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
