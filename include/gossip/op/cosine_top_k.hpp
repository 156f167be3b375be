// The largest numbers of the cosine transform of every chunk of a row, the others zero.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <gossip/op/chunk_lanes.hpp>
#include <gossip/op/cosine_factors.hpp>
#include <gossip/op/cosine_transform.hpp>
#include <gossip/op/top_k.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

/// Every chunk of c_0 columns of x_0, the last of which may be shorter, becomes what the c_1
/// largest_numbers of its cosine_transform stand for; one that has no more columns stays as it is.
/// A chunk is one thread's, which holds its numbers twice; a team of one thread takes many side by
/// side and has a table of cosines, which give the same bits.
struct cosine_top_k {
  static constexpr std::size_t rows = 1, coefficients = 2;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;
  static constexpr std::size_t longest_chunk = longest_cosine_transform;  ///< columns

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    T *const row = x[0];
    auto const chunk = static_cast<std::size_t>(c[0]), k = static_cast<std::size_t>(c[1]);
    if (k >= chunk) return;
    std::size_t first = 0;
    if constexpr (std::same_as<Team, one_thread>)
      if (columns >= chunk) first = keep_whole_chunks(columns, chunk, k, row);
    team.each((columns - first + chunk - 1) / chunk, [=](std::size_t number) {
      std::size_t const begin = first + number * chunk, rest = columns - begin;
      keep(cosine_formula<T>{}, rest < chunk ? rest : chunk, k, row + begin);
    });
  }

 private:
  template <class Factors, class T>
  static constexpr void keep(Factors const &factors, std::size_t size, std::size_t k, T *columns) {
    if (k >= size) return;
    T given[longest_chunk]{}, transformed[longest_chunk]{};
    for (std::size_t i = 0; i < size; ++i) given[i] = columns[i];
    cosine_transform<T>::forward(factors, size, given, transformed);
    largest_numbers{}(one_thread{}, transformed, size, k);
    cosine_transform<T>::inverse(factors, size, transformed, given);
    for (std::size_t i = 0; i < size; ++i) columns[i] = given[i];
  }

  /// What a thread transforms many chunks with: up to 266 KiB, more than its stack may have.
  template <class T>
  struct workspace {
    explicit workspace(std::size_t columns) : chunk(columns), table(columns) {}

    std::size_t chunk;
    cosine_table<T> table;
    chunk_lanes<T> transformed;
  };

  /// That of this thread, which rows with chunks of the same size share.
  template <class T>
  static workspace<T> &workspace_for(std::size_t chunk) {
    static thread_local std::unique_ptr<workspace<T>> kept;
    if (!kept || kept->chunk != chunk) kept = std::make_unique<workspace<T>>(chunk);
    return *kept;
  }

  /// Returns the first column behind them.
  template <class T>
  static std::size_t keep_whole_chunks(std::size_t columns, std::size_t chunk, std::size_t k,
                                       T *row) {
    using lanes = chunk_lanes<T>;
    using transform = cosine_transform<T, typename lanes::numbers>;
    auto &[size, table, transformed] = workspace_for<T>(chunk);
    std::size_t first = lanes::change(columns, chunk, row, [&](lanes &together) {
      transform::forward(table, chunk, together.data(), transformed.data());
      transformed.keep_largest(chunk, k);
      transform::inverse(table, chunk, transformed.data(), together.data());
    });
    for (; columns - first >= chunk; first += chunk) keep(table, chunk, k, row + first);
    return first;
  }
};
static_assert(whole_row_function<cosine_top_k>);

}  // namespace gossip::op
