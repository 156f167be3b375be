// Gradients in 16 bits on a device: parameters rounded for a cohort, its gradients rounded and
// freed of their scale, those that overflowed marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gossip/engine/gradient_work.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

namespace device_op {

/// The parameters in rows (k,d), statistics behind them left alone, rounded.
template <class Format, class T>
struct round_parameters {
  T *rows;
  std::size_t d, parameters;

  constexpr void operator()(std::size_t index) const {
    T &x = rows[index / parameters * d + index % parameters];
    x = rounded<Format>(x);
  }
};

/// The same numbers of gradients (k,d), without their scales (k); marks what is not finite.
template <class Format, class T>
struct round_gradients {
  T *gradients;
  T const *scales;  // null: 1
  std::uint32_t *overflowed;
  std::size_t d, parameters;

  constexpr void operator()(std::size_t index) const {
    std::size_t const j = index / parameters;
    T &g = gradients[j * d + index % parameters];
    g = rounded_gradient<Format>(g, scales ? scales + j : nullptr);
    constexpr T largest = std::numeric_limits<T>::max();
    if (scales && !(g >= -largest && g <= largest)) overflowed[j] = 1;
  }
};

}  // namespace device_op

/// Rows and gradients as they are.
template <class T, class Backend, class Precision>
class device_precision {
 public:
  device_precision(Precision const &, std::size_t) {}
  static std::size_t bytes(std::size_t) { return 0; }

  template <class Worker>
  static Worker &worker(Worker &plain) {
    return plain;
  }
  template <class Scaling>
  static void begin(Backend const &, std::span<operation const>, Scaling const &, T *, std::size_t,
                    std::size_t) {}
  static void finish(Backend const &, std::size_t, T *, std::size_t, std::size_t) {}
  static constexpr T const *scales() { return nullptr; }
  static constexpr std::uint32_t const *overflowed() { return nullptr; }
  static constexpr bool finite(std::size_t) { return true; }
  static void look(Backend const &, std::size_t) {}
};

template <class T, class Backend, class Precision>
requires(Precision::rounds) class device_precision<T, Backend, Precision> {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using format = typename Precision::format;

 public:
  /// k: nodes of a cohort at most.
  device_precision(Precision const &, std::size_t k)
      : host_scales_(k), host_overflowed_(k), scales_(k), overflowed_(k) {}
  static std::size_t bytes(std::size_t k) { return k * (sizeof(T) + sizeof(std::uint32_t)); }

  /// A worker whose layers round what they write.
  template <class Worker>
  static detail::rounding_worker<Worker, format> worker(Worker const &plain) {
    return {plain};
  }

  /// Before the gradients of a cohort at rows (k,d).
  template <class Scaling>
  void begin(Backend const &backend, std::span<operation const> cohort, Scaling const &scaling,
             T *rows, std::size_t d, std::size_t parameters) {
    std::size_t const k = cohort.size();
    backend.launch(k * parameters, device_op::round_parameters<format, T>{rows, d, parameters});
    if constexpr (Precision::scales_loss) {
      for (std::size_t j = 0; j < k; ++j) {
        host_scales_[j] = *scaling.scale(cohort[j].a);
        host_overflowed_[j] = 0;
      }
      backend.upload(scales_.data(), host_scales_.data(), k);
      backend.upload(overflowed_.data(), host_overflowed_.data(), k);
    }
  }

  /// After them, before they are absorbed.
  void finish(Backend const &backend, std::size_t k, T *gradients, std::size_t d,
              std::size_t parameters) {
    backend.launch(k * parameters, device_op::round_gradients<format, T>{
                                       gradients, scales(), overflowed_.data(), d, parameters});
  }

  /// (k) in device memory; null: no scale, and nothing is looked at.
  T const *scales() const { return Precision::scales_loss ? scales_.data() : nullptr; }
  std::uint32_t const *overflowed() const {
    return Precision::scales_loss ? overflowed_.data() : nullptr;
  }

  /// Fetches what finite() tells of each of k gradients.
  void look(Backend const &backend, std::size_t k) {
    if constexpr (Precision::scales_loss)
      backend.download(host_overflowed_.data(), overflowed_.data(), k);
  }
  bool finite(std::size_t j) const { return host_overflowed_[j] == 0; }

 private:
  std::vector<T> host_scales_;
  std::vector<std::uint32_t> host_overflowed_;
  buffer<T> scales_;
  buffer<std::uint32_t> overflowed_;
};

}  // namespace gossip
