// Sums of rows over a set of owners on a device, as engine/host/network_sum.hpp has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/sum_terms.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

namespace device_op {

/// The mark of a column's sum that a number did not fit.
inline constexpr std::int64_t unfit = std::numeric_limits<std::int64_t>::min();

/// Sums of column first + c over terms (count), each with a row of its own.
template <class T, class Row>
struct add_terms {
  rows<Row> all;
  node_term const *terms;
  std::size_t count, first;
  std::uint8_t slot;
  std::int64_t *coarse, *fine;

  constexpr void operator()(std::size_t c) const {
    coarse[c] = fine[c] = 0;
    reproducible_sum const sums(coarse, fine);
    bool fits = true;
    for (std::size_t k = 0; k < count; ++k) {
      T const number = static_cast<T>(all.at(slot, terms[k].owner)[first + c]);
      fits &= sums.add_value(terms[k].weight * static_cast<double>(number), c);
    }
    if (!fits) coarse[c] = unfit;
  }
};

/// Column first + c of the rows of all targets = its sum; no number where one did not fit.
template <class T, class Row>
struct put_sum {
  rows<Row> all;
  node const *targets;      // (count)
  row_write const *writes;  // (count), or null where rows are not rounded
  std::size_t count, first;
  std::uint8_t slot;
  std::int64_t *coarse, *fine;

  constexpr void operator()(std::size_t c) const {
    T const value = coarse[c] == unfit
                        ? std::numeric_limits<T>::quiet_NaN()
                        : static_cast<T>(reproducible_sum(coarse, fine).take_value(c));
    for (std::size_t k = 0; k < count; ++k)
      put(all, slot, targets[k], first + c, writes ? writes[k] : row_write{}, value);
  }
};

}  // namespace device_op

template <class T, class Row, class Backend>
class device_network_sum {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  static constexpr bool rounds = row_writes<Row, T>::rounds;

 public:
  /// A sum among the operations that a device_work has taken, over the owners that are here:
  /// owns(i). middle(*this) comes between adding and writing.
  template <class Work, class Owns, class Middle>
  void run(Work const &work, operation const &o, plan_window const &window, Owns owns,
           Middle middle) {
    window_ = &window;
    add(work.backend(), work.rows(), o, window, work.size().nodes, work.end_of(o), owns);
    middle(*this);
    put(work.backend(), work.rows(), o, work.size(), work.mixed_by(o), owns);
  }

  /// Brings the sums to the host, has them changed, and takes them back. Throws where a number did
  /// not fit.
  template <class Together>
  void exchange(Backend const &backend, Together together) {
    host_sums_.resize(2 * columns_);
    backend.download(host_sums_.data(), sums_.data(), host_sums_.size());
    if (std::ranges::find(host_sums_, device_op::unfit) != host_sums_.end())
      throw diverged(refused_sum("a row has a number that is too large", *window_));
    together(std::span<std::int64_t>(host_sums_));
    backend.upload(sums_.data(), host_sums_.data(), host_sums_.size());
  }

 private:
  template <class Owns>
  void add(Backend const &backend, device_op::rows<Row> const &rows, operation const &o,
           plan_window const &window, std::size_t nodes, std::size_t end, Owns owns) {
    terms_.clear();
    each_term(o, window, nodes, [&](node i, double weight) {
      if (owns(i)) terms_.push_back({i, weight});
    });
    upload(backend, device_terms_, std::span<node_term const>(terms_));
    columns_ = end - o.first_column();
    if (sums_.size() < 2 * columns_) {
      backend.wait();
      sums_ = buffer<std::int64_t>(2 * columns_);
    }
    backend.launch(columns_, device_op::add_terms<T, Row>{rows, device_terms_.data(), terms_.size(),
                                                          o.first_column(), o.rows.slot_of(true),
                                                          coarse(), fine()});
  }

  template <class Owns>
  void put(Backend const &backend, device_op::rows<Row> const &rows, operation const &o,
           fleet_size const &size, std::span<row_write const> writes, Owns owns) {
    targets_.clear();
    each_writer(o, size, [&](node i) {
      if (owns(i)) targets_.push_back(i);
    });
    std::span<node const> const targets(targets_);
    upload(backend, device_targets_, targets);
    if constexpr (rounds) upload(backend, device_writes_, writes);
    backend.launch(columns_, device_op::put_sum<T, Row>{rows, device_targets_.data(),
                                                        rounds ? device_writes_.data() : nullptr,
                                                        targets.size(), o.first_column(), o.slot(),
                                                        coarse(), fine()});
  }

  std::int64_t *coarse() const { return sums_.data(); }
  std::int64_t *fine() const { return sums_.data() + columns_; }

  template <class V>
  static void upload(Backend const &backend, buffer<V> &to, std::span<V const> from) {
    if (to.size() < from.size()) {
      backend.wait();  // kernels at work may use the old one
      to = buffer<V>(2 * from.size());
    }
    backend.upload(to.data(), from.data(), from.size());
  }

  plan_window const *window_ = nullptr;  // of the sum at work
  std::size_t columns_ = 0;
  std::vector<node_term> terms_;
  std::vector<node> targets_;
  std::vector<std::int64_t> host_sums_;
  buffer<std::int64_t> sums_;  // (2, columns)
  buffer<node_term> device_terms_;
  buffer<node> device_targets_;
  buffer<row_write> device_writes_;
};

}  // namespace gossip
