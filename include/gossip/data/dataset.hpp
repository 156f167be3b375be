// A labelled set of samples in memory, features as bytes or as floats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// The shape of one sample; a feature sits at (channel * height + row) * width + column.
struct sample_shape {
  std::size_t channels = 1;
  std::size_t height = 1;
  std::size_t width = 1;

  constexpr std::size_t size() const { return channels * height * width; }
  friend constexpr bool operator==(sample_shape const &, sample_shape const &) = default;
};

/// The largest extent of a sample in any dimension.
inline constexpr std::size_t max_extent = std::size_t{1} << 20;

/// Throws input_error unless every dimension has an extent of 1 to max_extent.
inline void check_shape(std::string const &where, sample_shape shape) {
  for (std::size_t const extent : {shape.channels, shape.height, shape.width})
    if (extent == 0 || extent > max_extent)
      throw input_error(where,
                        "samples of 1 to " + std::to_string(max_extent) + " in every dimension",
                        std::to_string(extent));
}

/// How a stored byte becomes a feature: value = byte * scale + shift.
struct byte_scale {
  float scale = 1.0F / 255.0F;
  float shift = 0.0F;
};

/// Features stored as bytes; calling it turns a stored byte into its feature.
struct byte_features {
  std::span<std::uint8_t const> stored;  // (samples, shape.size())
  byte_scale scale;

  constexpr float operator()(std::uint8_t byte) const {
    return static_cast<float>(byte) * scale.scale + scale.shift;
  }
};

/// Features stored as they are; the counterpart of byte_features, so that one loop serves both.
struct float_features {
  std::span<float const> stored;  // (samples, shape.size())

  constexpr float operator()(float value) const { return value; }
};

/// Samples and their labels, sample-major and contiguous; checked once, when it is made.
class dataset {
 public:
  static constexpr std::size_t max_classes = 65535;

  /// Features as bytes, (samples, shape.size()); throws input_error if sizes or labels do not fit.
  dataset(std::string name, sample_shape shape, std::size_t classes,
          std::vector<std::uint8_t> features, std::vector<std::uint16_t> labels,
          byte_scale scale = {})
      : name_(std::move(name)),
        shape_(shape),
        classes_(classes),
        scale_(scale),
        features_(std::move(features)),
        labels_(std::move(labels)) {
    check();
  }

  /// Features as floats, (samples, shape.size()); they must be finite.
  dataset(std::string name, sample_shape shape, std::size_t classes, std::vector<float> features,
          std::vector<std::uint16_t> labels)
      : name_(std::move(name)),
        shape_(shape),
        classes_(classes),
        features_(std::move(features)),
        labels_(std::move(labels)) {
    check();
    check_finite();
  }

  std::string const &name() const { return name_; }
  sample_shape shape() const { return shape_; }
  std::size_t classes() const { return classes_; }
  std::size_t size() const { return labels_.size(); }
  std::span<std::uint16_t const> labels() const { return labels_; }
  byte_scale scale() const { return scale_; }

  bool stored_as_bytes() const {
    return std::holds_alternative<std::vector<std::uint8_t>>(features_);
  }

  /// The stored bytes, (samples, shape.size()); empty if the features are stored as floats.
  std::span<std::uint8_t const> bytes() const { return stored<std::uint8_t>(); }

  /// The stored floats, (samples, shape.size()); empty if the features are stored as bytes.
  std::span<float const> values() const { return stored<float>(); }

  /// Calls visitor with byte_features or float_features, whichever this set holds:
  /// data.with_view([&](auto view) { out[c] = view(view.stored[i * size + c]); }).
  template <class Visitor>
  decltype(auto) with_view(Visitor &&visitor) const {
    if (stored_as_bytes()) return std::forward<Visitor>(visitor)(byte_features{bytes(), scale_});
    return std::forward<Visitor>(visitor)(float_features{values()});
  }

  /// Writes the features of sample i to out, which holds shape().size() numbers.
  void copy_sample(std::size_t i, std::span<float> out) const {
    check_index(i);
    if (out.size() != shape_.size())
      throw input_error(name_ + ": copy_sample", std::to_string(shape_.size()) + " numbers",
                        std::to_string(out.size()));
    with_view([&](auto view) {
      auto const sample = view.stored.subspan(i * out.size(), out.size());
      std::transform(sample.begin(), sample.end(), out.begin(), view);
    });
  }

  /// The samples named, in the order given, as a set of its own; indices may repeat.
  dataset subset(std::span<std::uint32_t const> indices) const {
    std::vector<std::uint16_t> labels;
    labels.reserve(indices.size());
    for (std::uint32_t const i : indices) {
      check_index(i);
      labels.push_back(labels_[i]);
    }
    auto const gather = [&]<class T>(std::vector<T> const &from) {
      std::size_t const width = shape_.size();
      std::vector<T> to(indices.size() * width);
      for (std::size_t k = 0; k < indices.size(); ++k)
        std::copy_n(from.data() + indices[k] * width, width, to.data() + k * width);
      return storage{std::move(to)};
    };
    return {*this, std::visit(gather, features_), std::move(labels)};
  }

  /// Samples begin to begin + count, as a set of their own.
  dataset take(std::size_t begin, std::size_t count) const {
    if (begin > size() || count > size() - begin)
      throw input_error(name_ + ": take", "samples within the " + std::to_string(size()),
                        std::to_string(count) + " from " + std::to_string(begin));
    std::vector<std::uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(begin));
    return subset(indices);
  }

  /// The first count samples, as a set of their own.
  dataset first(std::size_t count) const { return take(0, count); }

  /// The same samples under another name, which reports and messages show.
  dataset named(std::string name) && {
    name_ = std::move(name);
    return std::move(*this);
  }

 private:
  using storage = std::variant<std::vector<std::uint8_t>, std::vector<float>>;

  dataset(dataset const &like, storage features, std::vector<std::uint16_t> labels)
      : name_(like.name_),
        shape_(like.shape_),
        classes_(like.classes_),
        scale_(like.scale_),
        features_(std::move(features)),
        labels_(std::move(labels)) {
    check();
  }

  template <class T>
  std::span<T const> stored() const {
    auto const *features = std::get_if<std::vector<T>>(&features_);
    return features ? std::span<T const>(*features) : std::span<T const>();
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
    check_features();
    for (std::size_t i = 0; i < labels_.size(); ++i)
      if (labels_[i] >= classes_)
        throw input_error(name_ + ": sample " + std::to_string(i),
                          "a label below " + std::to_string(classes_), std::to_string(labels_[i]));
  }

  void check_features() const {
    std::size_t const count = std::visit([](auto const &f) { return f.size(); }, features_);
    if (count % labels_.size() != 0 || count / labels_.size() != shape_.size())
      throw input_error(name_,
                        std::to_string(shape_.size()) + " features for each of " +
                            std::to_string(labels_.size()) + " samples",
                        std::to_string(count) + " features");
  }

  void check_finite() const {
    auto const features = values();
    auto const bad = std::find_if_not(features.begin(), features.end(),
                                      [](float value) { return std::isfinite(value); });
    if (bad == features.end()) return;
    auto const at = static_cast<std::size_t>(bad - features.begin());
    throw input_error(name_ + ": sample " + std::to_string(at / shape_.size()), "finite features",
                      std::to_string(*bad));
  }

  std::string name_;
  sample_shape shape_;
  std::size_t classes_;
  byte_scale scale_;
  storage features_;  // (samples, shape.size())
  std::vector<std::uint16_t> labels_;
};

}  // namespace gossip
