// An optimizer's kernel as loops over columns, behind plain function pointers: the engine is
// compiled once for all hyper-parameters and optimizers of an element type.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <gossip/core/repeat.hpp>
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/statistics.hpp>

namespace gossip {

/// The columns of one node that an optimizer works on; of column c the place is c - origin.
template <class T>
struct column_range {
  std::size_t first, last;
  T *parameters;
  std::array<T *, 4> rows;  // optimizer rows in use
  std::size_t origin = 0;
};

/// absorb, step and both at once for one kernel value. `scale` is what the columns of a step share.
/// Columns from `trainable` on are statistics.
template <class T>
class row_arithmetic {
 public:
  /// Of rows without statistics.
  static constexpr std::size_t all = static_cast<std::size_t>(-1);

  struct step_scale {
    alignas(8) std::byte bytes[32];
  };

  template <class Kernel>
  explicit row_arithmetic(Kernel const &kernel, std::size_t trainable = all)
      : rows_(Kernel::rows), trainable_(trainable) {
    using scale_type = typename Kernel::scale_type;
    using running = running_statistics<T, Kernel::rows>;
    static_assert(sizeof(Kernel) <= sizeof kernel_ && std::is_trivially_copyable_v<Kernel>,
                  "gossip::optimizer: a kernel must be trivially copyable and at most 64 bytes.");
    static_assert(sizeof(scale_type) <= sizeof(step_scale),
                  "gossip::optimizer: a kernel's scale_type must be at most 32 bytes.");
    static_assert(Kernel::rows <= 4, "gossip::optimizer: a kernel may use at most 4 rows.");
    std::memcpy(kernel_, &kernel, sizeof kernel);
    scale_ = [](std::byte const *k, double rate, std::uint64_t iteration) {
      step_scale result{};
      auto const value = as<Kernel>(k).scale(rate, iteration);
      std::memcpy(result.bytes, &value, sizeof value);
      return result;
    };
    absorb_ = [](std::byte const *k, T const *gradient, halves const &r) {
      for_columns<Kernel::rows, writes::rows>(
          r[0],
          [kernel = as<Kernel>(k), gradient, first = r[0].first](std::size_t c, T &x, T *row) {
            kernel.absorb(gradient[c - first], std::as_const(x), row);
          });
      for_columns<Kernel::rows, writes::rows>(
          r[1], [gradient, first = r[0].first](std::size_t c, T &x, T *row) {
            running::absorb(gradient[c - first], std::as_const(x), row);
          });
    };
    step_ = [](std::byte const *k, step_scale const &s, halves const &r) {
      for_columns<Kernel::rows, writes::parameters>(
          r[0],
          [kernel = as<Kernel>(k), scale = as<scale_type>(s.bytes)](std::size_t, T &x, T *row) {
            kernel.step(scale, x, static_cast<T const *>(row));
          });
      for_columns<Kernel::rows, writes::parameters>(
          r[1], [](std::size_t, T &x, T *row) { running::step(x, static_cast<T const *>(row)); });
    };
    both_ = [](std::byte const *k, step_scale const &s, T const *gradient, halves const &r) {
      for_columns<Kernel::rows, writes::all>(
          r[0], [kernel = as<Kernel>(k), scale = as<scale_type>(s.bytes), gradient,
                 first = r[0].first](std::size_t c, T &x, T *row) {
            kernel.absorb_and_step(scale, gradient[c - first], x, row);
          });
      for_columns<Kernel::rows, writes::all>(
          r[1], [gradient, first = r[0].first](std::size_t c, T &x, T *row) {
            running::absorb_and_step(gradient[c - first], x, row);
          });
    };
  }

  std::size_t rows() const { return rows_; }
  /// Columns of a row that are parameters; behind them are statistics.
  std::size_t trainable() const { return trainable_; }

  step_scale scale(double rate, std::uint64_t iteration) const {
    return scale_(kernel_, rate, iteration);
  }
  /// gradient (r.last - r.first)
  void absorb(T const *gradient, column_range<T> const &r) const {
    absorb_(kernel_, gradient, cut(r));
  }
  void step(step_scale const &s, column_range<T> const &r) const { step_(kernel_, s, cut(r)); }
  void absorb_and_step(step_scale const &s, T const *gradient, column_range<T> const &r) const {
    both_(kernel_, s, gradient, cut(r));
  }

 private:
  /// Trainable columns, then statistics.
  using halves = std::array<column_range<T>, 2>;

  halves cut(column_range<T> const &r) const {
    halves both{r, r};
    both[0].last = std::min(r.last, trainable_);
    both[1].first = std::max(r.first, trainable_);
    return both;
  }

  template <class V>
  static V as(std::byte const *bytes) {
    V value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  /// The values that a loop over columns stores: those that have not changed would cost bandwidth.
  enum class writes { parameters, rows, all };

  template <std::size_t Rows, writes Written, class F>
  static void for_columns(column_range<T> const &r, F f) {
    T *const parameters = r.parameters;
    std::size_t const origin = r.origin;
    T *rows[Rows + 1];
    repeat<Rows>([&](std::size_t s) { rows[s] = r.rows[s]; });
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::size_t c = r.first; c < r.last; ++c) {
      T column[Rows + 1];
      T x = parameters[c - origin];
      repeat<Rows>([&](std::size_t s) { column[s] = rows[s][c - origin]; });
      f(c, x, column);
      if constexpr (Written != writes::rows) parameters[c - origin] = x;
      if constexpr (Written != writes::parameters)
        repeat<Rows>([&](std::size_t s) { rows[s][c - origin] = column[s]; });
    }
  }

  std::size_t rows_, trainable_;
  alignas(8) std::byte kernel_[64]{};
  step_scale (*scale_)(std::byte const *, double, std::uint64_t);
  void (*absorb_)(std::byte const *, T const *, halves const &);
  void (*step_)(std::byte const *, step_scale const &, halves const &);
  void (*both_)(std::byte const *, step_scale const &, T const *, halves const &);
};

/// The arithmetic of an optimizer with its hyper-parameters, on rows of `trainable` parameters and
/// statistics behind them. Not constrained: compilers have different symbols for functions that
/// are, and gossip::compiled has this one.
template <class T, class O>
row_arithmetic<T> arithmetic(O const &o, bool waits,
                             std::size_t trainable = row_arithmetic<T>::all) {
  static_assert(optimizer<O>);
  return with_kernel<T>(o, waits,
                        [trainable](auto kernel) { return row_arithmetic<T>(kernel, trainable); });
}

}  // namespace gossip
