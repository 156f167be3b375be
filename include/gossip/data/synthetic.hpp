// A learnable set of any shape, made from a seed: class prototypes plus noise.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/data/dataset.hpp>

namespace gossip {

/// Sample i is of class i mod classes: the class's prototype, standard normal in every feature,
/// plus normal noise. A training and a test set of one problem are two parts of one set (take).
struct synthetic {
  std::size_t samples = 1000;
  sample_shape shape{.channels = 1, .height = 8, .width = 8};
  std::size_t classes = 10;
  double noise = 1.0;  // standard deviation
  std::uint64_t seed = 1;

  /// The set, features as floats: the same for the same members; sample i does not depend on how
  /// many there are.
  dataset build() const;

 private:
  void check() const;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/synthetic.ipp>
#endif
