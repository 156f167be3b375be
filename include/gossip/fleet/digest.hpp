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

/// The digest of a fleet in host memory, rows hashed in parallel.
template <class T, template <class> class Buffer, class Backend>
std::uint64_t digest(fleet<T, Buffer> const &rows, Backend const &backend) {
  fleet_size const &size = rows.size();
  std::vector<std::uint64_t> hashes(size.rows());
  backend.for_each(hashes.size(), [&](std::size_t, std::size_t i) {
    hashes[i] =
        detail::hash_bytes(rows.parameters(static_cast<node>(i)), size.parameters * sizeof(T));
  });
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
