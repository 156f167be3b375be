// Broadcast of results of rank 0: arrays travel as they lie in memory, without an archive; a
// configuration in one of Boost.Serialization.
#pragma once

#include <algorithm>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>

namespace gossip::detail {

/// `sent` of rank 0 as the others get it, in pieces that MPI can count; on rank 0 nothing.
template <class V>
std::vector<V> from_rank_0(boost::mpi::communicator const &ranks, std::span<V const> sent) {
  static_assert(std::is_trivially_copyable_v<V>);
  constexpr std::size_t most = std::size_t{1} << 30;  // bytes of a piece
  bool const first = ranks.rank() == 0;
  std::uint64_t count = sent.size();
  boost::mpi::broadcast(ranks, count, 0);
  std::vector<V> received(first ? 0 : count);
  V *const from = first ? const_cast<V *>(sent.data()) : received.data();  // rank 0's is only read
  std::size_t const bytes = count * sizeof(V);
  for (std::size_t done = 0; done < bytes; done += most)
    boost::mpi::broadcast(ranks, reinterpret_cast<char *>(from) + done,
                          static_cast<int>(std::min(most, bytes - done)), 0);
  return received;
}

inline void broadcast(boost::mpi::communicator const &ranks, std::string &text) {
  boost::mpi::broadcast(ranks, text, 0);
}

inline void broadcast(boost::mpi::communicator const &ranks, std::vector<std::uint32_t> &values) {
  auto received = from_rank_0(ranks, std::span<std::uint32_t const>(values));
  if (ranks.rank() > 0) values = std::move(received);
}

inline void broadcast(boost::mpi::communicator const &ranks, mixing_matrix &matrix);
inline void broadcast(boost::mpi::communicator const &ranks, graph &network);

/// Values of rounds; on the other ranks `values` is empty before.
template <class T>
void broadcast(boost::mpi::communicator const &ranks, by_round<T> &values, T const &any) {
  auto const first = from_rank_0(ranks, values.first());
  std::uint64_t size[2] = {values.values().size(), values.period()};
  boost::mpi::broadcast(ranks, size, 2, 0);
  std::vector<T> received(ranks.rank() == 0 ? 0 : size[0], any);
  for (T const &sent : values.values()) broadcast(ranks, const_cast<T &>(sent));  // is only read
  for (T &value : received) broadcast(ranks, value);
  if (!received.empty()) values = {std::move(received), first, size[1]};
}

inline void broadcast(boost::mpi::communicator const &ranks, graph &network) {
  std::uint64_t size[3] = {network.nodes(), network.directed(), network.rounds() != nullptr};
  boost::mpi::broadcast(ranks, size, 3, 0);
  if (size[2]) {
    by_round<graph> rounds;
    if (ranks.rank() == 0) rounds = *network.rounds();
    broadcast(ranks, rounds, graph());
    if (ranks.rank() > 0) network = graph::changing(std::move(rounds));
    return;
  }
  std::vector<edge> edges;
  if (ranks.rank() == 0) edges = network.edge_list();
  edges = from_rank_0(ranks, std::span<edge const>(edges));
  if (ranks.rank() == 0) return;
  network = size[1] ? graph::directed(size[0], edges) : graph::undirected(size[0], edges);
}

inline void broadcast(boost::mpi::communicator const &ranks, mixing_matrix &matrix) {
  compressed_rows sent;
  if (ranks.rank() == 0) sent = matrix.compressed();
  auto offsets = from_rank_0(ranks, sent.offsets);
  auto columns = from_rank_0(ranks, sent.columns);
  auto values = from_rank_0(ranks, sent.values);
  bool kind[2] = {ranks.rank() == 0 && matrix.sums() == stochastic::columns,
                  ranks.rank() == 0 && matrix.own() == own_weight::any};
  boost::mpi::broadcast(ranks, kind, 2, 0);
  if (ranks.rank() > 0)
    matrix = {std::move(offsets), std::move(columns), std::move(values),
              kind[0] ? stochastic::columns : stochastic::rows,
              kind[1] ? own_weight::any : own_weight::not_negative};
}

inline void broadcast(boost::mpi::communicator const &ranks, by_round<mixing_matrix> &matrices) {
  broadcast(ranks, matrices, mixing_matrix({0}, {}, {}));
}

}  // namespace gossip::detail
