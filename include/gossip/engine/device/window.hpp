// A window's operations in device memory, uploaded once for all its levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/capacity.hpp>
#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Scales of operations, for the ones that step.
template <class T, class Row, class Backend>
class device_scales {
 public:
  /// number(o): of the step, from 1.
  template <class Number>
  void take(device_functions<T, Row, Backend> const &functions,
            std::span<operation const> operations, Number number) {
    each_ = functions.scale_bytes();
    host_.resize(operations.size() * each_);
    for (std::size_t k = 0; k < operations.size(); ++k)
      functions.write_scale(operations[k].rate(), number(operations[k]), host_.data() + k * each_);
  }
  void upload(Backend const &backend) {
    if (device_.size() < host_.size()) {
      backend.wait();  // kernels at work may read the old ones
      device_ = typename Backend::template buffer<std::byte>(2 * host_.size());
    }
    backend.upload(device_.data(), host_.data(), host_.size());
  }
  /// In device memory, from the k-th on.
  std::byte const *from(std::size_t k) const { return device_.data() + k * each_; }

 private:
  std::size_t each_ = 0;  // bytes of one
  std::vector<std::byte> host_;
  typename Backend::template buffer<std::byte> device_;
};

/// Rows of another type than T are rounded, and it is known beforehand who writes how often.
template <class T, class Row, class Backend>
class device_window {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  static constexpr bool rounds = row_writes<Row, T>::rounds;

 public:
  device_window(std::uint64_t seed, fleet_size const &size) : size_(size), writes_(seed, size) {}

  row_writes<Row, T> &writes() { return writes_; }
  /// The window's coefficients, as numbers of the arithmetic.
  T const *coefficients() const { return coefficients_.data(); }

  /// All operations of a window, or some, and the window's coefficients; they stay where they are
  /// until the next are taken.
  void take(Backend const &backend, std::span<operation const> sorted,
            std::span<double const> coefficients,
            device_functions<T, Row, Backend> const &functions) {
    sorted_ = sorted;
    take_coefficients(backend, coefficients);
    if (operations_.size() < sorted_.size()) operations_ = buffer<operation>(2 * sorted_.size());
    scales_.take(functions, sorted_, [](operation const &o) { return o.step_number(); });
    backend.upload(operations_.data(), sorted_.data(), sorted_.size());
    scales_.upload(backend);
    if constexpr (rounds) count_writes(backend);
  }

  /// The writes of a mixture or a sum of those taken last; none where nothing is rounded.
  std::span<row_write const> mixed_by(operation const &o) const {
    if constexpr (!rounds) return {};
    auto const k = static_cast<std::size_t>(&o - sorted_.data());
    bool const one = o.kind() == operation_kind::sum && !o.sum().to_all_nodes;
    return std::span(mixed_by_).subspan(first_mixed_[k], one ? 1 : size_.nodes);
  }

  /// Of some of the operations taken last.
  device_op::level_part operator()(std::span<operation const> level) const {
    auto const first = static_cast<std::size_t>(level.data() - sorted_.data());
    return {operations_.data() + first, scales_.from(first),
            rounds ? device_writes_.data() + first : nullptr, level.size()};
  }

 private:
  void take_coefficients(Backend const &backend, std::span<double const> numbers) {
    if (numbers.empty()) return;
    if (coefficients_.size() < numbers.size()) {
      backend.wait();  // kernels at work may read the old ones
      coefficients_ = buffer<T>(2 * numbers.size());
    }
    host_coefficients_.clear();
    for (double const c : numbers) host_coefficients_.push_back(static_cast<T>(c));
    backend.upload(coefficients_.data(), host_coefficients_.data(), host_coefficients_.size());
  }

  void count_writes(Backend const &backend) {
    host_writes_.clear();
    mixed_by_.clear();
    first_mixed_.assign(sorted_.size(), 0);
    for (std::size_t k = 0; k < sorted_.size(); ++k) {
      operation const &o = sorted_[k];
      device_op::operation_writes by;
      bool const mixes = o.kind() == operation_kind::mix || o.kind() == operation_kind::sum;
      bool const only_adds = o.kind() == operation_kind::train && size_.shared;
      first_mixed_[k] = mixed_by_.size();
      if (!only_adds)
        each_writer(o, size_, [&](node i) {
          row_write const write = writes_.next(i);
          if (mixes)
            mixed_by_.push_back(write);
          else
            (i == o.a ? by.a : by.b) = write;
        });
      host_writes_.push_back(by);
    }
    if (device_writes_.size() < sorted_.size())
      device_writes_ = buffer<device_op::operation_writes>(2 * sorted_.size());
    backend.upload(device_writes_.data(), host_writes_.data(), sorted_.size());
  }

  fleet_size size_;
  row_writes<Row, T> writes_;
  std::vector<device_op::operation_writes> host_writes_;
  std::vector<row_write> mixed_by_;       // (n) for each mixture, (n) or (1) for each sum
  std::vector<std::size_t> first_mixed_;  // of each operation
  buffer<device_op::operation_writes> device_writes_;
  std::span<operation const> sorted_;
  buffer<operation> operations_;
  device_scales<T, Row, Backend> scales_;
  std::vector<T> host_coefficients_;
  buffer<T> coefficients_;
};

}  // namespace gossip
