// Definitions of data/batch.hpp.
#pragma once

#include <gossip/data/batch.hpp>

#include <cmath>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE epoch_order::epoch_order(std::uint64_t seed, node i, std::uint64_t epoch,
                                       std::uint32_t m)
    : m_(m) {
  auto const root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(m - 1)));
  left_ = root + 1;  // the least square root rounded up: left_ * right_ >= m, little more
  right_ = (m - 1) / left_ + 1;
  keyed_random random(seed, purpose::batch, i, epoch);
  for (std::uint32_t &key : keys_) key = random.bits();
}

GOSSIP_INLINE void epoch_order::visit(std::uint32_t place, std::uint32_t count,
                                      std::uint32_t *out) const {
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

GOSSIP_INLINE void epoch_order::permute(std::uint32_t *x, std::uint32_t *y,
                                        std::size_t pairs) const {
  for (std::size_t key = 0; key < keys_.size(); key += 2)
    for (std::size_t k = 0; k < pairs; ++k) {
      x[k] = turn(x[k], scatter(y[k] ^ keys_[key]), left_);
      y[k] = turn(y[k], scatter(x[k] ^ keys_[key + 1]), right_);
    }
}

GOSSIP_INLINE void stream_indices(std::uint64_t seed, node i, std::uint64_t first,
                                  std::span<std::uint32_t const> samples,
                                  std::span<std::uint32_t> out) {
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

}  // namespace gossip
