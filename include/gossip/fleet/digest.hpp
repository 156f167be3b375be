// A 64-bit fingerprint of all parameter rows in node order: equal digests, equal bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/ranked_rows.hpp>

namespace gossip {

namespace detail {

/// Mixes one word into a hash (the finaliser of splitmix64, Steele et al. 2014).
constexpr std::uint64_t mix_word(std::uint64_t hash, std::uint64_t word) {
  std::uint64_t x = std::rotl(hash, 23) ^ word;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

inline std::uint64_t hash_bytes(void const *data, std::size_t size) {
  auto const *at = static_cast<unsigned char const *>(data);
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL ^ size;
  for (; size > 0; size -= std::min<std::size_t>(size, 8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, std::min<std::size_t>(size, 8));
    hash = mix_word(hash, word);
    at += std::min<std::size_t>(size, 8);
  }
  return hash;
}

}  // namespace detail

/// The digest of the rows of all nodes in host memory, hashed in parallel, by the ranks that hold
/// them where there are several.
template <class Rows, class Backend>
std::uint64_t digest(Rows const &rows, Backend const &backend) {
  fleet_size const &size = rows.size();
  auto const hash_of = [&](node i) {
    auto const *const row = held_parameters(rows, i);
    return detail::hash_bytes(row, size.parameters * sizeof *row);
  };
  std::vector<std::uint64_t> hashes(size.rows(), 0);
  if (size.shared) {
    hashes[0] = hash_of(0);
  } else {
    auto const held = held_nodes(rows);
    backend.for_each(held.size(), [&](std::size_t, std::size_t k) {
      node const i = held[k];
      hashes[i] = hash_of(i);
    });
    add_up(rows, hashes);
  }
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < size.nodes; ++i)
    total = detail::mix_word(total, hashes[size.shared ? 0 : i]);
  return total;
}

/// 16 hex digits.
inline std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace gossip
