// The largest numbers of the cosine transform of every chunk of a row, the others zero.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gossip/op/cosine_table.hpp>
#include <gossip/op/cosine_transform.hpp>
#include <gossip/op/top_k.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

/// Every chunk of c_0 columns of x_0, the last of which may be shorter, becomes what the c_1
/// largest_numbers of its cosine_transform stand for; one that has no more columns stays as it is.
/// A chunk is one thread's, which holds its numbers; a team of one thread has a table besides.
struct cosine_top_k {
  static constexpr std::size_t rows = 1, coefficients = 2;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;
  static constexpr std::size_t longest_chunk = cosine_table::most;  ///< columns

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    T *const row = x[0];
    auto const chunk = static_cast<std::size_t>(c[0]), k = static_cast<std::size_t>(c[1]);
    if (k >= chunk) return;
    std::size_t first = 0;
    if constexpr (std::same_as<Team, one_thread>)
      if (columns >= chunk)
        for (cosine_table const table(chunk); columns - first >= chunk; first += chunk)
          keep(table, chunk, k, row + first);
    team.each((columns - first + chunk - 1) / chunk, [=](std::size_t number) {
      std::size_t const begin = first + number * chunk, rest = columns - begin;
      keep(cosine_transform{}, rest < chunk ? rest : chunk, k, row + begin);
    });
  }

 private:
  template <class Transform, class T>
  static constexpr void keep(Transform const &transform, std::size_t size, std::size_t k,
                             T *columns) {
    if (k >= size) return;
    T kept[longest_chunk]{};
    transform.forward(size, columns, kept);
    largest_numbers{}(one_thread{}, kept, size, k);
    transform.inverse(size, kept, columns);
  }
};
static_assert(whole_row_function<cosine_top_k>);

}  // namespace gossip::op
