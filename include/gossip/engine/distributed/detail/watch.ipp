// Definitions of engine/distributed/watch.hpp.
#pragma once

#include <gossip/engine/distributed/watch.hpp>

#include <bit>
#include <string_view>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::uint64_t hash_of(plan_window const &window) {
  using detail::mix_word;
  std::uint64_t hash = window.stream.size();
  for (operation const &o : window.stream) {
    hash = mix_word(mix_word(hash, o.a), o.rows.word());
    for (std::uint64_t const word : o.words()) hash = mix_word(hash, word);
  }
  for (double const c : window.coefficients) hash = mix_word(hash, std::bit_cast<std::uint64_t>(c));
  for (node_term const &one : window.terms) {
    hash = mix_word(hash, one.owner);
    hash = mix_word(hash, std::bit_cast<std::uint64_t>(one.weight));
  }
  for (operand const &one : window.operands) {
    hash = mix_word(hash, std::bit_cast<std::uint64_t>(one.number));
    hash = mix_word(hash, one.scalar);
  }
  for (auto const &[number, entry] : window.functions) {
    std::string_view const name = entry->type->name();
    hash = mix_word(mix_word(hash, number), detail::hash_bytes(name.data(), name.size()));
  }
  for (mixing_matrix const *w : window.matrices)
    for (std::size_t i = 0; i < w->rows(); ++i) {
      auto const [columns, values] = w->row(i);
      hash = mix_word(hash, detail::hash_bytes(columns.data(), columns.size_bytes()));
      hash = mix_word(hash, detail::hash_bytes(values.data(), values.size_bytes()));
    }
  return hash;
}

}  // namespace gossip
