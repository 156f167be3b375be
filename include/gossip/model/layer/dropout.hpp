// Dropout: Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov, JMLR 2014, in the form that
// scales what is kept while training and does nothing afterwards.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/random.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

namespace op {

/// The dropout mask of a batch: a bit of (seed, node, step, layer, sample, feature). Threshold: a
/// value is kept where 32 random bits are at least so many.
struct dropout_mask {
  std::uint64_t seed;
  node owner;
  std::uint64_t step;
  std::uint32_t layer, threshold;

  /// One block of random numbers serves four neighbouring features of a sample.
  constexpr philox_counter counter(std::size_t four, std::size_t sample) const {
    return {static_cast<std::uint32_t>(four), static_cast<std::uint32_t>(sample),
            static_cast<std::uint32_t>(step), owner};
  }
  constexpr philox_key key() const {
    auto const what = static_cast<std::uint32_t>(purpose::dropout) << 24;
    return {static_cast<std::uint32_t>(seed) ^ (what | layer),
            static_cast<std::uint32_t>(seed >> 32) ^ static_cast<std::uint32_t>(step >> 32)};
  }
};

/// to = from * scale where kept, else 0; rows count features by fours. A mask belongs to a node.
/// Lanes beyond `samples`, which no sum reads, get zeros: random numbers are most of the time.
template <class T>
struct drop {
  strided<T const> from;
  strided<T> to;
  batch_key key;
  std::uint32_t layer, threshold;
  std::size_t features, lanes, samples, first_sample;
  T scale;

  struct four_features {
    T const *from;
    T *to;
    dropout_mask mask;
    std::size_t first, last, lanes, samples, first_sample;
    T scale;

    constexpr void operator()(std::size_t lane) const {
      if (lane >= samples) {
        for (std::size_t f = first; f < last; ++f) to[f * lanes + lane] = T{0};
        return;
      }
      philox_counter const bits = philox(mask.counter(first / 4, first_sample + lane), mask.key());
      for (std::size_t f = first; f < last; ++f) {
        std::size_t const at = f * lanes + lane;
        to[at] = bits[f % 4] >= mask.threshold ? from[at] * scale : T{0};
      }
    }

    /// The same of a group of lanes, whose blocks are made side by side.
    constexpr void group(std::size_t lane) const {
      std::size_t const left = lane < samples ? samples - lane : 0;
      std::uint64_t bits[4][lane_group];
      for (std::size_t l = 0; l < lane_group && left > 0; ++l) {
        philox_counter const one = mask.counter(first / 4, first_sample + lane + l);
        for (std::size_t w = 0; w < 4; ++w) bits[w][l] = one[w];
      }
      if (left > 0) philox_side_by_side(bits, mask.key());
      for (std::size_t f = first; f < last; ++f)
        for (std::size_t l = 0; l < lane_group; ++l) {
          std::size_t const at = f * lanes + lane + l;
          to[at] = l < left && bits[f % 4][l] >= mask.threshold ? from[at] * scale : T{0};
        }
    }
  };
  constexpr four_features row(std::size_t j, std::size_t four) const {
    std::size_t const first = 4 * four, last = first + 4 < features ? first + 4 : features;
    return {from.at(j), to.at(j),     {key.seed, key.nodes[j], key.steps[j], layer, threshold},
            first,      last,         lanes,
            samples,    first_sample, scale};
  }
  constexpr void operator()(std::size_t j, std::size_t four, std::size_t lane) const {
    row(j, four)(lane);
  }
};

}  // namespace op

/// Values are zero with probability Percent / 100, the others are scaled so that the mean stays;
/// keyed, so that a batch meets the same mask on every backend, in every order.
template <unsigned Percent>
struct dropout {
  static_assert(Percent < 100, "gossip::dropout: less than 100 percent can be dropped.");

  template <tensor_shape In>
  struct on : without_parameters {
    static constexpr tensor_shape out = In;

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      apply(worker, p, p.in, p.out);
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      if (p.in_gradient.data) apply(worker, p, p.out_gradient, p.in_gradient);
    }

   private:
    template <class Worker, class T>
    static void apply(Worker &worker, layer_pass<T> const &p, strided<T const> from,
                      strided<T> to) {
      if (!p.training)
        return worker.for_each(p.k, In.size(), p.lanes, op::copy_row<T>{from, to, p.lanes});
      constexpr double share = Percent / 100.0;
      worker.for_each(
          p.k, (In.size() + 3) / 4, p.lanes,
          op::drop<T>{from, to, p.key, static_cast<std::uint32_t>(p.layer),
                      static_cast<std::uint32_t>(share * 4294967296.0), In.size(), p.lanes,
                      p.samples, p.first, static_cast<T>(1.0 / (1.0 - share))});
    }
  };
};

}  // namespace gossip
