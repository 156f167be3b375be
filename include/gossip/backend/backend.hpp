// The contract of a backend: where numbers live and loops run.
//
// A backend is a small copyable value that a user names among the options of a simulator:
//
//   struct tiny_backend {
//     static constexpr char const *name = "tiny";
//     static constexpr bool on_device = false;
//     template <class T> using buffer = host_buffer<T>;   // zeroed memory that loops can reach
//     struct worker;              // runs a model's layers: op/plain_layers.hpp has its
//                                 // operations in plain form, made of for_each and gemm
//     std::size_t workers() const;                  // threads, of a host
//     void for_each(std::size_t count, auto f) const;   // host: f(worker, index)
//     static constexpr std::size_t columns_at_once;  // host: of mix_tile's scratch
//     static void mix_tile(...);                     // host: columns of X <- W X
//     struct session;             // made of the backend, and kept during a run: settings of
//                                 // libraries, threads that stand ready
//   };
//
// A backend on a device queues what it is given, in one order: launches, copies, waits, and
// copies from pinned memory without waiting (device_backend below). Every backend has the bits
// of serial where it sums in the same order (docs/policies/backend.md says where that is).
#pragma once

#include <concepts>
#include <cstddef>

#include <gossip/core/copyable.hpp>

namespace gossip {

template <class B>
concept backend = copyable<B> && requires(B const &b) {
  { B::name } -> std::convertible_to<char const *>;
  { B::on_device } -> std::convertible_to<bool>;
  typename B::template buffer<float>;
  typename B::worker;
  requires std::constructible_from<typename B::session, B const &>;
  { b.workers() } -> std::convertible_to<std::size_t>;
};

/// The verbs of a backend on a device; serial has them too, so that engines can be tested on it.
template <class B>
concept device_backend =
    backend<B> &&
    requires(B const &b, float *to, float const *from, std::size_t count, typename B::event &e,
             typename B::recording &kept, void (*f)(), void (*of_index)(std::size_t)) {
      typename B::template pinned<float>;
      b.upload(to, from, count);
      b.download(to, from, count);
      b.begin_upload(to, from, count);
      b.begin_download(to, from, count);
      b.launch(count, of_index);
      b.record(e);
      { e.passed() } -> std::same_as<bool>;
      b.replay(kept, f);
      b.wait();
    };

}  // namespace gossip
