// Group normalisation of one sample a lane: one call brings one group of channels of some lanes to
// mean 0 and variance 1.
#pragma once

#include <cmath>
#include <cstddef>

#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// The shape of a group normalisation. Row of parameters: weight (channels), bias (channels).
struct group_shape {
  std::size_t channels, plane, groups;

  constexpr std::size_t of_group() const { return channels / groups; }
  constexpr std::size_t values() const { return of_group() * plane; }  // of a group
};

/// moments (2, groups, lanes): mean and 1 / deviation; rows count (group, `Wide` lanes)
template <group_shape S, std::size_t Wide, class T>
struct normalise_group {
  strided<T const> in, parameters;
  strided<T> out, moments;
  std::size_t lanes;
  T epsilon;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t) const {
    std::size_t const parts = lanes / Wide, group = row / parts;
    std::size_t const lane = row % parts * Wide, first = group * S.values();
    T const *const x = in.at(j) + first * lanes + lane;
    T *const y = out.at(j) + first * lanes + lane;
    constexpr T share = T{1} / static_cast<T>(S.values());
    T mean[Wide] = {}, factor[Wide] = {};
    for (std::size_t v = 0; v < S.values(); ++v)
      for (std::size_t l = 0; l < Wide; ++l) mean[l] += x[v * lanes + l];
    for (std::size_t l = 0; l < Wide; ++l) mean[l] *= share;
    for (std::size_t v = 0; v < S.values(); ++v)
      for (std::size_t l = 0; l < Wide; ++l) {
        T const apart = x[v * lanes + l] - mean[l];
        factor[l] += apart * apart;
      }
    for (std::size_t l = 0; l < Wide; ++l)
      factor[l] = T{1} / std::sqrt(factor[l] * share + epsilon);
    for (std::size_t c = 0; c < S.of_group(); ++c) {
      T const weight = parameters.at(j)[group * S.of_group() + c];
      T const bias = parameters.at(j)[S.channels + group * S.of_group() + c];
      for (std::size_t v = c * S.plane; v < (c + 1) * S.plane; ++v)
        for (std::size_t l = 0; l < Wide; ++l)
          y[v * lanes + l] = (x[v * lanes + l] - mean[l]) * (factor[l] * weight) + bias;
    }
    for (std::size_t l = 0; l < Wide; ++l) {
      moments.at(j)[group * lanes + lane + l] = mean[l];
      moments.at(j)[(S.groups + group) * lanes + lane + l] = factor[l];
    }
  }
};

/// in_gradient = factor * (w g - mean(w g) - normalised * mean(w g normalised)), a lane each; rows
/// as before
template <group_shape S, std::size_t Wide, class T>
struct normalise_group_back {
  strided<T const> in, out_gradient, parameters, moments;
  strided<T> in_gradient;
  std::size_t lanes;

  constexpr void operator()(std::size_t j, std::size_t row, std::size_t) const {
    std::size_t const parts = lanes / Wide, group = row / parts;
    std::size_t const lane = row % parts * Wide, first = group * S.values();
    T const *const x = in.at(j) + first * lanes + lane;
    T const *const g = out_gradient.at(j) + first * lanes + lane;
    T *const to = in_gradient.at(j) + first * lanes + lane;
    T const *const mean = moments.at(j) + group * lanes + lane;
    T const *const factor = moments.at(j) + (S.groups + group) * lanes + lane;
    T const *const weights = parameters.at(j) + group * S.of_group();
    constexpr T share = T{1} / static_cast<T>(S.values());
    T gradient[Wide] = {}, product[Wide] = {};
    for (std::size_t v = 0; v < S.values(); ++v) {
      T const weight = weights[v / S.plane];
      for (std::size_t l = 0; l < Wide; ++l) {
        T const weighted = weight * g[v * lanes + l];
        gradient[l] += weighted;
        product[l] += weighted * ((x[v * lanes + l] - mean[l]) * factor[l]);
      }
    }
    for (std::size_t v = 0; v < S.values(); ++v) {
      T const weight = weights[v / S.plane];
      for (std::size_t l = 0; l < Wide; ++l) {
        T const normal = (x[v * lanes + l] - mean[l]) * factor[l];
        to[v * lanes + l] =
            factor[l] * (weight * g[v * lanes + l] - share * (gradient[l] + normal * product[l]));
      }
    }
  }
};

/// Gradients of weight and bias of one channel, [+]= sums over positions and lanes.
template <group_shape S, class T>
struct group_weight_gradient {
  strided<T const> in, out_gradient, moments;
  strided<T> parameter_gradient;
  std::size_t lanes;
  bool accumulate;

  constexpr void operator()(std::size_t j, std::size_t c, std::size_t) const {
    T const *const x = in.at(j) + c * S.plane * lanes;
    T const *const g = out_gradient.at(j) + c * S.plane * lanes;
    T const *const mean = moments.at(j) + c / S.of_group() * lanes;
    T const *const factor = moments.at(j) + (S.groups + c / S.of_group()) * lanes;
    T weight{0}, bias{0};
    for (std::size_t group = 0; group < lanes; group += lane_group) {
      T products[lane_group] = {}, gradients[lane_group] = {};
      for (std::size_t p = 0; p < S.plane; ++p)
        for (std::size_t l = 0; l < lane_group; ++l) {
          std::size_t const lane = group + l;
          T const gradient = g[p * lanes + lane];
          products[l] += gradient * ((x[p * lanes + lane] - mean[lane]) * factor[lane]);
          gradients[l] += gradient;
        }
      for (std::size_t half = lane_group / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) {
          products[l] += products[l + half];
          gradients[l] += gradients[l + half];
        }
      weight += products[0];
      bias += gradients[0];
    }
    put(j, c, weight, bias);
  }

  template <class Team>
  constexpr void by_team(Team const &team, std::size_t j, std::size_t c) const {
    T const *const x = in.at(j) + c * S.plane * lanes;
    T const *const g = out_gradient.at(j) + c * S.plane * lanes;
    T const *const mean = moments.at(j) + c / S.of_group() * lanes;
    T const *const factor = moments.at(j) + (S.groups + c / S.of_group()) * lanes;
    std::size_t const lane_mask = lanes - 1;  // lanes are a power of two
    double const weight = team.sum(S.plane * lanes, [=](std::size_t i) {
      std::size_t const lane = i & lane_mask;
      return static_cast<double>(g[i] * ((x[i] - mean[lane]) * factor[lane]));
    });
    double const bias =
        team.sum(S.plane * lanes, [g](std::size_t i) { return static_cast<double>(g[i]); });
    team.each(1, [&](std::size_t) { put(j, c, static_cast<T>(weight), static_cast<T>(bias)); });
  }

  constexpr void put(std::size_t j, std::size_t c, T weight, T bias) const {
    T &to_weight = parameter_gradient.at(j)[c], &to_bias = parameter_gradient.at(j)[S.channels + c];
    to_weight = (accumulate ? to_weight : T{0}) + weight;
    to_bias = (accumulate ? to_bias : T{0}) + bias;
  }
};

}  // namespace gossip::op
