// A labelled set of samples, features as bytes or as floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/data/byte_scale.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/feature_rows.hpp>
#include <gossip/data/sample_shape.hpp>

namespace gossip {

/// Samples stored as bytes, each cut in planes that are scaled alike: its channels, or all of it.
struct byte_features {
  using stored_type = std::uint8_t;

  feature_rows<std::uint8_t> const &stored;  // (samples, shape.size())
  std::span<byte_scale const> scales;        // (planes)

  std::size_t planes() const { return scales.size(); }
  byte_scale scale(std::size_t plane) const { return scales[plane]; }
};

/// Samples stored as floats; the counterpart of byte_features, so that one loop serves both.
struct float_features {
  using stored_type = float;

  feature_rows<float> const &stored;  // (samples, shape.size())

  constexpr std::size_t planes() const { return 1; }
  constexpr unscaled scale(std::size_t) const { return {}; }
};

/// Samples and their labels; checked once, when it is made. Features are bytes or floats in memory
/// that copies and parts of the set share. One scale holds for all channels or for one each.
class dataset {
 public:
  static constexpr std::size_t max_classes = 65535;

  /// Features as bytes, (samples, shape.size()); throws input_error if sizes or labels do not fit.
  dataset(std::string name, sample_shape shape, std::size_t classes,
          std::vector<std::uint8_t> features, std::vector<std::uint16_t> labels,
          std::vector<byte_scale> scales = {byte_scale{}})
      : dataset{name,
                shape,
                classes,
                packed(name, shape, labels.size(), std::move(features)),
                std::move(labels),
                std::move(scales)} {}

  /// The same of rows that may have a stride and lie in shared memory.
  dataset(std::string name, sample_shape shape, std::size_t classes,
          feature_rows<std::uint8_t> features, std::vector<std::uint16_t> labels,
          std::vector<byte_scale> scales = {byte_scale{}})
      : name_(std::move(name)),
        shape_(shape),
        classes_(classes),
        scales_(std::move(scales)),
        bytes_(std::move(features)),
        labels_(std::move(labels)) {
    check();
  }

  /// Features as floats, (samples, shape.size()); they must be finite.
  dataset(std::string name, sample_shape shape, std::size_t classes, std::vector<float> features,
          std::vector<std::uint16_t> labels)
      : name_(std::move(name)),
        shape_(shape),
        classes_(classes),
        values_(packed(name_, shape, labels.size(), std::move(features))),
        labels_(std::move(labels)) {
    check();
    check_finite();
  }

  std::string const &name() const { return name_; }
  sample_shape shape() const { return shape_; }
  std::size_t classes() const { return classes_; }
  std::size_t size() const { return labels_.size(); }
  std::span<std::uint16_t const> labels() const { return labels_; }

  bool stored_as_bytes() const { return values_.size() == 0; }

  /// The stored bytes, (samples, shape.size()); no rows if the features are stored as floats.
  feature_rows<std::uint8_t> const &bytes() const { return bytes_; }

  /// The stored floats, (samples, shape.size()); no rows if the features are stored as bytes.
  feature_rows<float> const &values() const { return values_; }

  /// Of the stored bytes: one for all channels, or one each.
  std::span<byte_scale const> scales() const { return scales_; }

  /// Calls visitor with byte_features or float_features, whichever this set holds:
  /// data.with_view([&](auto view) { out = view.scale(plane)(view.stored[i][feature]); }).
  template <class Visitor>
  decltype(auto) with_view(Visitor &&visitor) const {
    if (stored_as_bytes()) return std::forward<Visitor>(visitor)(byte_features{bytes_, scales_});
    return std::forward<Visitor>(visitor)(float_features{values_});
  }

  /// Writes the features of sample i to out, which holds shape().size() numbers.
  void copy_sample(std::size_t i, std::span<float> out) const;

  /// The samples named, in the order given, as a copy; indices may repeat.
  dataset subset(std::span<std::uint32_t const> indices) const;

  /// Samples begin to begin + count, as a set that shares this one's memory.
  dataset take(std::size_t begin, std::size_t count) const;

  /// The first count samples, as a set of their own.
  dataset first(std::size_t count) const { return take(0, count); }

  /// The same samples under another name, which reports and messages show.
  dataset named(std::string name) && {
    name_ = std::move(name);
    return std::move(*this);
  }

  /// The same samples, whose batches in training are augmented; evaluation sees them as they are.
  /// Throws input_error if the samples are too small for it.
  dataset augmented(crop_and_flip how) const {
    how.check(shape_);
    dataset set = *this;
    set.augmentation_ = how;
    return set;
  }
  std::optional<crop_and_flip> const &augmentation() const { return augmentation_; }

  /// The same features as samples of another shape of the same size.
  dataset reshaped(sample_shape shape) &&;

  /// The same samples with other labels.
  dataset relabelled(std::vector<std::uint16_t> labels) && {
    labels_ = std::move(labels);
    check();
    return std::move(*this);
  }

  /// The same samples with the number of the user that each is from, (samples).
  dataset by_users(std::vector<std::uint32_t> users) &&;
  /// The users of samples, (samples); empty where the set does not say.
  std::span<std::uint32_t const> users() const { return users_; }

  /// The same bytes under another scale, for all channels or one each; not for floats.
  dataset scaled(std::vector<byte_scale> scales) const {
    if (!stored_as_bytes()) throw input_error(name_ + ": scaled", "features as bytes", "floats");
    dataset set = *this;
    set.scales_ = std::move(scales);
    set.check_scales();
    return set;
  }

 private:
  template <class V>
  static feature_rows<V> packed(std::string const &name, sample_shape shape, std::size_t samples,
                                std::vector<V> values) {
    check_shape(name, shape);
    if (values.size() % shape.size() != 0 || values.size() / shape.size() != samples)
      throw input_error(name,
                        std::to_string(shape.size()) + " features for each of " +
                            std::to_string(samples) + " samples",
                        std::to_string(values.size()) + " features");
    return {std::move(values), shape.size()};
  }

  template <class V>
  static feature_rows<V> gathered(feature_rows<V> const &from,
                                  std::span<std::uint32_t const> indices) {
    if (from.size() == 0) return {};
    std::vector<V> values;
    values.reserve(indices.size() * from.columns());
    for (std::uint32_t const i : indices) {
      auto const sample = from[i];
      values.insert(values.end(), sample.begin(), sample.end());
    }
    return {std::move(values), from.columns()};
  }

  void check_index(std::size_t i) const {
    if (i >= size())
      throw input_error(name_, "a sample below " + std::to_string(size()), std::to_string(i));
  }

  void check() const;

  void check_rows(std::size_t rows, std::size_t columns) const;

  void check_scales() const;

  void check_finite() const;

  std::string name_;
  sample_shape shape_;
  std::size_t classes_;
  std::vector<byte_scale> scales_;  // (1) or (channels); none of floats
  feature_rows<std::uint8_t> bytes_;
  feature_rows<float> values_;  // one of the two holds (samples, shape.size())
  std::vector<std::uint16_t> labels_;
  std::vector<std::uint32_t> users_;  // (samples) or none
  std::optional<crop_and_flip> augmentation_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/dataset.ipp>
#endif
