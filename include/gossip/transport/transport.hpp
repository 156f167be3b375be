// The contract of a transport: the connection of the processes that a run is spread over.
//
//   struct single {                           // one process, transport/single_process.hpp
//     static constexpr bool spans_ranks = false;
//     static constexpr std::size_t size() { return 1; }        // ranks
//     static constexpr std::size_t local_size() { return 1; }  // of this machine
//     static constexpr std::size_t count_equal(std::uint64_t) { return 1; }  // ranks with my word
//     static auto from_root(auto build) { return build(); }
//   };
//
// One that spans ranks is a communicator: all ranks call its collective functions in the same
// order (transport/mpi/ranks.hpp has the rest); rows travel as requests while the ranks compute.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gossip {

template <class C>
concept transport = std::copyable<C> && requires(C const &c) {
  { C::spans_ranks } -> std::convertible_to<bool>;
  { c.size() } -> std::convertible_to<std::size_t>;
  { c.local_size() } -> std::convertible_to<std::size_t>;
  { c.count_equal(std::uint64_t{0}) } -> std::convertible_to<std::size_t>;
};

/// Sums are in place; of doubles exact where at most one rank's addend is not 0.
template <class C>
concept communicator = transport<C> &&
    requires(C const &c, std::span<std::int64_t> integers, std::span<std::uint64_t> counts,
             std::span<double> numbers, std::span<std::byte> bytes,
             std::span<std::size_t const> sizes, std::string const &sentence) {
  requires C::spans_ranks;
  typename C::requests;
  { c.rank() } -> std::convertible_to<std::size_t>;
  c.all_reduce_sum(integers);
  c.all_reduce_sum(counts);
  c.all_reduce_sum(numbers);
  c.all_reduce_max(numbers);
  c.all_gather(std::uint64_t{0});
  c.all_to_all(bytes.data(), sizes, bytes.data(), sizes);
  c.broadcast(bytes, std::size_t{0});
  { c.rows() } -> std::same_as<typename C::requests>;
  { c.tiles() } -> std::same_as<typename C::requests>;
  { c.failed(sentence) } -> std::same_as<typename C::failure_report>;
};

}  // namespace gossip
