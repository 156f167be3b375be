// Definitions of data/dataset.hpp.
#pragma once

#include <gossip/data/dataset.hpp>

#include <cmath>

#include <gossip/core/inline.hpp>
#include <gossip/core/number_text.hpp>

namespace gossip {

GOSSIP_INLINE void dataset::copy_sample(std::size_t i, std::span<float> out) const {
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

GOSSIP_INLINE dataset dataset::subset(std::span<std::uint32_t const> indices) const {
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

GOSSIP_INLINE dataset dataset::take(std::size_t begin, std::size_t count) const {
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

GOSSIP_INLINE dataset dataset::reshaped(sample_shape shape) && {
  check_shape(name_, shape);
  if (shape.size() != shape_.size() || (scales_.size() > 1 && shape.channels != shape_.channels))
    throw input_error(name_, "a shape of " + std::to_string(shape_.size()) + " features",
                      std::to_string(shape.size()));
  shape_ = shape;
  return std::move(*this);
}

GOSSIP_INLINE dataset dataset::by_users(std::vector<std::uint32_t> users) && {
  if (users.size() != size())
    throw input_error(name_ + ": users", std::to_string(size()) + ", one for each sample",
                      std::to_string(users.size()));
  users_ = std::move(users);
  return std::move(*this);
}

GOSSIP_INLINE void dataset::check() const {
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

GOSSIP_INLINE void dataset::check_rows(std::size_t rows, std::size_t columns) const {
  if (rows != labels_.size() || columns != shape_.size())
    throw input_error(name_,
                      std::to_string(labels_.size()) + " samples of " +
                          std::to_string(shape_.size()) + " features, one for each label",
                      std::to_string(rows) + " of " + std::to_string(columns));
}

GOSSIP_INLINE void dataset::check_scales() const {
  if (stored_as_bytes() && scales_.size() != 1 && scales_.size() != shape_.channels)
    throw input_error(
        name_, "one scale, or one for each of " + std::to_string(shape_.channels) + " channels",
        std::to_string(scales_.size()));
}

GOSSIP_INLINE void dataset::check_finite() const {
  for (std::size_t i = 0; i < size(); ++i)
    for (float const value : values_[i])
      if (!std::isfinite(value))
        throw input_error(name_ + ": sample " + std::to_string(i), "finite features",
                          detail::shortest(value));
}

}  // namespace gossip
