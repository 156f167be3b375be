// Definitions of core/hash.hpp.
#pragma once

#include <gossip/core/hash.hpp>

#include <algorithm>
#include <cstring>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::uint64_t hash_on(std::uint64_t hash, void const *data, std::size_t size) {
  auto const *at = static_cast<unsigned char const *>(data);
  for (; size > 0; size -= std::min<std::size_t>(size, 8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, std::min<std::size_t>(size, 8));
    hash = mix_word(hash, word);
    at += std::min<std::size_t>(size, 8);
  }
  return hash;
}

GOSSIP_INLINE void running_hash::add(void const *data, std::size_t size) {
  auto const *at = static_cast<unsigned char const *>(data);
  bytes_ += size;
  if (kept_ > 0) {
    std::size_t const taken = std::min(size, rest_.size() - kept_);
    std::copy_n(at, taken, rest_.begin() + static_cast<std::ptrdiff_t>(kept_));
    kept_ += taken;
    at += taken;
    size -= taken;
    if (kept_ < rest_.size()) return;
    hash_ = hash_on(hash_, rest_.data(), rest_.size());
  }
  std::size_t const whole = size / rest_.size() * rest_.size();
  hash_ = hash_on(hash_, at, whole);
  kept_ = size - whole;
  std::copy_n(at + whole, kept_, rest_.begin());
}

}  // namespace gossip::detail
