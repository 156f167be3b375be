// The state of a run in files. A checkpoint is a folder with a shard of each rank: numbers as
// safetensors, rows by owner, so that any number of ranks reads them, and a note in JSON that is
// written last. A checkpoint is whole when the notes of all its shards are there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/whole_file.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/model/read_safetensors.hpp>
#include <gossip/observer/detail/shard_contents.hpp>
#include <gossip/observer/window_end.hpp>

namespace gossip {

namespace detail {

/// f(path) for the entries of a folder; none where there is no folder. Throws error where it cannot
/// be read.
template <class F>
void each_entry(std::string const &folder, F f) {
  std::error_code failed;
  std::filesystem::directory_iterator at(folder, failed);
  for (std::filesystem::directory_iterator const end; !failed && at != end; at.increment(failed))
    f(at->path());
  if (failed && failed != std::errc::no_such_file_or_directory)
    throw error(folder + ": cannot be read: " + failed.message());
}

}  // namespace detail

/// The shard of a rank, of all ranks.
struct shard_number {
  std::size_t rank = 0, ranks = 1;

  std::string name() const {
    return "shard-" + std::to_string(rank) + "-of-" + std::to_string(ranks);
  }
};

/// The version of checkpoints: another one where files, or the hashes of windows, become others.
inline constexpr std::uint64_t checkpoint_version = 3;

/// What the note of a shard says.
struct shard_note {
  shard_number number;
  std::uint64_t windows = 0, node_iterations = 0;
  double epoch = 0;
  std::string run;  ///< hash of the facts of the run
  std::uint64_t bytes = 0;
  std::string hash;  ///< of all bytes
};

/// The note in JSON.
std::string text_of(shard_note const &note);

/// Writes what a rank holds of a run's state to a checkpoint's folder, which is made where it is
/// not there. Throws error where it cannot be written; the shard is then not there.
shard_note write_shard(std::string const &folder, shard_number number, window_end const &now);

/// The note of a shard. Throws input_error where it is none, error where it cannot be read.
shard_note read_note(std::string const &path);

/// A checkpoint that was written, by any number of ranks.
class checkpoint final : public saved_state {
 public:
  /// Reads all shards of a checkpoint's folder once and compares their hashes. Throws input_error
  /// by file where a shard is missing or is not what was written, error where it cannot be read.
  explicit checkpoint(std::string const &folder) {
    std::vector<shard_note> const notes = notes_of(folder);
    for (shard_note const &one : notes) shards_.push_back(read(folder, one));
    mark_ = notes.front();
  }

  /// The notes of all its shards, by ranks. Throws as the constructor does.
  static std::vector<shard_note> notes_of(std::string const &folder);

  std::uint64_t windows() const { return mark_.windows; }
  double epoch() const { return mark_.epoch; }
  std::uint64_t node_iterations() const { return mark_.node_iterations; }

  /// What belongs to all is what rank 0 had, whose observers write and print.
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (detail::shard_entry const &one : shards_.front().contents.parts) all.push_back(one.name);
    return all;
  }
  std::optional<shape> shape_of(std::string const &name) const override {
    detail::shard_entry const *const found = shards_.front().contents.find(name);
    return found ? std::optional(found->shape) : std::nullopt;
  }
  void each_block(std::string const &name, std::span<node const> owners,
                  block const &f) const override {
    std::vector<part_reader> readers;
    for (shard const &one : shards_)
      if (auto const *const part = one.contents.find(name)) readers.emplace_back(one, *part);
    part_reader &first = readers.front();
    if (first.part.shape.owners == 0) return f(0, 1, first.rows(0, 1));
    for (std::size_t k = 0; k < owners.size();) {  // owners side by side in a shard go together
      auto const [from, place] = find(readers, name, owners[k]);
      std::vector<node> const &held = from->owners();
      std::size_t const room =
          std::max<std::size_t>(1, block_bytes / std::max<std::size_t>(from->part.row_bytes(), 1));
      std::size_t count = 1;
      while (count < room && k + count < owners.size() && place + count < held.size() &&
             held[place + count] == owners[k + count])
        ++count;
      f(k, count, from->rows(place, count));
      k += count;
    }
  }

 private:
  struct shard {
    std::string path;
    std::uint64_t data;  // where numbers begin
    detail::shard_contents contents;
  };

  /// Reads rows of a part from a shard, a small part once.
  struct part_reader {
    shard const &from;
    detail::shard_entry const &part;
    std::optional<detail::file_handle> file{};  // opened when first needed
    std::vector<std::byte> numbers{};

    part_reader(shard const &all, detail::shard_entry const &one) : from(all), part(one) {}

    std::vector<node> const &owners() const { return from.contents.lists[part.list]; }

    /// Rows place to place + count; valid until the next call.
    std::byte const *rows(std::size_t place, std::size_t count);
  };

  /// Notes of all shards. Throws input_error where they are not of one run at one window.
  static std::vector<shard_note> of_one_run(std::string const &folder,
                                            std::span<shard_note const> notes);

  static shard read(std::string const &folder, shard_note const &note);

  /// The reader of an owner's row, and its place there. Throws input_error where no shard has it.
  static std::pair<part_reader *, std::size_t> find(std::vector<part_reader> &readers,
                                                    std::string const &name, node owner);

  static constexpr std::size_t block_bytes = std::size_t{8} << 20;

  std::vector<shard> shards_;  // by ranks
  shard_note mark_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/state_files.ipp>
#endif
