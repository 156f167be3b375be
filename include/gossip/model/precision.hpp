// The precision in which gradients are computed: that of the rows, or 16 bits with rows that keep
// more. P. Micikevicius et al., "Mixed precision training", ICLR 2018.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// The scaling of a loss whose gradients have numbers too small for their format.
struct scaled_loss {
  double initial = 1;                 ///< factor at first, a power of two
  std::uint64_t growth_interval = 1;  ///< steps without overflow after which it doubles
};

/// Gradients are computed as rows are kept.
struct full_precision {
  static constexpr bool rounds = false;
  static constexpr bool scales_loss = false;

  static constexpr void check() {}
  static constexpr std::optional<scaled_loss> scaling() { return {}; }

  static constexpr char const *name = "fp32";
  static constexpr char const *meaning = "precision of the parameters";
  static constexpr member_list<> members() { return {}; }
};

/// Gradients are computed in 16 bits: parameters are rounded to the format for each of them, so are
/// samples, the outputs of all layers and their gradients. Sums, statistics of a batch, softmax and
/// loss are computed in the rows' precision, and rows stay in it (master weights). Format: fp16 or
/// bf16.
template <class Format>
struct mixed_precision {
  using format = Format;
  static constexpr bool rounds = true;
  /// A gradient of a loss times a scale has fewer numbers too small for the format; bf16 needs
  /// none, as its exponents are those of float.
  static constexpr bool scales_loss = Format::lowest > -126;

  /// The loss is multiplied by this at first, a power of two. A gradient that overflows is thrown
  /// away with its step and halves the node's scale ...
  double loss_scale = scales_loss ? 65536 : 1;
  /// ... and so many good ones in a row double it.
  std::uint64_t growth_interval = 2000;

  /// Throws input_error.
  void check() const {
    auto const bits = std::bit_cast<std::uint64_t>(loss_scale);
    bool const power_of_two = loss_scale > 0 && (bits & ((std::uint64_t{1} << 52) - 1)) == 0;
    if (!power_of_two || loss_scale < 0x1p-14 || loss_scale > 0x1p24)
      throw input_error("mixed_precision: loss_scale", "a power of two from 2^-14 to 2^24",
                        detail::shortest(loss_scale));
    if (growth_interval == 0)
      throw input_error("mixed_precision: growth_interval must be at least 1, got 0");
  }

  /// The scaling of the loss that gradients in this format need.
  std::optional<scaled_loss> scaling() const {
    if (!scales_loss) return {};
    return scaled_loss{loss_scale, growth_interval};
  }

  static constexpr char const *name = Format::name;
  static constexpr char const *meaning = scales_loss ? "16 bits, with a scaled loss" : "16 bits";
  static constexpr auto members() {
    if constexpr (scales_loss)
      return member_list{
          described("loss_scale", &mixed_precision::loss_scale,
                    "initial factor on the loss, a power of two",
                    {.least = 0x1p-14, .most = 0x1p24}),
          described("growth_interval", &mixed_precision::growth_interval,
                    "number of steps without overflow after which a node doubles its factor",
                    {.least = 1})};
    else
      return member_list{};
  }
};

/// One number of a gradient in the format, without the scale; of one that overflowed infinity.
template <class Format, class T>
constexpr T rounded_gradient(T value, T const *scale) {
  T const near = rounded<Format>(value);
  return scale ? near / *scale : near;
}

/// The same for `count` numbers; returns whether all of them are finite.
template <class Format, class T>
bool round_gradient(T *gradient, std::size_t count, T const *scale) {
  std::size_t overflows = 0;
  for (std::size_t c = 0; c < count; ++c) {
    gradient[c] = rounded_gradient<Format>(gradient[c], scale);
    overflows += !(std::abs(gradient[c]) <= std::numeric_limits<T>::max());
  }
  return overflows == 0;
}

namespace detail {

/// A backend's worker whose layers round what they write.
template <class Worker, class Format>
struct rounding_worker : Worker {
  using format = Format;
};

template <class Worker>
concept rounds_values = requires { typename Worker::format; };

/// Rounds `count` numbers of each of k nodes, if the worker's layers do; by a worker that can with
/// its processor's conversions.
template <class Worker, class T>
void round_values(Worker &worker, std::size_t k, strided<T> values, std::size_t count) {
  if constexpr (rounds_values<Worker>) {
    using format = typename Worker::format;
    if constexpr (requires { worker.template round<format>(k, values, count); })
      worker.template round<format>(k, values, count);
    else
      worker.for_each(k, 1, count, op::round_to<format, T>{values});
  }
}

}  // namespace detail

}  // namespace gossip
