// The contents of a shard of a checkpoint: the tensors of its file by the parts of a run's state.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/model/safetensors.hpp>

namespace gossip::detail {

/// A part of a state in a shard: tensor "all: NAME" of what belongs to all owners, or tensor
/// "rows of OWNERS by list LIST: NAME" of rows, whose owners the tensor "list LIST" has.
struct shard_entry {
  std::string name;
  saved_state::shape shape;
  std::size_t rows = 1;     // here
  std::size_t list = 0;     // number of the list of their owners, where it does not belong to all
  std::uint64_t begin = 0;  // bytes behind the header

  std::size_t row_bytes() const { return shape.each * size_of(shape.kind); }
  std::uint64_t bytes() const { return std::uint64_t{rows} * row_bytes(); }
};

/// What is in a shard: lists of owners, then the parts of the state.
struct shard_contents {
  std::vector<std::vector<node>> lists;
  std::vector<shard_entry> parts;  // in the order of their numbers

  /// Null where it has none of this name.
  shard_entry const *find(std::string const &name) const {
    for (shard_entry const &one : parts)
      if (one.name == name) return &one;
    return nullptr;
  }

  void add(state_part const &p);

  /// The header of safetensors; parts lie in the order in which they were added.
  std::string header();

  /// The contents of a shard by the tensors of its file; list(entry): the owners in a list. Throws
  /// input_error where a tensor does not belong to a shard.
  template <class List>
  static shard_contents of(std::vector<safetensors_entry> const &entries, std::string const &path,
                           List list) {
    shard_contents all;
    unsigned long long owners = 0, number = 0;
    for (safetensors_entry const &e : entries) {
      if (std::sscanf(e.name.c_str(), "list %llu", &number) != 1) continue;
      if (e.type != "U32" || number >= entries.size()) refuse(path, e);
      all.lists.resize(std::max<std::size_t>(all.lists.size(), number + 1));
      all.lists[number] = list(e);
    }
    for (safetensors_entry const &e : entries) {
      if (e.name.starts_with("list ")) continue;
      std::size_t kind = 0;
      while (kind < types.size() && types[kind] != e.type) ++kind;
      std::size_t const colon = e.name.find(": ");
      shard_entry one{{}, {static_cast<number_kind>(kind), 0, 0}};
      one.begin = e.begin;
      bool fits = kind < types.size() && colon != std::string::npos && !e.shape.empty();
      if (std::sscanf(e.name.c_str(), "rows of %llu by list %llu: ", &owners, &number) == 2) {
        fits &= e.shape.size() == 2 && owners > 0 && number < all.lists.size() &&
                all.lists[number].size() == e.shape[0];
        one.shape.owners = owners;
        one.list = number;
        one.rows = e.shape.empty() ? 0 : e.shape[0];
      } else {
        fits &= e.shape.size() == 1 && e.name.starts_with("all: ");
      }
      if (!fits) refuse(path, e);
      one.shape.each = e.shape.back();
      one.name = e.name.substr(colon + 2);
      all.parts.push_back(std::move(one));
    }
    return all;
  }

 private:
  [[noreturn]] static void refuse(std::string const &path, safetensors_entry const &e) {
    throw input_error(path, "the tensors of a shard of a checkpoint", "'" + e.name + "'");
  }

  /// Element types as safetensors names them, in the order of number_kind.
  static constexpr std::array<std::string_view, 8> types{"F64", "F32", "F16", "BF16",
                                                         "I64", "U64", "U32", "U8"};
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/shard_contents.ipp>
#endif
