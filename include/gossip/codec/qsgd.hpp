// Messages of a few levels of a row's norm. D. Alistarh, D. Grubic, J. Li, R. Tomioka, M. Vojnovic,
// "QSGD: communication-efficient SGD via gradient quantization and encoding", NIPS 2017, section
// 3.1; scaled as A. Koloskova, S. U. Stich, M. Jaggi, ICML 2019, section 3.5.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/codec/bit_stream.hpp>
#include <gossip/codec/codec.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/op/stochastic_levels.hpp>

namespace gossip::codec {

/// Q(v) = |v| sign(v) xi / levels with xi one of the two whole numbers around levels |v_c| / |v|,
/// so that E Q(v) = v and E |v - Q(v)|^2 <= t |v|^2, t = min(d / levels^2, sqrt(d) / levels).
/// Scaled, it is times 1 / (1 + t), for exchanges that need |v - Q(v)| < |v| on average. A sign and
/// ceil(log2(levels + 1)) bits a number, in fixed width, and one number of at least 4 bytes.
struct qsgd {
  std::size_t levels = 15;
  bool scaled = false;

  using function = op::stochastic_levels;

  /// t
  double variance(std::size_t columns) const {
    double const d = static_cast<double>(columns), s = static_cast<double>(levels);
    return std::min(d / (s * s), std::sqrt(d) / s);
  }
  std::array<double, 3> coefficients(std::size_t columns, double draw) const {
    return {static_cast<double>(levels), scaled ? 1 / (1 + variance(columns)) : 1.0, draw};
  }
  std::size_t bytes(std::size_t columns, std::size_t number) const {
    return (columns * (1 + bits_below(levels + 1)) + 7) / 8 + std::max<std::size_t>(number, 4);
  }
  void check() const {
    if (levels < 1 || levels > 32767)
      throw input_error("qsgd: levels", "1 to 32767", std::to_string(levels));
  }

  template <class T>
  std::vector<std::byte> encoded(std::span<T const> row, double draw) const {
    auto const c = coefficients(row.size(), draw);
    T const most = static_cast<T>(levels);
    auto const between =
        function::between_levels<T>(op::one_thread{}, row.size(), c.data(), row.data());
    bit_writer message;
    message.put_number(between.sent);
    op::with_words(op::one_thread{}, row.size(), draw,
                   [&](std::size_t first, std::size_t last, std::uint32_t const *words) {
                     for (std::size_t i = first; i < last; ++i) {
                       T const level =
                           function::level(row[i], between.found, most, words[i - first]);
                       message.put(row[i] < T{0} ? 1 : 0, 1);
                       message.put(static_cast<std::uint64_t>(level), bits_below(levels + 1));
                     }
                   });
    return std::move(message).bytes();
  }
  template <class T>
  void decode(std::span<std::byte const> message, std::span<T> row) const {
    bit_reader from(message);
    T const distance = from.take_number<T>();
    for (T &x : row) {
      bool const negative = from.take(1) != 0;
      x = function::number(static_cast<T>(from.take(bits_below(levels + 1))), negative, distance);
    }
  }

  static constexpr char const *name = "qsgd";
  static constexpr char const *meaning =
      "every number of a row, rounded at random to levels between 0 and the norm of the row";
  static constexpr auto members() {
    return member_list{
        described("levels", &qsgd::levels, "number of levels from 0 to the norm of the row",
                  {.least = 1, .most = 32767}),
        described("scaled", &qsgd::scaled,
                  "scale messages down, so that the error is a contraction")};
  }
};
static_assert(row_codec<qsgd> && encodes_bytes<qsgd>);

}  // namespace gossip::codec
