// Batch normalisation: moments of one chunk of samples, of all chunks, and what follows from them.
// Chunks are combined pairwise (Chan, Golub, LeVeque 1979), in chunk order.
#pragma once

#include <cmath>
#include <cstddef>

#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// The sum of f(place) over one channel, the first `samples` of each group of lanes, in 16
/// interleaved partial sums a group.
template <class T, class F>
constexpr T sum_channel(std::size_t plane, std::size_t lanes, std::size_t samples, F f) {
  T total{0};
  for (std::size_t group = 0; group < samples; group += lane_group) {
    T partial[lane_group] = {};
    for (std::size_t p = 0; p < plane; ++p)
      for (std::size_t l = 0; l < lane_group; ++l) partial[l] += f(p * lanes + group + l);
    for (std::size_t l = 0; l < lane_group; ++l)
      if (group + l >= samples) partial[l] = T{0};
    for (std::size_t half = lane_group / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) partial[l] += partial[l + half];
    total += partial[0];
  }
  return total;
}

/// The same by a team, in double; lanes are a power of two.
template <class Team, class F>
constexpr double sum_by_team(Team const &team, std::size_t plane, std::size_t lanes,
                             std::size_t samples, F f) {
  return team.sum(plane * lanes, [=](std::size_t i) {
    return (i & (lanes - 1)) < samples ? static_cast<double>(f(i)) : 0.0;
  });
}

/// Places of a layer's moments in the values that the chunks of a batch share.
struct batch_moments {
  std::size_t channels;

  constexpr std::size_t mean(std::size_t c) const { return c; }
  constexpr std::size_t factor(std::size_t c) const { return channels + c; }  // 1 / deviation
  constexpr std::size_t gradient(std::size_t c) const { return 2 * channels + c; }
  constexpr std::size_t product(std::size_t c) const { return 3 * channels + c; }
  /// Two numbers a channel of each chunk: mean and squared deviations, or sums of gradients and of
  /// gradients times normalised values.
  constexpr std::size_t part(std::size_t chunk, std::size_t which, std::size_t c) const {
    return (4 + 2 * chunk + which) * channels + c;
  }
  constexpr std::size_t size(std::size_t chunks) const { return (4 + 2 * chunks) * channels; }
};

/// The mean of a channel over one chunk and the sum of its squared deviations.
template <class T>
struct measure_channel {
  strided<T const> in;
  strided<T> shared;
  batch_moments at;
  std::size_t plane, lanes, samples, chunk;

  constexpr void operator()(std::size_t j, std::size_t c, std::size_t) const {
    T const *const x = in.at(j) + c * plane * lanes;
    T const count = static_cast<T>(plane * samples);
    T const mean =
        sum_channel<T>(plane, lanes, samples, [x](std::size_t i) { return x[i]; }) / count;
    T const squares = sum_channel<T>(plane, lanes, samples, [x, mean](std::size_t i) {
      T const deviation = x[i] - mean;
      return deviation * deviation;
    });
    put(j, c, mean, squares);
  }

  template <class Team>
  constexpr void by_team(Team const &team, std::size_t j, std::size_t c) const {
    T const *const x = in.at(j) + c * plane * lanes;
    T const mean = static_cast<T>(
        sum_by_team(team, plane, lanes, samples, [x](std::size_t i) { return x[i]; }) /
        static_cast<double>(plane * samples));
    double const squares = sum_by_team(team, plane, lanes, samples, [x, mean](std::size_t i) {
      T const deviation = x[i] - mean;
      return deviation * deviation;
    });
    team.each(1, [&](std::size_t) { put(j, c, mean, static_cast<T>(squares)); });
  }

  constexpr void put(std::size_t j, std::size_t c, T mean, T squares) const {
    shared.at(j)[at.part(chunk, 0, c)] = mean;
    shared.at(j)[at.part(chunk, 1, c)] = squares;
  }
};

/// Mean and 1 / sqrt(variance + epsilon) over all chunks, and what the row is to move towards: the
/// mean and the variance without bias.
template <class T>
struct combine_moments {
  strided<T> shared, staged;
  batch_moments at;
  std::size_t plane, chunk_size, batch;
  T epsilon;

  constexpr void operator()(std::size_t j, std::size_t c, std::size_t) const {
    T *const all = shared.at(j);
    T mean = all[at.part(0, 0, c)], squares = all[at.part(0, 1, c)];
    std::size_t done = batch < chunk_size ? batch : chunk_size;
    for (std::size_t chunk = 1; done < batch; ++chunk) {
      std::size_t const more = batch - done < chunk_size ? batch - done : chunk_size;
      T const share = static_cast<T>(more) / static_cast<T>(done + more);
      T const apart = all[at.part(chunk, 0, c)] - mean;
      T const weight = static_cast<T>(plane * done) * share;
      mean += apart * share;
      squares += all[at.part(chunk, 1, c)] + apart * apart * weight;
      done += more;
    }
    T const count = static_cast<T>(plane * batch);
    all[at.mean(c)] = mean;
    all[at.factor(c)] = T{1} / std::sqrt(squares / count + epsilon);
    staged.at(j)[c] = mean;
    staged.at(j)[at.channels + c] = squares / (count > T{1} ? count - T{1} : T{1});
  }
};

/// out = (in - mean) * scale + bias, or its positive part.
template <class T, bool Rectifies>
struct normalise {
  strided<T const> in, parameters;  // weight (channels), bias (channels)
  strided<T const> moments;         // as batch_moments, or
  bool running;                     // mean (channels), variance (channels)
  strided<T> out;
  batch_moments at;
  std::size_t values;  // of a channel
  T epsilon;

  struct channel {
    T const *in;
    T *out;
    T mean, scale, bias;

    constexpr void operator()(std::size_t i) const {
      T const value = (in[i] - mean) * scale + bias;
      out[i] = Rectifies && value < T{0} ? T{0} : value;
    }
  };
  constexpr channel row(std::size_t j, std::size_t c) const {
    T const second = moments.at(j)[at.channels + c];
    T const factor = running ? T{1} / std::sqrt(second + epsilon) : second;
    return {in.at(j) + c * values, out.at(j) + c * values, moments.at(j)[at.mean(c)],
            factor * parameters.at(j)[c], parameters.at(j)[at.channels + c]};
  }
  constexpr void operator()(std::size_t j, std::size_t c, std::size_t i) const { row(j, c)(i); }
};

/// Of one chunk: the sum of a channel's gradients and of their products with normalised values.
template <class T, bool Rectifies>
struct measure_gradient {
  strided<T const> in, out, out_gradient;
  strided<T> shared;
  batch_moments at;
  std::size_t plane, lanes, samples, chunk;

  constexpr void operator()(std::size_t j, std::size_t c, std::size_t) const {
    channel const of = values(j, c);
    T const gradients =
        sum_channel<T>(plane, lanes, samples, [of](std::size_t i) { return of.gradient(i); });
    put(j, c, gradients,
        sum_channel<T>(plane, lanes, samples, [of](std::size_t i) { return of.product(i); }));
  }

  template <class Team>
  constexpr void by_team(Team const &team, std::size_t j, std::size_t c) const {
    channel const of = values(j, c);
    double const gradients =
        sum_by_team(team, plane, lanes, samples, [of](std::size_t i) { return of.gradient(i); });
    double const products =
        sum_by_team(team, plane, lanes, samples, [of](std::size_t i) { return of.product(i); });
    team.each(1,
              [&](std::size_t) { put(j, c, static_cast<T>(gradients), static_cast<T>(products)); });
  }

 private:
  struct channel {
    T const *x, *y, *g;
    T mean;

    constexpr T gradient(std::size_t i) const {
      T const given = g[i];  // read in any case, so that there is no branch
      return !Rectifies || y[i] > T{0} ? given : T{0};
    }
    constexpr T product(std::size_t i) const { return gradient(i) * (x[i] - mean); }
  };

  constexpr channel values(std::size_t j, std::size_t c) const {
    std::size_t const first = c * plane * lanes;
    return {in.at(j) + first, out.at(j) + first, out_gradient.at(j) + first,
            shared.at(j)[at.mean(c)]};
  }
  constexpr void put(std::size_t j, std::size_t c, T gradients, T products) const {
    T *const all = shared.at(j);
    all[at.part(chunk, 0, c)] = gradients;
    all[at.part(chunk, 1, c)] = all[at.factor(c)] * products;
  }
};

/// The gradients of weight and bias from all chunks, and their shares in that of each value.
template <class T>
struct combine_gradients {
  strided<T> shared, parameter_gradient;
  batch_moments at;
  std::size_t plane, chunks, batch;

  constexpr void operator()(std::size_t j, std::size_t c, std::size_t) const {
    T *const all = shared.at(j);
    T gradient{0}, product{0};
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      gradient += all[at.part(chunk, 0, c)];
      product += all[at.part(chunk, 1, c)];
    }
    parameter_gradient.at(j)[c] = product;
    parameter_gradient.at(j)[at.channels + c] = gradient;
    T const count = static_cast<T>(plane * batch);
    all[at.gradient(c)] = gradient / count;
    all[at.product(c)] = product / count;
  }
};

/// in_gradient = weight * factor * (gradient - mean gradient - normalised * mean product)
template <class T, bool Rectifies>
struct normalise_back {
  strided<T const> in, out, out_gradient, parameters, shared;
  strided<T> in_gradient;
  batch_moments at;
  std::size_t values, lanes, samples;

  struct channel {
    T const *in, *out, *out_gradient;
    T *in_gradient;
    T mean, scale, gradient, product;
    std::size_t lanes, samples;

    constexpr void operator()(std::size_t i) const {
      T const given = out_gradient[i];
      T const g = !Rectifies || out[i] > T{0} ? given : T{0};
      T const value = scale * ((g - gradient) - (in[i] - mean) * product);
      in_gradient[i] = (i & (lanes - 1)) < samples ? value : T{0};
    }
  };
  constexpr channel row(std::size_t j, std::size_t c) const {
    T const *const all = shared.at(j);
    std::size_t const first = c * values;
    return {in.at(j) + first,
            out.at(j) + first,
            out_gradient.at(j) + first,
            in_gradient.at(j) + first,
            all[at.mean(c)],
            all[at.factor(c)] * parameters.at(j)[c],
            all[at.gradient(c)],
            all[at.factor(c)] * all[at.product(c)],
            lanes,
            samples};
  }
  constexpr void operator()(std::size_t j, std::size_t c, std::size_t i) const { row(j, c)(i); }
};

}  // namespace gossip::op
