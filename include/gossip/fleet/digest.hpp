// A 64-bit fingerprint of all parameter rows in node order: equal digests, equal bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/hash.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>

namespace gossip {

/// The digest of the rows of all nodes, window by window, hashed in parallel, by the ranks that
/// hold them where there are several.
template <class Rows, class Backend>
std::uint64_t digest(Rows const &rows, Backend const &backend) {
  fleet_size const &size = rows.size();
  std::vector<std::uint64_t> hashes(size.rows(), 0);
  auto const held = held_nodes(rows);
  each_window(rows, 0, size.parameters, [&](auto const &part) {
    constexpr std::size_t bytes = sizeof *part.values.data;
    backend.for_each(part.values.rows, [&](std::size_t, std::size_t k) {
      std::uint64_t &hash = hashes[size.shared ? node{0} : held[part.begin + k]];
      if (part.first == 0) hash = detail::empty_hash(size.parameters * bytes);
      hash = detail::hash_on(hash, part.values[k].data(), (part.last - part.first) * bytes);
    });
  });
  if (!size.shared) all_reduce_sum(rows, hashes);
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
