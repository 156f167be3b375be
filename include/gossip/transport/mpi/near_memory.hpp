// The ranks of one machine, and memory that they share: a block a rank, which it writes and the
// others read. Anonymous files and not windows of MPI-3: both read and write at the same speed, but
// Open MPI 4.1 keeps windows in /dev/shm, of which containers have 64 MB, and fails beyond; see
// docs/performance.md.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/transport/mpi/requests.hpp>

namespace gossip {

/// Owns what this rank has mapped: its own block, zeroed and page aligned, and those of others,
/// which it only reads. A mark in front of each says whose it is: numbers of processes and files
/// alone would mean something else in another container.
class near_memory {
 public:
  near_memory() = default;

  /// All ranks of `near` together, each with the same number of bytes. Where one of them cannot,
  /// all have none.
  near_memory(MPI_Comm near, std::size_t bytes) : bytes_(front + bytes) {
    int count = 1, place = 0;
    MPI_Comm_size(near, &count);
    MPI_Comm_rank(near, &place);
    blocks_.resize(static_cast<std::size_t>(count));
    std::vector<address> files(blocks_.size());
    address &mine = files[static_cast<std::size_t>(place)];
    auto const now = std::chrono::steady_clock::now().time_since_epoch().count();
    mine = {static_cast<long>(::getpid()), ::memfd_create("gossip", MFD_CLOEXEC),
            static_cast<std::uint64_t>(now) * blocks_.size() + static_cast<std::uint64_t>(place)};
    bool good = mine.file >= 0 && ::ftruncate(mine.file, static_cast<off_t>(bytes_)) == 0;
    std::byte *&own = blocks_[static_cast<std::size_t>(place)];
    if (good) own = mapped(mine.file, PROT_READ | PROT_WRITE);
    if (own) mark_of(own) = mine.mark;
    detail::check_mpi(MPI_Allgather(MPI_IN_PLACE, sizeof(address), MPI_BYTE, files.data(),
                                    sizeof(address), MPI_BYTE, near),
                      "MPI_Allgather");
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (k != static_cast<std::size_t>(place)) blocks_[k] = found(files[k]);
      good = good && blocks_[k] && mark_of(blocks_[k]) == files[k].mark;
    }
    if (!all(near, good)) release();
    if (mine.file >= 0) ::close(mine.file);  // all have opened it; what is mapped stays
  }

  near_memory(near_memory &&other) noexcept { swap(other); }
  near_memory &operator=(near_memory &&other) noexcept {
    near_memory(std::move(other)).swap(*this);
    return *this;
  }
  ~near_memory() { release(); }

  bool empty() const { return blocks_.empty(); }

  /// The block of a rank by its number among those of the machine.
  std::byte *block(std::size_t place) const { return blocks_[place] + front; }

 private:
  static constexpr std::size_t front = 4096;  // bytes, for the mark

  /// The address of a rank's memory for others, and the mark that is written there.
  struct address {
    long process;
    int file;
    std::uint64_t mark;
  };

  static std::uint64_t &mark_of(std::byte *block) {
    return *reinterpret_cast<std::uint64_t *>(block);
  }

  std::byte *mapped(int file, int protection) const {
    void *const at = ::mmap(nullptr, bytes_, protection, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte *>(at);
  }

  /// The block of another rank, or whatever lies where it should be, as long as it is as large.
  std::byte *found(address const &of) const {
    std::string const path =
        "/proc/" + std::to_string(of.process) + "/fd/" + std::to_string(of.file);
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return nullptr;
    struct stat status{};
    bool const as_large = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                          static_cast<std::size_t>(status.st_size) == bytes_;
    std::byte *const block = as_large ? mapped(file, PROT_READ) : nullptr;
    ::close(file);
    return block;
  }

  static bool all(MPI_Comm near, bool good) {
    int together = good;
    detail::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &together, 1, MPI_INT, MPI_MIN, near),
                      "MPI_Allreduce");
    return together != 0;
  }

  void release() {
    for (std::byte *const block : blocks_)
      if (block) ::munmap(block, bytes_);
    blocks_.clear();
  }
  void swap(near_memory &other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(bytes_, other.bytes_);
  }

  std::vector<std::byte *> blocks_;
  std::size_t bytes_ = 0;
};

/// The ranks that share this one's memory and cores.
class mpi_machine {
 public:
  explicit mpi_machine(MPI_Comm all) {
    detail::check_mpi(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near_),
                      "MPI_Comm_split_type");
    int count = 1, me = 0;
    MPI_Comm_size(near_, &count);
    MPI_Comm_rank(all, &me);
    ranks_.resize(static_cast<std::size_t>(count));
    detail::check_mpi(MPI_Allgather(&me, 1, MPI_INT, ranks_.data(), 1, MPI_INT, near_),
                      "MPI_Allgather");
    place_ = *place_of(static_cast<std::size_t>(me));
  }
  mpi_machine(mpi_machine const &) = delete;
  mpi_machine &operator=(mpi_machine const &) = delete;
  ~mpi_machine() {
    int over = 0;
    MPI_Finalized(&over);
    if (!over) MPI_Comm_free(&near_);
  }

  std::size_t ranks() const { return ranks_.size(); }
  std::size_t place() const { return place_; }

  /// The number of a rank among those; none if it is on another machine.
  std::optional<std::size_t> place_of(std::size_t rank) const {
    auto const at = std::find(ranks_.begin(), ranks_.end(), static_cast<int>(rank));
    if (at == ranks_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - ranks_.begin());
  }

  /// All of them together.
  near_memory share(std::size_t bytes) const { return near_memory(near_, bytes); }

 private:
  MPI_Comm near_ = MPI_COMM_NULL;
  std::vector<int> ranks_;  // their numbers among all
  std::size_t place_ = 0;
};

}  // namespace gossip
