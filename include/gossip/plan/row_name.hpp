// Names for the rows of a node, as an exchange uses them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>

namespace gossip {

/// A row by who keeps it: the model, the optimizer, or the exchange.
struct row_name {
  enum class keeper : std::uint8_t { model, optimizer, exchange };

  keeper kept_by = keeper::model;
  std::uint8_t number = 0;

  friend constexpr bool operator==(row_name const &, row_name const &) = default;
};

/// The parameters of a node, behind them its statistics.
inline constexpr row_name model_row{};

/// A row of the optimizer, from 0 on: the momentum of sgd and the first moment of adam are row 0.
constexpr row_name optimizer_row(std::uint8_t number) {
  return {row_name::keeper::optimizer, number};
}

/// A row that the exchange declares with static constexpr std::size_t rows, from 0 on; zeros at
/// first. It has the parameters' columns and no statistics.
constexpr row_name exchange_row(std::uint8_t number) {
  return {row_name::keeper::exchange, number};
}

/// A row of a node as it travels: encoded, in so many bytes.
struct encoded_row {
  node owner;
  row_name row;
  std::size_t bytes;
};

/// coefficient * row, of the node at hand.
struct row_term {
  double coefficient;
  row_name row;
};

/// weight * a row of a node or server, in a sum over several.
struct node_term {
  static constexpr std::size_t most = std::size_t{1} << 22;  ///< of one sum, so that it is exact

  node owner = 0;
  double weight = 0;
};

}  // namespace gossip
