// A labelled set of samples, features as bytes or as floats.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
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
  void copy_sample(std::size_t i, std::span<float> out) const {
    check_index(i);
    if (out.size() != shape_.size())
      throw input_error(name_ + ": copy_sample", std::to_string(shape_.size()) + " numbers",
                        std::to_string(out.size()));
    with_view([&](auto view) {
      std::size_t const plane = out.size() / view.planes();
      auto const sample = view.stored[i];
      for (std::size_t f = 0; f < out.size(); ++f) out[f] = view.scale(f / plane)(sample[f]);
    });
  }

  /// The samples named, in the order given, as a copy; indices may repeat.
  dataset subset(std::span<std::uint32_t const> indices) const {
    dataset part = *this;
    part.labels_.clear();
    part.users_.clear();
    for (std::uint32_t const i : indices) {
      check_index(i);
      part.labels_.push_back(labels_[i]);
      if (!users_.empty()) part.users_.push_back(users_[i]);
    }
    if (indices.empty()) throw input_error(name_ + ": subset", "at least one sample", "none");
    part.bytes_ = gathered(bytes_, indices);
    part.values_ = gathered(values_, indices);
    return part;
  }

  /// Samples begin to begin + count, as a set that shares this one's memory.
  dataset take(std::size_t begin, std::size_t count) const {
    if (begin > size() || count > size() - begin)
      throw input_error(name_ + ": take", "samples within the " + std::to_string(size()),
                        std::to_string(count) + " from " + std::to_string(begin));
    if (count == 0) throw input_error(name_ + ": take", "at least one sample", "none");
    dataset part = *this;
    auto const first = labels_.begin() + static_cast<std::ptrdiff_t>(begin);
    part.labels_.assign(first, first + static_cast<std::ptrdiff_t>(count));
    if (!users_.empty()) {
      auto const user = users_.begin() + static_cast<std::ptrdiff_t>(begin);
      part.users_.assign(user, user + static_cast<std::ptrdiff_t>(count));
    }
    if (stored_as_bytes())
      part.bytes_ = bytes_.part(begin, count);
    else
      part.values_ = values_.part(begin, count);
    return part;
  }

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
  dataset reshaped(sample_shape shape) && {
    check_shape(name_, shape);
    if (shape.size() != shape_.size() || (scales_.size() > 1 && shape.channels != shape_.channels))
      throw input_error(name_, "a shape of " + std::to_string(shape_.size()) + " features",
                        std::to_string(shape.size()));
    shape_ = shape;
    return std::move(*this);
  }

  /// The same samples with other labels.
  dataset relabelled(std::vector<std::uint16_t> labels) && {
    labels_ = std::move(labels);
    check();
    return std::move(*this);
  }

  /// The same samples with the number of the user that each is from, (samples).
  dataset by_users(std::vector<std::uint32_t> users) && {
    if (users.size() != size())
      throw input_error(name_ + ": users", std::to_string(size()) + ", one for each sample",
                        std::to_string(users.size()));
    users_ = std::move(users);
    return std::move(*this);
  }
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

  void check() const {
    check_shape(name_, shape_);
    if (classes_ == 0 || classes_ > max_classes)
      throw input_error(name_, "1 to " + std::to_string(max_classes) + " classes",
                        std::to_string(classes_));
    if (labels_.empty()) throw input_error(name_, "at least one sample", "none");
    checked_index(labels_.size(), name_.c_str());
    with_view([&](auto view) { check_rows(view.stored.size(), view.stored.columns()); });
    check_scales();
    for (std::size_t i = 0; i < labels_.size(); ++i)
      if (labels_[i] >= classes_)
        throw input_error(name_ + ": sample " + std::to_string(i),
                          "a label below " + std::to_string(classes_), std::to_string(labels_[i]));
  }

  void check_rows(std::size_t rows, std::size_t columns) const {
    if (rows != labels_.size() || columns != shape_.size())
      throw input_error(name_,
                        std::to_string(labels_.size()) + " samples of " +
                            std::to_string(shape_.size()) + " features, one for each label",
                        std::to_string(rows) + " of " + std::to_string(columns));
  }

  void check_scales() const {
    if (stored_as_bytes() && scales_.size() != 1 && scales_.size() != shape_.channels)
      throw input_error(
          name_, "one scale, or one for each of " + std::to_string(shape_.channels) + " channels",
          std::to_string(scales_.size()));
  }

  void check_finite() const {
    for (std::size_t i = 0; i < size(); ++i)
      for (float const value : values_[i])
        if (!std::isfinite(value))
          throw input_error(name_ + ": sample " + std::to_string(i), "finite features",
                            detail::shortest(value));
  }

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
