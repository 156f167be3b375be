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
//
// Requests are pools of messages under way, each with a ticket by which its owner knows it:
//
//   void send(std::size_t to, std::uint32_t tag, std::span<std::byte const> bytes,
//             std::uint32_t ticket = 0);
//   void receive(std::size_t from, std::uint32_t tag, std::span<std::byte> bytes,
//                std::uint32_t ticket = 0);
//   bool poll(f);                         f(ticket) for each that is complete by now, whether any
//   bool empty() const;                   whether all have been complete
//   std::uint64_t sent_bytes() const;     through this pool so far
//
// Nothing in it waits. Bytes stay where they are, and as they are, until the ticket comes back;
// those of a receive may hold anything until then. Messages from one rank to another with one tag
// arrive in the order in which they were sent. A send may remain incomplete until its receive has
// begun, so nobody may count on more.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <gossip/core/copyable.hpp>

namespace gossip {

template <class C>
concept transport = copyable<C> && requires(C const &c) {
  { C::spans_ranks } -> std::convertible_to<bool>;
  { c.size() } -> std::convertible_to<std::size_t>;
  { c.local_size() } -> std::convertible_to<std::size_t>;
  { c.count_equal(std::uint64_t{0}) } -> std::convertible_to<std::size_t>;
};

template <class P>
concept request_pool =
    requires(P &p, P const &constant, std::size_t other, std::uint32_t tag, std::uint32_t ticket,
             std::span<std::byte const> out, std::span<std::byte> in, void (*f)(std::uint32_t)) {
      p.send(other, tag, out, ticket);
      p.send(other, tag, out);
      p.receive(other, tag, in, ticket);
      p.receive(other, tag, in);
      { p.poll(f) } -> std::same_as<bool>;
      { constant.empty() } -> std::same_as<bool>;
      { constant.sent_bytes() } -> std::same_as<std::uint64_t>;
    };

/// Sums are in place; of doubles exact where at most one rank's addend is not 0.
template <class C>
concept communicator =
    transport<C> &&
    requires(C const &c, std::span<std::int64_t> integers, std::span<std::uint64_t> counts,
             std::span<double> numbers, std::span<std::byte> bytes,
             std::span<std::size_t const> sizes, std::string const &sentence) {
      requires C::spans_ranks;
      requires request_pool<typename C::requests>;
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
