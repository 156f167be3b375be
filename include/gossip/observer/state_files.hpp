// The state of a run in files. A checkpoint is a folder with a shard of each rank: numbers as
// safetensors, rows by owner, so that any number of ranks reads them, and a note in JSON that is
// written last. A checkpoint is whole when the notes of all its shards are there.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/hash.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/data/json_text.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/observer/window_end.hpp>

namespace gossip {

namespace detail {

[[noreturn]] inline void refuse_writing(std::string const &path) {
  throw write_error(path, errno);
}

/// call() of the system, again where a signal has cut it.
template <class Call>
auto uncut(Call call) {
  for (;;)
    if (auto const result = call(); result != -1 || errno != EINTR) return result;
}

/// A file of the system, closed when this ends.
class file_handle {
 public:
  /// Reading; throws error.
  explicit file_handle(std::string path)
      : path_(std::move(path)),
        file_(uncut([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC); })) {
    if (file_ < 0) throw error(path_ + ": cannot be read: " + std::strerror(errno));
  }
  /// Writing to a new file, or over an earlier one.
  struct written {};
  file_handle(std::string path, written)
      : path_(std::move(path)), file_(uncut([&] {
          return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        })) {
    if (file_ < 0) refuse_writing(path_);
  }
  file_handle(file_handle &&other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  file_handle &operator=(file_handle &&) = delete;
  ~file_handle() {
    if (file_ >= 0) ::close(file_);
  }

  std::string const &path() const { return path_; }

  void write(void const *data, std::size_t bytes) const {
    auto const *at = static_cast<std::byte const *>(data);
    while (bytes > 0) {
      auto const done = uncut([&] { return ::write(file_, at, bytes); });
      if (done <= 0) refuse_writing(path_);
      at += done;
      bytes -= static_cast<std::size_t>(done);
    }
  }
  /// Waits until all is on the disk; some file systems have no such call for folders.
  void settle() const {
    if (uncut([&] { return ::fsync(file_); }) != 0 && errno != EINVAL && errno != ENOTSUP)
      refuse_writing(path_);
  }
  /// Throws error where the file ends before.
  void read(std::uint64_t place, std::byte *to, std::size_t bytes) const {
    while (bytes > 0) {
      auto const done = uncut([&] { return ::pread(file_, to, bytes, static_cast<off_t>(place)); });
      if (done < 0) throw error(path_ + ": cannot be read: " + std::strerror(errno));
      if (done == 0) throw error(path_ + ": ends at byte " + std::to_string(place));
      to += done;
      place += static_cast<std::uint64_t>(done);
      bytes -= static_cast<std::size_t>(done);
    }
  }
  std::uint64_t bytes() const {
    auto const end = ::lseek(file_, 0, SEEK_END);
    if (end < 0) throw error(path_ + ": cannot be read: " + std::strerror(errno));
    return static_cast<std::uint64_t>(end);
  }

 private:
  std::string path_;
  int file_;
};

/// Waits until the name of a file or folder is on the disk.
inline void settle_entry(std::string const &path) {
  auto const folder = std::filesystem::path(path).parent_path().string();
  file_handle(folder.empty() ? "." : folder).settle();
}

/// Writes a file beside its path first: it is there whole or not at all, also after the machine has
/// failed. write(file)
template <class Write>
void write_whole(std::string const &path, Write write) {
  std::string const beside = path + ".part";
  try {
    file_handle const file(beside, file_handle::written{});
    write(file);
    file.settle();
  } catch (...) {
    std::remove(beside.c_str());
    throw;
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    int const code = errno;
    std::remove(beside.c_str());
    throw write_error(path, code);
  }
  settle_entry(path);
}

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

/// One part in a shard.
struct shard_entry {
  std::string name;
  saved_state::shape shape;
  std::size_t rows;         // here
  std::size_t held = 0;     // number of the list of their owners, where it does not belong to all
  std::uint64_t begin = 0;  // byte behind the header

  std::size_t row_bytes() const { return shape.each * size_of(shape.kind); }
  std::uint64_t bytes() const { return std::uint64_t{rows} * row_bytes(); }
};

/// What is in a shard: lists of owners, then the parts of the state.
struct shard_contents {
  std::vector<std::vector<node>> held;
  std::vector<shard_entry> parts;  // in their order in the file

  void add(state_part const &p) {
    shard_entry one{p.name, {p.kind, p.owners, p.each}, p.rows()};
    if (p.owners > 0) {
      auto const known = std::ranges::find_if(
          held, [&](auto const &list) { return std::ranges::equal(list, p.held); });
      one.held = static_cast<std::size_t>(known - held.begin());
      if (known == held.end()) held.emplace_back(p.held.begin(), p.held.end());
    }
    parts.push_back(std::move(one));
  }

  /// The header of safetensors.
  std::string header() {
    nlohmann::json all = nlohmann::json::object();
    std::uint64_t end = 0;
    auto const tensor = [&](std::string const &name, number_kind kind,
                            std::vector<std::size_t> const &shape, std::uint64_t bytes) {
      bool const is_first = all.emplace(name, nlohmann::json{{"dtype", safetensors_type(kind)},
                                                             {"shape", shape},
                                                             {"data_offsets", {end, end + bytes}}})
                                .second;
      if (!is_first) throw error("state: " + name + " is named twice");
      end += bytes;
    };
    for (std::size_t k = 0; k < held.size(); ++k)
      tensor(list_name(k), number_kind::uint32, {held[k].size()}, held[k].size() * sizeof(node));
    nlohmann::json owners = nlohmann::json::object();
    for (shard_entry &one : parts) {
      one.begin = end;
      std::vector<std::size_t> shape{one.shape.each};
      if (one.shape.owners > 0) {
        shape.insert(shape.begin(), one.rows);
        owners[one.name] = {one.shape.owners, one.held};
      }
      tensor(part_name(one.name), one.shape.kind, shape, one.bytes());
    }
    all["__metadata__"] = {{"owners", owners.dump()}};
    std::string text = all.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
  }

  /// By a header with so many bytes behind it; the lists are still to be read. Throws input_error
  /// where it is none of a shard.
  static shard_contents of(nlohmann::json const &header, std::uint64_t behind,
                           std::string const &path) try {
    shard_contents all;
    auto const fits = [&](std::uint64_t count, std::uint64_t each) {
      if (each > 0 && count > behind / each) throw error("size");
      return count * each;
    };
    auto const owners =
        nlohmann::json::parse(header.at("__metadata__").at("owners").get<std::string>());
    while (header.contains(list_name(all.held.size()))) {
      std::size_t const count = header[list_name(all.held.size())].at("shape").at(0);
      fits(count, sizeof(node));
      all.held.emplace_back(count);
    }
    for (auto const &[name, tensor] : header.items()) {
      if (!name.starts_with(part_name(""))) continue;
      shard_entry one{name.substr(part_name("").size()), {}, 1};
      auto const shape = tensor.at("shape").get<std::vector<std::size_t>>();
      one.shape = {kind_of_type(tensor.at("dtype").get<std::string>()), 0, shape.at(0)};
      if (owners.contains(one.name)) {
        one.shape = {one.shape.kind, owners[one.name].at(0), shape.at(1)};
        one.held = owners[one.name].at(1);
        one.rows = shape.at(0);
        if (all.held.at(one.held).size() != one.rows) throw error("rows");
      }
      one.begin = tensor.at("data_offsets").at(0);
      std::uint64_t const bytes = fits(one.rows, fits(one.shape.each, size_of(one.shape.kind)));
      if (one.begin > behind - bytes || tensor.at("data_offsets").at(1) != one.begin + bytes)
        throw error("bytes");
      all.parts.push_back(std::move(one));
    }
    return all;
  } catch (std::exception const &) {
    throw input_error(path, "the header of a shard of a checkpoint", "none");
  }

 private:
  static std::string list_name(std::size_t number) { return "owners " + std::to_string(number); }
  static std::string part_name(std::string const &name) { return "state/" + name; }

  /// Element types as safetensors names them.
  static constexpr std::array<char const *, 8> types{"F64", "F32", "F16", "BF16",
                                                     "I64", "U64", "U32", "U8"};
  static std::string safetensors_type(number_kind kind) {
    return types[static_cast<std::size_t>(kind)];
  }
  static number_kind kind_of_type(std::string const &type) {
    auto const at = std::ranges::find(types, type);
    if (at == types.end()) throw error("type");
    return static_cast<number_kind>(at - types.begin());
  }
};

}  // namespace detail

/// The shard of a rank, of all ranks.
struct shard_number {
  std::size_t rank = 0, ranks = 1;

  std::string name() const {
    return "shard-" + std::to_string(rank) + "-of-" + std::to_string(ranks);
  }
};

/// What the note of a shard says.
struct shard_note {
  shard_number number;
  std::uint64_t windows = 0, node_iterations = 0;
  double epoch = 0;
  std::string run;  ///< hash of the facts of the run
  std::uint64_t bytes = 0;
  std::string hash;  ///< of all bytes
};

/// Writes what a rank holds of a run's state to a checkpoint's folder, which is made where it is
/// not there. Throws error where it cannot be written; the shard is then not there.
inline shard_note write_shard(std::string const &folder, shard_number number,
                              window_end const &now) {
  static_assert(std::endian::native == std::endian::little);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw error(folder + ": cannot be made: " + failed.message());
  detail::settle_entry(folder);
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
    for (auto const &list : contents.held) put(list.data(), list.size() * sizeof(node));
    auto next = contents.parts.begin();
    now.name_state(state_visitor([&](state_part const &p) {
      constexpr std::size_t most = std::size_t{8} << 20;
      if (next == contents.parts.end() || next->name != p.name || next->rows != p.rows() ||
          next->shape != saved_state::shape{p.kind, p.owners, p.each})
        throw error("state: " + p.name + " has changed while it was saved");
      std::size_t const row = next->row_bytes();
      std::size_t const at_once = std::max<std::size_t>(1, most / std::max<std::size_t>(row, 1));
      std::vector<std::byte> numbers(std::min(at_once, p.rows()) * row);
      for (std::size_t first = 0; first < p.rows(); first += at_once) {
        std::size_t const count = std::min(at_once, p.rows() - first);
        p.copy_out(first, count, numbers.data());
        put(numbers.data(), count * row);
      }
      ++next;
    }));
  });
  shard_note const note{number,   now.windows,  now.mark.node_iterations, now.mark.epoch,
                        hex(run), hash.bytes(), hex(hash.value())};
  nlohmann::ordered_json const json{{"gossip_checkpoint", 1},
                                    {"shard", number.rank},
                                    {"shards", number.ranks},
                                    {"windows", note.windows},
                                    {"node_iterations", note.node_iterations},
                                    {"epoch", note.epoch},
                                    {"run", note.run},
                                    {"bytes", note.bytes},
                                    {"hash", note.hash}};
  detail::write_whole(path + ".json", [&](detail::file_handle const &file) {
    std::string const text = json.dump(2) + '\n';
    file.write(text.data(), text.size());
  });
  return note;
}

/// The note of a shard. Throws input_error where it is none, error where it cannot be read.
inline shard_note read_note(std::string const &path) {
  auto const whole = all_bytes(path);
  nlohmann::json const json = detail::parse_json(whole.bytes, path);
  try {
    if (json.at("gossip_checkpoint") != 1) throw error("version");
    return {{json.at("shard"), json.at("shards")},
            json.at("windows"),
            json.at("node_iterations"),
            json.at("epoch"),
            json.at("run"),
            json.at("bytes"),
            json.at("hash")};
  } catch (std::exception const &) {
    throw input_error(path, "the note of a shard of a checkpoint", "none");
  }
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
    std::map<std::size_t, std::vector<shard_note>> sets;
    detail::each_entry(folder, [&](std::filesystem::path const &entry) {
      if (entry.extension() != ".json") return;
      shard_note note = read_note(entry.string());
      if (entry.stem() != note.number.name() || note.number.rank >= note.number.ranks)
        throw input_error(entry.string(), "the note of " + entry.stem().string(),
                          "that of " + note.number.name());
      sets[note.number.ranks].push_back(std::move(note));
    });
    for (auto &[ranks, notes] : sets) {
      if (notes.size() != ranks) continue;
      std::ranges::sort(notes, {}, [](shard_note const &one) { return one.number.rank; });
      for (shard_note const &one : notes)
        if (one.windows != notes.front().windows || one.run != notes.front().run)
          throw input_error(folder, "shards of one run at one window",
                            one.number.name() + " of another run or window");
      return std::move(notes);
    }
    throw input_error(folder, "all shards of a checkpoint",
                      sets.empty() ? "none"
                                   : std::to_string(sets.begin()->second.size()) + " of " +
                                         std::to_string(sets.begin()->first));
  }

  std::uint64_t windows() const { return mark_.windows; }
  double epoch() const { return mark_.epoch; }
  std::uint64_t node_iterations() const { return mark_.node_iterations; }

  /// What belongs to all is what rank 0 had, whose observers write and print.
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (auto const &[name, one] : shards_.front().parts) all.push_back(name);
    return all;
  }
  std::optional<shape> shape_of(std::string const &name) const override {
    auto const *const found = shards_.front().find(name);
    return found ? std::optional(found->shape) : std::nullopt;
  }
  void each_block(std::string const &name, std::span<node const> owners,
                  block const &f) const override {
    constexpr std::size_t most = std::size_t{8} << 20;
    detail::shard_entry const &first = *shards_.front().find(name);
    std::size_t const row = first.row_bytes();
    if (first.shape.owners == 0) {
      opened const own(shards_.front(), first, true);
      return f(0, 1, own.whole.data());
    }
    std::map<shard const *, opened> files;
    std::vector<std::byte> numbers;
    for (std::size_t k = 0; k < owners.size();) {  // owners side by side in a shard go together
      auto const [from, part, place] = find(name, owners[k]);
      auto const &held = from->held[part->held];
      std::size_t const room = std::max<std::size_t>(1, most / std::max<std::size_t>(row, 1));
      std::size_t count = 1;
      while (count < room && k + count < owners.size() && place + count < held.size() &&
             held[place + count] == owners[k + count])
        ++count;
      opened const &file =
          files.try_emplace(from, *from, *part, part->bytes() <= most).first->second;
      f(k, count, file.rows(place * row, count * row, numbers));
      k += count;
    }
  }

 private:
  struct shard {
    std::string path;
    std::uint64_t data;  // where numbers begin
    std::vector<std::vector<node>> held;
    std::map<std::string, detail::shard_entry> parts;

    detail::shard_entry const *find(std::string const &name) const {
      auto const at = parts.find(name);
      return at == parts.end() ? nullptr : &at->second;
    }
  };
  struct row_place {
    shard const *from;
    detail::shard_entry const *part;
    std::size_t place;
  };

  /// A part of a shard while it is read: a small one in memory.
  struct opened {
    detail::file_handle file;
    std::uint64_t begin;
    std::vector<std::byte> whole;

    opened(shard const &from, detail::shard_entry const &part, bool is_small)
        : file(from.path), begin(from.data + part.begin), whole(is_small ? part.bytes() : 0) {
      if (is_small) file.read(begin, whole.data(), whole.size());
    }
    /// to: room for numbers that are not in memory.
    std::byte const *rows(std::uint64_t place, std::size_t bytes,
                          std::vector<std::byte> &to) const {
      if (!whole.empty()) return whole.data() + place;
      to.resize(bytes);
      file.read(begin + place, to.data(), bytes);
      return to.data();
    }
  };

  static shard read(std::string const &folder, shard_note const &note) {
    detail::file_handle const file(folder + "/" + note.number.name() + ".safetensors");
    if (file.bytes() != note.bytes)
      throw input_error(file.path(), std::to_string(note.bytes) + " bytes, as its note says",
                        std::to_string(file.bytes()));
    std::vector<std::byte> numbers(std::size_t{8} << 20);
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
    if (note.bytes >= sizeof length)
      file.read(0, reinterpret_cast<std::byte *>(&length), sizeof length);
    if (note.bytes < sizeof length || length > note.bytes - sizeof length)
      throw input_error(file.path() + ": header", "fewer bytes than the file has",
                        std::to_string(length));
    std::vector<std::uint8_t> text(length);
    file.read(sizeof length, reinterpret_cast<std::byte *>(text.data()), length);
    std::uint64_t const data = sizeof length + length;
    auto contents = detail::shard_contents::of(detail::parse_json(text, file.path() + ": header"),
                                               note.bytes - data, file.path());
    std::uint64_t at = data;
    for (auto &list : contents.held) {
      file.read(at, reinterpret_cast<std::byte *>(list.data()), list.size() * sizeof(node));
      at += list.size() * sizeof(node);
    }
    shard all{file.path(), data, std::move(contents.held), {}};
    for (detail::shard_entry &one : contents.parts) {
      std::string const name = one.name;
      all.parts.emplace(name, std::move(one));
    }
    return all;
  }

  /// The place of an owner's row. Throws input_error where no shard has it.
  row_place find(std::string const &name, node owner) const {
    for (shard const &one : shards_) {
      auto const *const part = one.find(name);
      if (!part) continue;
      auto const &held = one.held[part->held];
      auto const at = std::ranges::lower_bound(held, owner);
      if (at != held.end() && *at == owner)
        return {&one, part, static_cast<std::size_t>(at - held.begin())};
    }
    refuse_owner(name, owner);
  }

  std::vector<shard> shards_;  // by ranks
  shard_note mark_;
};

}  // namespace gossip
