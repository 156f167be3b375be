// Definitions of observer/state_files.hpp.
#pragma once

#include <gossip/observer/state_files.hpp>

#include <bit>

#include <gossip/core/hash.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/json_text.hpp>
#include <gossip/model/safetensors.hpp>

namespace gossip {

GOSSIP_INLINE std::string text_of(shard_note const &note) {
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

GOSSIP_INLINE shard_note write_shard(std::string const &folder, shard_number number,
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

GOSSIP_INLINE shard_note read_note(std::string const &path) {
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

GOSSIP_INLINE std::vector<shard_note> checkpoint::notes_of(std::string const &folder) {
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
  throw input_error(
      folder, "all shards of a checkpoint",
      notes.empty() ? "none"
                    : std::to_string(found) + " of " + std::to_string(notes.front().number.ranks));
}

GOSSIP_INLINE std::byte const *checkpoint::part_reader::rows(std::size_t place, std::size_t count) {
  bool const is_small = part.bytes() <= block_bytes, is_new = !file;
  if (is_new) file.emplace(from.path);
  std::uint64_t const at = is_small ? 0 : place, rows = is_small ? part.rows : count;
  if (is_new || !is_small) {
    numbers.resize(rows * part.row_bytes());
    file->read(from.data + part.begin + at * part.row_bytes(), numbers.data(), numbers.size());
  }
  return numbers.data() + (place - at) * part.row_bytes();
}

GOSSIP_INLINE std::vector<shard_note> checkpoint::of_one_run(std::string const &folder,
                                                             std::span<shard_note const> notes) {
  for (shard_note const &one : notes)
    if (one.windows != notes.front().windows || one.run != notes.front().run)
      throw input_error(folder, "shards of one run at one window",
                        one.number.name() + " of another run or window");
  return {notes.begin(), notes.end()};
}

GOSSIP_INLINE checkpoint::shard checkpoint::read(std::string const &folder,
                                                 shard_note const &note) {
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

GOSSIP_INLINE std::pair<checkpoint::part_reader *, std::size_t> checkpoint::find(
    std::vector<part_reader> &readers, std::string const &name, node owner) {
  for (part_reader &one : readers) {
    std::vector<node> const &held = one.owners();
    auto const at = std::lower_bound(held.begin(), held.end(), owner);
    if (at != held.end() && *at == owner)
      return {&one, static_cast<std::size_t>(at - held.begin())};
  }
  refuse_owner(name, owner);
}

}  // namespace gossip
