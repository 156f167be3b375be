// Definitions of fleet/file_store.hpp.
#pragma once

#include <gossip/fleet/file_store.hpp>

#include <fcntl.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <cerrno>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/fleet/memory.hpp>

namespace gossip {

GOSSIP_INLINE file_store::file_store(std::string folder, std::uint64_t bytes, std::size_t threads)
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

GOSSIP_INLINE void file_store::require_disk() const {
  constexpr std::uint64_t in_memory[] = {0x01021994, 0x858458f6};  // TMPFS_MAGIC, RAMFS_MAGIC
  struct statfs found{};
  if (::statfs(folder_.c_str(), &found) != 0)
    throw error(folder_ + ": expected a folder on a disk for rows: " + std::strerror(errno));
  for (std::uint64_t const kind : in_memory)
    if (static_cast<std::uint64_t>(found.f_type) == kind)
      throw error(folder_ + ": expected a folder on a disk for rows, got one in memory (tmpfs)");
}

GOSSIP_INLINE void file_store::take(std::uint64_t bytes) {
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

GOSSIP_INLINE void file_store::open() {
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

GOSSIP_INLINE void file_store::work() {
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

GOSSIP_INLINE std::string file_store::carry_out(job &own) const {
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

}  // namespace gossip
