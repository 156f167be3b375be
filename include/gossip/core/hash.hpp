// 64-bit hashes of bytes and words: of the rows of a network, of the content of files.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace gossip::detail {

/// Mixes one word into a hash (the finaliser of splitmix64, Steele et al. 2014).
constexpr std::uint64_t mix_word(std::uint64_t hash, std::uint64_t word) {
  std::uint64_t x = std::rotl(hash, 23) ^ word;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The hash of so many bytes before the first of them.
constexpr std::uint64_t empty_hash(std::size_t size) {
  return 0x9e3779b97f4a7c15ULL ^ size;
}

/// Goes on with a hash; of all parts but the last the size is a multiple of 8.
std::uint64_t hash_on(std::uint64_t hash, void const *data, std::size_t size);

inline std::uint64_t hash_bytes(void const *data, std::size_t size) {
  return hash_on(empty_hash(size), data, size);
}

/// The hash of bytes that come in parts of any size and whose number is known at the end only. How
/// the bytes are cut into parts does not show.
class running_hash {
 public:
  void add(void const *data, std::size_t size);

  std::uint64_t bytes() const { return bytes_; }

  /// The hash of all bytes that have been added.
  std::uint64_t value() const { return mix_word(hash_on(hash_, rest_.data(), kept_), bytes_); }

 private:
  std::uint64_t hash_ = empty_hash(0), bytes_ = 0;
  std::array<unsigned char, 8> rest_{};
  std::size_t kept_ = 0;  // bytes at the end that are no whole word yet
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/hash.ipp>
#endif
