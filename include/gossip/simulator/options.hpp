// The options of a simulator beside its four policies: clock, backend, element type, precision,
// ranks, the reference engine.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/simulator/resources.hpp>
#include <gossip/transport/single_process.hpp>

#if defined(__CUDACC__)
#include <gossip/backend/cuda.hpp>
#else
#include <gossip/backend/cpu.hpp>
#endif

namespace gossip {

/// Arithmetic in T, and rows as well: numbers<double>{} for comparisons with closed forms. Rows of
/// 16 bits under arithmetic in float, rounded at random: numbers<float, bf16>{}.
template <class T, class Row = T>
struct numbers {};

/// Option that compiles the reference engine, which executes a plan one operation at a time, so
/// that run_settings::engine may name it.
struct with_reference {};

#if defined(__CUDACC__)
using default_backend = cuda;
#else
using default_backend = cpu;
#endif

namespace detail {

template <class O>
inline constexpr bool is_clock = false;
template <class C>
inline constexpr bool is_clock<virtual_clock<C>> = true;

template <class O>
inline constexpr bool is_numbers = false;
template <class T, class Row>
inline constexpr bool is_numbers<numbers<T, Row>> = true;

template <class O>
inline constexpr bool is_precision = std::is_same_v<O, full_precision>;
template <class Format>
inline constexpr bool is_precision<mixed_precision<Format>> = true;

template <class O>
concept is_transport = requires { O::spans_ranks; };

template <class O>
concept is_backend = requires { typename O::worker; };

template <class O>
struct number_of;
template <class T, class Row>
struct number_of<numbers<T, Row>> {
  using type = T;
  using row = Row;
};

/// Sorts the options by what they are and holds them.
template <class... Options>
class options {
  static_assert(
      ((is_clock<Options> || is_numbers<Options> || is_backend<Options> || is_precision<Options> ||
        is_transport<Options> || std::is_same_v<Options, with_reference>) &&
       ...),
      "gossip::simulator: options are a virtual clock, a backend (serial, cpu, onednn, cuda), "
      "numbers<T>, mixed_precision<Format>, mpi_ranks or with_reference. See "
      "docs/policies/backend.md");
  static_assert((0 + ... + is_clock<Options>) <= 1 && (0 + ... + is_numbers<Options>) <= 1 &&
                    (0 + ... + is_backend<Options>) <= 1 &&
                    (0 + ... + is_precision<Options>) <= 1 &&
                    (0 + ... + is_transport<Options>) <= 1 &&
                    (0 + ... + std::is_same_v<Options, with_reference>) <= 1,
                "gossip::simulator: an option is given twice. See docs/policies/backend.md");

  template <class Default, class Predicate, class... Rest>
  struct find {
    using type = Default;
  };
  template <class Default, class Predicate, class First, class... Rest>
  struct find<Default, Predicate, First, Rest...> {
    using type =
        typename std::conditional_t<Predicate::template holds<First>, std::type_identity<First>,
                                    find<Default, Predicate, Rest...>>::type;
  };
  struct clocks {
    template <class O>
    static constexpr bool holds = is_clock<O>;
  };
  struct backends {
    template <class O>
    static constexpr bool holds = is_backend<O>;
  };
  struct number_types {
    template <class O>
    static constexpr bool holds = is_numbers<O>;
  };
  struct precisions {
    template <class O>
    static constexpr bool holds = is_precision<O>;
  };

  struct transports {
    template <class O>
    static constexpr bool holds = is_transport<O>;
  };

 public:
  using transport = typename find<single_process, transports, Options...>::type;
  using clock = typename find<virtual_clock<lognormal_time>, clocks, Options...>::type;
  using backend = typename find<default_backend, backends, Options...>::type;
  using numbers_type = number_of<typename find<numbers<float>, number_types, Options...>::type>;
  using number = typename numbers_type::type;
  using row = typename numbers_type::row;

  using precision = typename find<full_precision, precisions, Options...>::type;
  static constexpr bool offers_reference = (std::is_same_v<Options, with_reference> || ...);

  static_assert(!(transport::spans_ranks && backend::on_device) || std::is_same_v<number, row>,
                "gossip::simulator: rows of 16 bits do not travel between ranks with devices. See "
                "docs/ranks.md");

  explicit options(Options... values)
      : values_(std::move(values)...), backend_(value<backend>()), transport_(value<transport>()) {
    if constexpr (transport::spans_ranks && requires { backend_.choose(std::size_t{0}); })
      backend_.choose(transport_.local_rank());
  }

  clock clock_value() const { return value<clock>(); }
  precision precision_value() const { return value<precision>(); }
  run_resources<backend, transport> resources() const { return {backend_, transport_}; }
  transport const &transport_value() const { return transport_; }
  backend const &backend_value() const { return backend_; }

 private:
  template <class O>
  O value() const {
    if constexpr ((std::is_same_v<O, Options> || ...))
      return std::get<O>(values_);
    else
      return O{};
  }

  std::tuple<Options...> values_;
  backend backend_;
  transport transport_;
};

}  // namespace detail

}  // namespace gossip
