// Tiles of rows that the ranks of one machine publish to each other: copied aside once by the rank
// that has them, read where they lie by those that need them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace gossip {

/// Two tiles at a time, even ones and odd ones. Every rank counts how many
/// tiles it has published and how many it has done with, in memory that all of them see.
template <class Row, class Ranks>
class published_tiles {
  using memory = decltype(std::declval<Ranks const &>().share_memory(0));
  static_assert(
      std::atomic_ref<std::uint64_t>::is_always_lock_free,
      "gossip::published_tiles: std::atomic_ref<std::uint64_t> must be lock-free, since other "
      "processes do not see its locks.");

 public:
  explicit published_tiles(Ranks const &ranks) : ranks_(ranks) {}

  /// Room for `rows` rows a rank of `width` numbers; all ranks together, with the same sizes. What
  /// this rank published before has been read.
  void begin(std::size_t rows, std::size_t width) {
    wait_for(readers_, done_with, published_);
    rows_ = rows;
    width_ = width;
    std::size_t const bytes = header + 2 * rows * width * sizeof(Row);
    if (bytes <= bytes_) return;
    bytes_ = bytes;
    published_ = 0;
    memory_ = ranks_.share_memory(bytes);
    near_.assign(ranks_.size(), std::nullopt);
    if (memory_.empty()) return;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      if (r != ranks_.rank()) near_[r] = ranks_.local_rank_of(r);
  }

  /// Another rank and this one read rows of each other in memory.
  bool reaches(std::size_t rank) const { return !near_.empty() && near_[rank].has_value(); }

  /// The ranks that this one reads rows of from now on, and those that read its own; all reached.
  void between(std::vector<std::size_t> publishers, std::vector<std::size_t> readers) {
    publishers_ = std::move(publishers);
    readers_ = std::move(readers);
  }

  /// Waits until the memory of the next tile that this rank publishes is no longer read.
  void wait_for_room() const {
    if (published_ >= 2) wait_for(readers_, done_with, published_ - 1);
  }
  /// The room for a row in a place of this rank.
  Row *room(std::size_t place) const { return rows_of(*own()) + offset(published_, place); }
  /// Publishes a tile with all its rows.
  void publish() {
    ++published_;
    if (own()) count(*own(), published).store(published_, std::memory_order_release);
  }

  /// Waits until a tile, counted from the first, has been published to this rank.
  void wait_for_rows(std::uint64_t tile) const { wait_for(publishers_, published, tile + 1); }
  /// The row in a place of another rank.
  Row const *row(std::size_t rank, std::size_t place, std::uint64_t tile) const {
    return rows_of(*near_[rank]) + offset(tile, place);
  }
  /// This rank has read what it wanted of a tile.
  void done(std::uint64_t tile) const {
    if (own()) count(*own(), done_with).store(tile + 1, std::memory_order_release);
  }

  /// Tiles that this rank has published.
  std::uint64_t published_so_far() const { return published_; }

 private:
  enum counter : std::size_t { published, done_with };
  static constexpr std::size_t line = 64, header = 2 * line;  // bytes

  std::optional<std::size_t> own() const {
    if (memory_.empty()) return std::nullopt;
    return ranks_.local_rank_of(ranks_.rank());
  }
  std::atomic_ref<std::uint64_t> count(std::size_t place, counter which) const {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t *>(memory_.block(place) + which * line));
  }
  Row *rows_of(std::size_t place) const {
    return reinterpret_cast<Row *>(memory_.block(place) + header);
  }
  std::size_t offset(std::uint64_t tile, std::size_t place) const {
    return (tile % 2 * rows_ + place) * width_;
  }

  void wait_for(std::span<std::size_t const> ranks, counter which, std::uint64_t enough) const {
    for (std::size_t const rank : ranks)
      for (std::size_t tries = 0;
           count(*near_[rank], which).load(std::memory_order_acquire) < enough; ++tries) {
        ranks_.progress();
        if (tries > 100) std::this_thread::yield();
      }
  }

  Ranks const &ranks_;
  memory memory_;
  std::vector<std::optional<std::size_t>> near_;  // (ranks) but this one
  std::vector<std::size_t> publishers_, readers_;
  std::size_t bytes_ = 0, rows_ = 0, width_ = 0;
  std::uint64_t published_ = 0;
};

}  // namespace gossip
