// What an engine has made of the matrices that it has met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

#include <gossip/graph/cast_weights.hpp>
#include <gossip/graph/mixing_matrix.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// A mixing matrix with its coefficients cast to the arithmetic type.
template <class T>
op::mixing_rows<T> cast_rows(mixing_matrix const &w) {
  auto const [offsets, columns, values] = w.compressed();
  return {{offsets.begin(), offsets.end()},
          {columns.begin(), columns.end()},
          cast_weights<T>(w),
          w.identity()};
}

/// What an engine has made of matrices, once each; Made has the matrix's identity.
template <class Made>
class matrix_cache {
 public:
  /// make(): what is made of a matrix that is new.
  template <class Make>
  Made const &of(mixing_matrix const &w, Make make) {
    for (Made const &known : known_)
      if (known.identity == w.identity()) return known;
    return known_.emplace_back(make());
  }

  /// Before a window: forgets matrices of rounds that are over. Those of the window stay.
  void begin(plan_window const &window) {
    if (known_.size() <= most) return;
    std::erase_if(known_, [&](Made const &known) {
      return std::ranges::none_of(
          window.matrices, [&](mixing_matrix const *w) { return w->identity() == known.identity; });
    });
  }

 private:
  static constexpr std::size_t most = 64;  // more than a period of one_peer

  std::deque<Made> known_;  // places stay within a window
};

/// Matrices with their coefficients cast.
template <class T>
class mixing_cache : public matrix_cache<op::mixing_rows<T>> {
 public:
  op::mixing_rows<T> const &of(mixing_matrix const &w) {
    return matrix_cache<op::mixing_rows<T>>::of(w, [&] { return cast_rows<T>(w); });
  }
};

}  // namespace gossip
