// Definitions of observer/detail/shard_contents.hpp.
#pragma once

#include <gossip/observer/detail/shard_contents.hpp>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void shard_contents::add(state_part const &p) {
  shard_entry one{p.name, {p.kind, p.owners, p.each}, p.rows()};
  if (p.owners > 0) {
    std::vector<node> const owners(p.held.begin(), p.held.end());
    while (one.list < lists.size() && lists[one.list] != owners) ++one.list;
    if (one.list == lists.size()) lists.push_back(owners);
  }
  if (find(p.name)) throw error("state: " + p.name + " is named twice");
  parts.push_back(std::move(one));
}

GOSSIP_INLINE std::string shard_contents::header() {
  std::vector<safetensors_entry> entries;
  std::uint64_t end = 0;
  auto const tensor = [&](std::string const &name, number_kind kind,
                          std::vector<std::size_t> const &shape, std::uint64_t bytes) {
    std::uint64_t const begin = end;
    end += bytes;
    entries.push_back(
        {name, std::string(types[static_cast<std::size_t>(kind)]), shape, begin, end});
  };
  for (std::size_t k = 0; k < lists.size(); ++k)
    tensor("list " + std::to_string(k), number_kind::uint32, {lists[k].size()},
           lists[k].size() * sizeof(node));
  for (shard_entry &one : parts) {
    one.begin = end;
    if (one.shape.owners == 0)
      tensor("all: " + one.name, one.shape.kind, {one.shape.each}, one.bytes());
    else
      tensor("rows of " + std::to_string(one.shape.owners) + " by list " +
                 std::to_string(one.list) + ": " + one.name,
             one.shape.kind, {one.rows, one.shape.each}, one.bytes());
  }
  return safetensors_header(entries);
}

}  // namespace gossip::detail
