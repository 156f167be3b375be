// An engine's cache of the mixing matrices that it has met, in its own form.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include <gossip/mixing/cast_weights.hpp>
#include <gossip/mixing/matrix.hpp>
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

/// A cache of matrices in an engine's form, each made once; Made has the matrix's identity.
template <class Made>
class matrix_cache {
 public:
  /// make(): that form of a matrix that is new.
  template <class Make>
  Made const &of(mixing_matrix const &w, Make make) {
    for (Made const &known : known_)
      if (known.identity == w.identity()) return known;
    return known_.emplace_back(make());
  }

  /// Before a window: forgets the matrices that the last one had for itself.
  void begin(plan_window const &window) {
    std::erase_if(known_, [&](Made const &known) {
      return std::ranges::find(passing_, known.identity) != passing_.end();
    });
    passing_.clear();
    for (mixing_matrix const &w : window.own_matrices) passing_.push_back(w.identity());
  }

 private:
  std::deque<Made> known_;              // places stay within a window
  std::vector<std::uint64_t> passing_;  // of the window's own
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
