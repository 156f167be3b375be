// A backend of the host behind pointers, for engines and runs that do not depend on its type: loops
// on the threads of the backend, its product of a mixing matrix with columns, its session.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <gossip/backend/backend.hpp>
#include <gossip/core/view.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// T: type of the numbers in rows. Every index of a loop costs one call through a pointer, so an
/// index stands for a training, a row or a tile of columns.
template <class T>
class host_machine {
 public:
  static constexpr bool on_device = false;

  /// Uses as many threads as the backend has now, whatever the environment says later.
  template <class Backend>
  explicit host_machine(Backend backend);

  /// The session of the backend.
  class session {
   public:
    explicit session(host_machine const &machine)
        : kept_(machine.session_(machine.backend_.get())) {}

   private:
    std::shared_ptr<void const> kept_;
  };

  /// Name of the backend, as "cpu".
  std::string const &backend_name() const { return name_; }
  /// Name of the library that computes layers beside BLAS, as oneDNN; "": the backend has none.
  std::string const &library_name() const { return library_name_; }

  std::size_t workers() const { return workers_; }
  /// Columns of mix_tile's scratch.
  std::size_t columns_at_once() const { return columns_at_once_; }

  /// f(worker number, index) for every index below count, each once. An exception ends the loop and
  /// is thrown again here.
  template <class F>
  void for_each(std::size_t count, F const &f) const {
    each_(backend_.get(), count, &f, [](void const *body, std::size_t worker, std::size_t index) {
      (*static_cast<F const *>(body))(worker, index);
    });
  }

  /// Columns first to last of x (n,d) <- W x, on the calling thread; scratch
  /// (n + beside, columns_at_once()).
  void mix_tile(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first, std::size_t last,
                T *scratch, op::rows_beside<T> beside = {}) const {
    mix_(w, x, first, last, scratch, beside);
  }

 private:
  using call_type = void (*)(void const *body, std::size_t worker, std::size_t index);

  std::shared_ptr<void const> backend_;
  std::size_t workers_, columns_at_once_;
  void (*each_)(void const *backend, std::size_t count, void const *body, call_type call);
  void (*mix_)(op::mixing_rows<T> const &, rows_view<T>, std::size_t, std::size_t, T *,
               op::rows_beside<T>);
  std::shared_ptr<void const> (*session_)(void const *backend);
  std::string name_, library_name_;
};

// Defined outside of the class, so that a program takes the constructor from gossip::compiled. The
// constructor has no constraint: g++ and clang++ mangle constraints differently, and programs of
// one would not link the library of the other.
template <class T>
template <class Backend>
host_machine<T>::host_machine(Backend backend)
    : workers_(backend.workers()), columns_at_once_(Backend::columns_at_once) {
  if constexpr (requires { backend.threads; }) backend.threads = workers_;
  backend_ = std::make_shared<Backend const>(backend);
  each_ = [](void const *held, std::size_t count, void const *body, call_type call) {
    static_cast<Backend const *>(held)->for_each(
        count, [=](std::size_t worker, std::size_t index) { call(body, worker, index); });
  };
  mix_ = &Backend::template mix_tile<T>;
  session_ = [](void const *held) -> std::shared_ptr<void const> {
    return std::make_shared<typename Backend::session const>(*static_cast<Backend const *>(held));
  };
  name_ = Backend::name;
  if constexpr (requires { backend.library_name(); }) library_name_ = backend.library_name();
}

}  // namespace gossip
