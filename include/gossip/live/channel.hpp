// The contract of a channel: how the learners of a live run, one a rank, reach each other. It is a
// part of that of a communicator (transport/transport.hpp), which also says what requests are.
//
//   std::size_t rank() const;                                  this learner, counted from 0
//   std::size_t size() const;                                  how many there are
//   requests rows() const;                                     a pool of messages
//   bool arrived(std::size_t from, std::uint32_t tag) const;   whether a receive would find one
//
// One thread of the rank uses it and its pools. Nothing in it waits. Every function that looks for
// messages or sends them throws gossip::error once the run is lost, because another rank has failed
// or is gone.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <gossip/transport/transport.hpp>

namespace gossip::live {

template <class C>
concept channel = requires(C const &c, std::size_t from, std::uint32_t tag) {
  requires request_pool<typename C::requests>;
  { c.rank() } -> std::same_as<std::size_t>;
  { c.size() } -> std::same_as<std::size_t>;
  { c.rows() } -> std::same_as<typename C::requests>;
  { c.arrived(from, tag) } -> std::same_as<bool>;
};

/// The kind of a message of a live run.
namespace tag {
enum : std::uint32_t { model, mean_model, slice, mean_slice, done, progress, stop, gathered, go };
}

/// The bytes of numbers that are sent and received as they are.
template <class T>
std::span<std::byte const> bytes_of(std::span<T const> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(values);
}
template <class T>
std::span<std::byte> bytes_of(std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_writable_bytes(values);
}

/// The end of all messages of a pool: true once none is under way; moves them on.
template <request_pool Pool>
bool complete(Pool &requests) {
  requests.poll([](std::uint32_t) {});
  return requests.empty();
}

}  // namespace gossip::live
