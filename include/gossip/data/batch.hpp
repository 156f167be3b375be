// The samples that a node trains on at a step: keyed permutations, one an epoch, and no state.
// The permutation is a Feistel network with cycle walking: J. Black, P. Rogaway, "Ciphers with
// arbitrary finite domains", CT-RSA 2002, section 5 (generalized Feistel).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// The order in which a node visits its m samples in one of its epochs: a bijection of
/// {0, ..., m - 1}, any place of it in constant time. Every sample is as likely at every place and
/// after every other; whole orders are not equally likely for 4 <= m (5: by 15 % root mean square).
class epoch_order {
 public:
  /// m must not be 0.
  epoch_order(std::uint64_t seed, node i, std::uint64_t epoch, std::uint32_t m);

  /// The samples visited at `count` places of the epoch from `place` on; place + count <= m.
  void visit(std::uint32_t place, std::uint32_t count, std::uint32_t *out) const;

  /// The sample visited at this place of the epoch; place < m.
  std::uint32_t operator[](std::uint32_t place) const {
    std::uint32_t sample;
    visit(place, 1, &sample);
    return sample;
  }

 private:
  static constexpr std::size_t block =
      16;  // places at once: chains that do not wait for each other

  /// Permutes pairs (x, y), each by itself.
  void permute(std::uint32_t *x, std::uint32_t *y, std::size_t pairs) const;

  /// The sample of a pair, or of the first pair on its cycle that has one.
  std::uint32_t walk(std::uint32_t x, std::uint32_t y) const {
    while (x * right_ + y >= m_) permute(&x, &y, 1);
    return x * right_ + y;
  }

  /// 32 bits whose upper half depends on all bits of v.
  static constexpr std::uint32_t scatter(std::uint32_t v) {
    v *= 0x9E3779B1U;
    v ^= v >> 15;
    return v * 0x85EBCA77U;
  }

  /// x moved on by a bits-chosen number of places in a cycle of the given length.
  static constexpr std::uint32_t turn(std::uint32_t x, std::uint32_t bits, std::uint32_t length) {
    x += static_cast<std::uint32_t>(std::uint64_t{bits} * length >> 32);
    return std::min(x, x - length);  // x - length wraps around unless x has passed the end
  }

  std::uint32_t m_;
  std::uint32_t left_;  // a place is x * right_ + y, x < left_, y < right_
  std::uint32_t right_;
  std::array<std::uint32_t, 8> keys_;
};

/// The samples at out.size() places of node i's endless stream from `first` on, in which every
/// epoch of samples.size() places visits each sample once. O(out.size()), wherever the places are.
void stream_indices(std::uint64_t seed, node i, std::uint64_t first,
                    std::span<std::uint32_t const> samples, std::span<std::uint32_t> out);

/// The samples of node i's batch at a step, out.size() of them: the batches follow one another in
/// the node's stream.
inline void batch_indices(std::uint64_t seed, node i, std::uint64_t step,
                          std::span<std::uint32_t const> samples, std::span<std::uint32_t> out) {
  stream_indices(seed, i, step * out.size(), samples, out);
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/batch.ipp>
#endif
