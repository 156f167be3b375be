// Gradients in 16 bits on a device: parameters rounded for a cohort, its gradients rounded and
// freed of their scale, those that overflowed marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/multiplication.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/window.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

namespace device_op {

/// The parameters in rows (k,d), statistics behind them left alone, rounded.
template <class Format, class T>
struct round_parameters {
  T *rows;
  std::size_t d, parameters;

  constexpr void operator()(std::size_t index) const {
    auto const [j, c] = op::split_index(index, parameters);
    T &x = rows[j * d + c];
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
    auto const [j, c] = op::split_index(index, parameters);
    T &g = gradients[j * d + c];
    g = rounded_gradient<Format>(g, scales ? scales + j : nullptr);
    constexpr T largest = std::numeric_limits<T>::max();
    if (scales && !(g >= -largest && g <= largest)) overflowed[j] = 1;
  }
};

}  // namespace device_op

/// The rounding of a cohort's gradients: none.
template <class T, class Backend, class Precision>
class device_rounding {
 public:
  /// k: nodes of a cohort at most.
  explicit device_rounding(std::size_t /*k*/) {}

  template <class Worker>
  static Worker &worker(Worker &plain) {
    return plain;
  }
  static void round_parameters(Backend const &, std::size_t, T *, std::size_t, std::size_t) {}
  static void round_gradients(Backend const &, std::size_t, T *, std::size_t, std::size_t) {}
  static constexpr T const *loss_scales() { return nullptr; }
  static constexpr std::uint32_t const *left_out() { return nullptr; }

  template <class ScaleOf>
  static constexpr void take_scales(Backend const &, std::size_t, ScaleOf) {}
  static constexpr bool overflowed(std::size_t) { return false; }
  static constexpr void look(Backend const &, std::size_t) {}
};

/// To 16 bits; in fp16 with losses times a scale a node, and marks of gradients that overflowed.
template <class T, class Backend, class Precision>
  requires(Precision::rounds)
class device_rounding<T, Backend, Precision> {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using format = typename Precision::format;

 public:
  static constexpr bool scales = Precision::scales_loss;

  explicit device_rounding(std::size_t k)
      : host_scales_(scales ? k : 0),
        host_overflowed_(host_scales_.size()),
        scales_(host_scales_.size()),
        overflowed_(host_scales_.size()) {}

  /// A worker whose layers round what they write, and whose products are those of tensor cores
  /// where it has them: their factors are numbers of the format already.
  template <class Worker>
  static detail::rounding_worker<Worker, format> worker(Worker const &plain) {
    detail::rounding_worker<Worker, format> rounding{plain};
    constexpr bool is_fp16 = std::is_same_v<format, fp16>;
    if constexpr (requires { rounding.multiply(multiplication::bf16); })
      rounding.multiply(is_fp16 ? multiplication::fp16 : multiplication::bf16);
    return rounding;
  }

  /// Of rows (k,d), of which so many columns are parameters.
  static void round_parameters(Backend const &backend, std::size_t k, T *rows, std::size_t d,
                               std::size_t parameters) {
    backend.launch(k * parameters, device_op::round_parameters<format, T>{rows, d, parameters});
  }
  void round_gradients(Backend const &backend, std::size_t k, T *gradients, std::size_t d,
                       std::size_t parameters) {
    backend.launch(k * parameters,
                   device_op::round_gradients<format, T>{gradients, loss_scales(),
                                                         overflowed_.data(), d, parameters});
  }

  /// (k) in device memory; null: no scale, and nothing is left out.
  T const *loss_scales() const { return scales ? scales_.data() : nullptr; }
  std::uint32_t const *left_out() const { return scales ? overflowed_.data() : nullptr; }

  /// The scales of the losses of a cohort of k; scale_of(j): of its node j.
  template <class ScaleOf>
  void take_scales(Backend const &backend, std::size_t k, ScaleOf scale_of) {
    if constexpr (scales) {
      for (std::size_t j = 0; j < k; ++j) {
        host_scales_[j] = scale_of(j);
        host_overflowed_[j] = 0;
      }
      backend.upload(scales_.data(), host_scales_.data(), k);
      backend.upload(overflowed_.data(), host_overflowed_.data(), k);
    }
  }

  /// Reads which of the gradients of a cohort of k overflowed. Waits for them.
  void look(Backend const &backend, std::size_t k) {
    if constexpr (scales) backend.download(host_overflowed_.data(), overflowed_.data(), k);
  }
  /// True where gradient j of the cohort that was looked at last has overflowed.
  bool overflowed(std::size_t j) const { return scales && host_overflowed_[j] != 0; }

 private:
  std::vector<T> host_scales_;
  std::vector<std::uint32_t> host_overflowed_;
  buffer<T> scales_;
  buffer<std::uint32_t> overflowed_;
};

/// Gradients as they are: what a window uploaded is what is executed.
template <class T, class Row, class Backend, class Kernel, class Precision>
class device_precision : public device_rounding<T, Backend, Precision> {
  using window_type = device_window<T, Row, Backend, Kernel>;

 public:
  device_precision(Precision const &, fleet_size const &, std::size_t k)
      : device_rounding<T, Backend, Precision>(k) {}

  static constexpr void merge_over_ranks(auto const &) {}
  static constexpr void forget_gradients() {}
  static void name_state(state_visitor const &, std::span<node const>) {}
  static constexpr std::optional<skipped_steps> skipped(auto const &...) { return {}; }

  static auto trained_at(Backend const &, window_type const &window,
                         std::span<operation const> cohort, Kernel const &) {
    return window(cohort);
  }
  static auto taken(Backend const &, window_type const &window,
                    std::span<operation const> operations, Kernel const &, reproducible_sum,
                    std::size_t) {
    return window(operations);
  }
};

/// In 16 bits; in fp16 the host looks at every cohort, and what is executed depends on it.
template <class T, class Row, class Backend, class Kernel, class Precision>
  requires(Precision::rounds)
class device_precision<T, Row, Backend, Kernel, Precision>
    : public device_rounding<T, Backend, Precision> {
  static_assert(std::is_same_v<Row, T> || !Precision::scales_loss,
                "gossip::simulator: on a device gradients in fp16 need rows in float; bf16 does "
                "not. See docs/policies/backend.md");
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using window_type = device_window<T, Row, Backend, Kernel>;
  static constexpr bool scales = Precision::scales_loss;

 public:
  device_precision(Precision const &p, fleet_size const &size, std::size_t k)
      : device_rounding<T, Backend, Precision>(k), scaling_(p.scaling(), size) {}

  /// A cohort with its scales, those of its losses being there from now on.
  auto trained_at(Backend const &backend, window_type const &window,
                  std::span<operation const> cohort, Kernel const &kernel) {
    if constexpr (scales) {
      this->take_scales(backend, cohort.size(),
                        [&](std::size_t j) { return *scaling_.scale(cohort[j].a); });
      changed_.assign(cohort.begin(), cohort.end());
      return upload_changed(backend, kernel);
    } else {
      return window(cohort);
    }
  }

  /// After the gradients of a cohort: which of them overflowed. Waits for them.
  void look_at(Backend const &backend, std::span<operation const> cohort) {
    this->look(backend, cohort.size());
    for (std::size_t j = 0; j < cohort.size(); ++j)
      scaling_.trained(cohort[j], !this->overflowed(j));
  }

  /// Row operations without the steps that are left out; the sums (d) of a round that is are
  /// forgotten.
  auto taken(Backend const &backend, window_type const &window,
             std::span<operation const> operations, Kernel const &kernel, reproducible_sum sums,
             std::size_t d) {
    if constexpr (scales) {
      changed_.clear();
      for (operation const &o : operations) {
        if (!o.steps() || scaling_.steps(o))
          changed_.push_back(o);
        else if (o.kind() == operation_kind::reduce)
          backend.launch(d, device_op::clear_sums{sums});
      }
      return upload_changed(backend, kernel);
    } else {
      return window(operations);
    }
  }

  /// As loss_scaling has them.
  void merge_over_ranks(auto const &ranks) { scaling_.merge_over_ranks(ranks); }
  void forget_gradients() { scaling_.forget_gradients(); }
  void name_state(state_visitor const &visit, std::span<node const> held) {
    scaling_.name_state(visit, held);
  }
  std::optional<skipped_steps> skipped(auto const &...ranks) const {
    return scaling_.report(ranks...);
  }

 private:
  /// The operations with their scales, as many steps before as each node has really taken.
  typename window_type::part upload_changed(Backend const &backend, Kernel const &kernel) {
    changed_scales_.clear();
    for (operation const &o : changed_)
      changed_scales_.push_back(kernel.scale(o.rate(), o.steps() ? scaling_.number(o) : 0));
    std::size_t const count = changed_.size();
    if (device_.size() < count) {
      backend.wait();  // kernels at work may read the old ones
      device_ = buffer<operation>(2 * count);
      device_scales_ = buffer<typename Kernel::scale_type>(2 * count);
    }
    backend.upload(device_.data(), changed_.data(), count);
    backend.upload(device_scales_.data(), changed_scales_.data(), count);
    return {device_.data(), device_scales_.data(), nullptr, count};
  }

  loss_scaling<T> scaling_;
  std::vector<operation> changed_;
  std::vector<typename Kernel::scale_type> changed_scales_;
  buffer<operation> device_;
  buffer<typename Kernel::scale_type> device_scales_;
};

}  // namespace gossip
