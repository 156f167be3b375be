// The state of a run in files. A checkpoint is a folder with a shard of each rank: numbers as
// safetensors, rows by owner, so that any number of ranks reads them, and a note in JSON that is
// written last. A checkpoint is whole when the notes of all its shards are there.
#pragma once

#include <algorithm>
#include <bit>
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
#include <gossip/core/hash.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/whole_file.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/data/json_text.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/model/read_safetensors.hpp>
#include <gossip/model/safetensors.hpp>
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
inline std::string text_of(shard_note const &note) {
  std::string text;
  auto const member = [&](char const *name, std::string const &value) {
    text.append(text.empty() ? "{\n  \"" : ",\n  \"").append(name).append("\": ").append(value);
  };
  member("gossip_checkpoint", std::to_string(checkpoint_version));
  member("shard", std::to_string(note.number.rank));
  member("shards", std::to_string(note.number.ranks));
  member("windows", std::to_string(note.windows));
  member("node_iterations", std::to_string(note.node_iterations));
  member("epoch", detail::shortest(note.epoch));
  member("run", '"' + note.run + '"');
  member("bytes", std::to_string(note.bytes));
  member("hash", '"' + note.hash + '"');
  return text + "\n}\n";
}

/// Writes what a rank holds of a run's state to a checkpoint's folder, which is made where it is
/// not there. Throws error where it cannot be written; the shard is then not there.
inline shard_note write_shard(std::string const &folder, shard_number number,
                              window_end const &now) {
  static_assert(std::endian::native == std::endian::little);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw error(folder + ": cannot be made: " + failed.message());
  detail::settle_name(folder);
  std::string const path = folder + "/" + number.name();
  std::filesystem::remove(path + ".json", failed);  // of an earlier shard, which is no longer whole
  detail::shard_contents contents;
  std::uint64_t run = 0;
  now.name_state(state_visitor([&](state_part const &p) {
    contents.add(p);
    if (p.name != "facts") return;
    std::vector<std::byte> facts(p.each);
    p.copy_out(0, 1, facts.data());
    run = detail::hash_bytes(facts.data(), facts.size());
  }));
  detail::running_hash hash;
  detail::write_whole(path + ".safetensors", [&](detail::file_handle const &file) {
    auto const put = [&](void const *data, std::size_t bytes) {
      hash.add(data, bytes);
      file.write(data, bytes);
    };
    std::string const header = contents.header();
    std::uint64_t const length = header.size();
    put(&length, sizeof length);
    put(header.data(), header.size());
    std::uint64_t const start = hash.bytes();
    for (auto const &list : contents.lists) put(list.data(), list.size() * sizeof(node));
    now.name_state(state_visitor([&](state_part const &p) {  // in the same order
      constexpr std::size_t most = std::size_t{8} << 20;
      detail::shard_entry const *const known = contents.find(p.name);
      if (!known || known->rows != p.rows() || known->begin != hash.bytes() - start ||
          known->shape != saved_state::shape{p.kind, p.owners, p.each})
        throw error("state: " + p.name + " has changed while it was saved");
      std::size_t const row = known->row_bytes();
      std::size_t const at_once = std::max<std::size_t>(1, most / std::max<std::size_t>(row, 1));
      std::vector<std::byte> numbers(std::min(at_once, p.rows()) * row);
      for (std::size_t first = 0; first < p.rows(); first += at_once) {
        std::size_t const count = std::min(at_once, p.rows() - first);
        p.copy_out(first, count, numbers.data());
        put(numbers.data(), count * row);
      }
    }));
  });
  shard_note const note{number,   now.windows,  now.mark.node_iterations, now.mark.epoch,
                        hex(run), hash.bytes(), hex(hash.value())};
  std::string const text = text_of(note);
  detail::write_whole(path + ".json", [&](detail::file_handle const &file) {
    file.write(text.data(), text.size());
  });
  return note;
}

/// The note of a shard. Throws input_error where it is none, error where it cannot be read.
inline shard_note read_note(std::string const &path) {
  auto const whole = all_bytes(path);
  auto const json = detail::parse_json(whole.bytes, path);
  auto const member = [&](std::string const &name) -> auto const & { return json.at(name); };
  auto const count = [&](std::string const &name) { return member(name).get<std::uint64_t>(); };
  auto const text = [&](std::string const &name) { return member(name).get<std::string>(); };
  std::uint64_t written_as = 0;
  try {
    written_as = count("gossip_checkpoint");
    if (written_as == checkpoint_version)
      return {{count("shard"), count("shards")},
              count("windows"),
              count("node_iterations"),
              member("epoch").get<double>(),
              text("run"),
              count("bytes"),
              text("hash")};
  } catch (std::exception const &) {
    throw input_error(path, "the note of a shard of a checkpoint", "none");
  }
  throw input_error(path, "a checkpoint of version " + std::to_string(checkpoint_version),
                    "one of version " + std::to_string(written_as));
}

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
  static std::vector<shard_note> notes_of(std::string const &folder) {
    std::vector<shard_note> notes;
    detail::each_entry(folder, [&](std::filesystem::path const &entry) {
      if (entry.extension() != ".json") return;
      notes.push_back(read_note(entry.string()));
      shard_number const &number = notes.back().number;
      if (entry.stem() != number.name() || number.rank >= number.ranks)
        throw input_error(entry.string(), "the note of " + entry.stem().string(),
                          "that of " + number.name());
    });
    std::sort(notes.begin(), notes.end(), [](shard_note const &a, shard_note const &b) {
      return a.number.ranks != b.number.ranks ? a.number.ranks < b.number.ranks
                                              : a.number.rank < b.number.rank;
    });
    std::size_t found = 0;  // shards of the first set that is not whole
    for (std::size_t begin = 0, end = 0; begin < notes.size(); begin = end) {
      std::size_t const ranks = notes[begin].number.ranks;
      while (end < notes.size() && notes[end].number.ranks == ranks) ++end;
      if (end - begin == ranks) return of_one_run(folder, {&notes[begin], ranks});
      if (found == 0) found = end - begin;
    }
    throw input_error(folder, "all shards of a checkpoint",
                      notes.empty() ? "none"
                                    : std::to_string(found) + " of " +
                                          std::to_string(notes.front().number.ranks));
  }

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
    std::byte const *rows(std::size_t place, std::size_t count) {
      bool const is_small = part.bytes() <= block_bytes, is_new = !file;
      if (is_new) file.emplace(from.path);
      std::uint64_t const at = is_small ? 0 : place, rows = is_small ? part.rows : count;
      if (is_new || !is_small) {
        numbers.resize(rows * part.row_bytes());
        file->read(from.data + part.begin + at * part.row_bytes(), numbers.data(), numbers.size());
      }
      return numbers.data() + (place - at) * part.row_bytes();
    }
  };

  /// Notes of all shards. Throws input_error where they are not of one run at one window.
  static std::vector<shard_note> of_one_run(std::string const &folder,
                                            std::span<shard_note const> notes) {
    for (shard_note const &one : notes)
      if (one.windows != notes.front().windows || one.run != notes.front().run)
        throw input_error(folder, "shards of one run at one window",
                          one.number.name() + " of another run or window");
    return {notes.begin(), notes.end()};
  }

  static shard read(std::string const &folder, shard_note const &note) {
    detail::file_handle const file(folder + "/" + note.number.name() + ".safetensors");
    if (file.bytes() != note.bytes)
      throw input_error(file.path(), std::to_string(note.bytes) + " bytes, as its note says",
                        std::to_string(file.bytes()));
    std::vector<std::byte> numbers(block_bytes);
    detail::running_hash hash;
    for (std::uint64_t done = 0; done < note.bytes;) {
      auto const part = std::min<std::uint64_t>(numbers.size(), note.bytes - done);
      file.read(done, numbers.data(), part);
      hash.add(numbers.data(), part);
      done += part;
    }
    if (hex(hash.value()) != note.hash)
      throw input_error(file.path(), "hash " + note.hash + ", as its note says", hex(hash.value()));
    std::uint64_t length = 0;
    if (note.bytes >= sizeof length) file.read(0, &length, sizeof length);
    if (note.bytes < sizeof length || length > note.bytes - sizeof length)
      throw input_error(file.path() + ": header", "fewer bytes than the file has",
                        std::to_string(length));
    std::vector<std::uint8_t> text(length);
    file.read(sizeof length, text.data(), length);
    std::uint64_t const data = sizeof length + length;
    auto const entries = detail::safetensors_entries(text, note.bytes - data, file.path());
    auto contents =
        detail::shard_contents::of(entries, file.path(), [&](detail::safetensors_entry const &e) {
          std::vector<node> list((e.end - e.begin) / sizeof(node));
          file.read(data + e.begin, list.data(), list.size() * sizeof(node));
          return list;
        });
    return {file.path(), data, std::move(contents)};
  }

  /// The reader of an owner's row, and its place there. Throws input_error where no shard has it.
  static std::pair<part_reader *, std::size_t> find(std::vector<part_reader> &readers,
                                                    std::string const &name, node owner) {
    for (part_reader &one : readers) {
      std::vector<node> const &held = one.owners();
      auto const at = std::lower_bound(held.begin(), held.end(), owner);
      if (at != held.end() && *at == owner)
        return {&one, static_cast<std::size_t>(at - held.begin())};
    }
    refuse_owner(name, owner);
  }

  static constexpr std::size_t block_bytes = std::size_t{8} << 20;

  std::vector<shard> shards_;  // by ranks
  shard_note mark_;
};

}  // namespace gossip
