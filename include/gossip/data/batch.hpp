// The samples that a node trains on at a step: keyed permutations, one an epoch, and no state.
// The permutation is a Feistel network with cycle walking: J. Black, P. Rogaway, "Ciphers with
// arbitrary finite domains", CT-RSA 2002, section 5 (generalized Feistel).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// The order in which a node visits its m samples in one of its epochs: a bijection of
/// {0, ..., m - 1}, any place of it in constant time. Every sample is as likely at every place and
/// after every other; whole orders are not equally likely for 4 <= m (5: by 15 % root mean square).
class epoch_order {
 public:
  /// m must not be 0.
  epoch_order(std::uint64_t seed, node i, std::uint64_t epoch, std::uint32_t m) : m_(m) {
    auto const root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(m - 1)));
    left_ = root + 1;  // the least square root rounded up: left_ * right_ >= m, little more
    right_ = (m - 1) / left_ + 1;
    keyed_random random(seed, purpose::batch, i, epoch);
    for (std::uint32_t &key : keys_) key = random.bits();
  }

  /// The samples visited at `count` places of the epoch from `place` on; place + count <= m.
  void visit(std::uint32_t place, std::uint32_t count, std::uint32_t *out) const {
    std::uint32_t x = place / right_, y = place % right_;
    for (std::uint32_t begin = 0; begin < count; begin += block) {
      std::uint32_t xs[block], ys[block];
      for (std::size_t k = 0; k < block; ++k) {  // those beyond count are permuted and forgotten
        xs[k] = x;
        ys[k] = y;
        if (++y == right_) y = 0, ++x;
      }
      permute(xs, ys, block);
      for (std::uint32_t k = 0; k < block && begin + k < count; ++k)
        out[begin + k] = walk(xs[k], ys[k]);
    }
  }

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
  void permute(std::uint32_t *x, std::uint32_t *y, std::size_t pairs) const {
    for (std::size_t key = 0; key < keys_.size(); key += 2)
      for (std::size_t k = 0; k < pairs; ++k) {
        x[k] = turn(x[k], scatter(y[k] ^ keys_[key]), left_);
        y[k] = turn(y[k], scatter(x[k] ^ keys_[key + 1]), right_);
      }
  }

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
inline void stream_indices(std::uint64_t seed, node i, std::uint64_t first,
                           std::span<std::uint32_t const> samples, std::span<std::uint32_t> out) {
  if (samples.empty())
    throw input_error("batch: node " + std::to_string(i), "at least one sample", "none");
  auto const m = checked_index(samples.size(), "batch");
  std::uint64_t epoch = first / m;
  auto place = static_cast<std::uint32_t>(first % m);
  for (std::size_t j = 0; j < out.size(); ++epoch, place = 0) {
    epoch_order const order(seed, i, epoch, m);
    auto const count = static_cast<std::uint32_t>(std::min<std::size_t>(m - place, out.size() - j));
    order.visit(place, count, out.data() + j);
    for (std::size_t const end = j + count; j < end; ++j) out[j] = samples[out[j]];
  }
}

/// The samples of node i's batch at a step, out.size() of them: the batches follow one another in
/// the node's stream.
inline void batch_indices(std::uint64_t seed, node i, std::uint64_t step,
                          std::span<std::uint32_t const> samples, std::span<std::uint32_t> out) {
  stream_indices(seed, i, step * out.size(), samples, out);
}

}  // namespace gossip
