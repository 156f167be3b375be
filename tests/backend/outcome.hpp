// Operations on the memory of a backend, and their results against those of serial.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/backend.hpp>
#include <gossip/backend/serial.hpp>

#include "../catch.hpp"
#include "convolution_layer.hpp"

namespace gossip::test {

/// Arrays of an operation: those that it reads, the one that it writes, with what is there before,
/// and its scratch.
template <class T>
struct operation_arrays {
  std::vector<std::vector<T>> in;
  std::vector<T> out;
  std::size_t scratch = 0;

  operation_arrays magnitudes() const {
    operation_arrays sizes = *this;
    for (auto &one : sizes.in) one = absolute(one);
    sizes.out = absolute(out);
    return sizes;
  }
};

template <backend B>
auto worker_of(B const &backend) {
  if constexpr (std::is_constructible_v<typename B::worker, B const &>)
    return typename B::worker(backend);
  else
    return typename B::worker{};
}

template <backend B, class T>
void put(B const &backend, T *to, std::vector<T> const &from) {
  if constexpr (device_backend<B>)
    backend.upload(to, from.data(), from.size());
  else
    std::copy(from.begin(), from.end(), to);
}

template <backend B, class T>
void get(B const &backend, std::vector<T> &to, T const *from) {
  if constexpr (device_backend<B>)
    backend.download(to.data(), from, to.size());
  else
    std::copy_n(from, to.size(), to.begin());
}

/// `out` after f(worker, in, out, scratch) on the memory of the backend.
template <backend B, class T, class F>
std::vector<T> outcome(B const &backend, operation_arrays<T> const &arrays, F f) {
  using buffer = typename B::template buffer<T>;
  std::vector<buffer> in;
  std::vector<T *> places;
  for (auto const &one : arrays.in) {
    in.emplace_back(one.size());
    places.push_back(in.back().data());
    put(backend, in.back().data(), one);
  }
  buffer out(arrays.out.size()), scratch(arrays.scratch);
  put(backend, out.data(), arrays.out);
  auto worker = worker_of(backend);
  f(worker, std::span<T *const>(places), out.data(), scratch.data());
  std::vector<T> result(arrays.out.size());
  get(backend, result, static_cast<T const *>(out.data()));
  return result;
}

/// Against serial: sums of so many terms differ by at most one ulp of their magnitude a term.
template <backend B, class T, class F>
void compare_with_serial(B const &backend, operation_arrays<T> const &arrays, std::size_t terms,
                         F f) {
  auto const got = outcome(backend, arrays, f), expected = outcome(serial{}, arrays, f);
  CHECK(worst_error(got, expected, outcome(serial{}, arrays.magnitudes(), f), terms) <= 1.0);
}

}  // namespace gossip::test
