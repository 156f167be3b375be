// Stand-in for a run's settings that cannot be converted to them, so that the compiler names the
// field: an overload of simulator::run that is taken only where the right one cannot be.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include <gossip/observer/every.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

template <class Value, class... Right>
concept none_of = !(std::is_convertible_v<Value, Right> || ...);

/// A field with the values that it takes; others are refused in its own sentence.
struct seed_field {
  seed_field() = default;
  template <class V>
  seed_field(V const &) {
    static_assert(!none_of<V, std::uint64_t>,
                  "gossip::run_settings: seed must be a whole number. See docs/policies/clock.md");
  }
};
struct own_seed_field {
  own_seed_field() = default;
  template <class V>
  own_seed_field(V const &) {
    static_assert(!none_of<V, std::optional<std::uint64_t>>,
                  "gossip::run_settings: topology_seed and split_seed must be whole numbers. See "
                  "docs/reproducing.md");
  }
};
struct batch_field {
  batch_field() = default;
  template <class V>
  batch_field(V const &) {
    static_assert(!none_of<V, std::size_t>,
                  "gossip::run_settings: batch must be a whole number of samples");
  }
};
struct stop_field {
  stop_field() = default;
  template <class V>
  stop_field(V const &) {
    static_assert(!none_of<V, std::variant<epochs, rounds>>,
                  "gossip::run_settings: stop must have a unit: .stop = gossip::epochs{5} or .stop "
                  "= gossip::rounds{5}");
  }
};
struct engine_field {
  engine_field() = default;
  template <class V>
  engine_field(V const &) {
    static_assert(!none_of<V, execution>,
                  "gossip::run_settings: engine must be gossip::execution::levelled or "
                  "gossip::execution::reference");
  }
};
struct statistics_field {
  statistics_field() = default;
  template <class V>
  statistics_field(V const &) {
    static_assert(!none_of<V, gossip::statistics_mode>,
                  "gossip::run_settings: statistics must be gossip::statistics_mode::mixed, own or "
                  "reestimated");
  }
};
struct count_field {
  count_field() = default;
  template <class V>
  count_field(V const &) {
    static_assert(!none_of<V, std::size_t>,
                  "gossip::run_settings: reestimation and ranks must be whole numbers");
  }
};
struct start_field {
  start_field() = default;
  template <class V>
  start_field(V const &) {
    static_assert(!none_of<V, std::vector<double>>,
                  "gossip::run_settings: start must be a std::vector<double>, a row of the model; "
                  "gossip::read_safetensors<double> reads it from a file");
  }
};
struct interrupt_field {
  interrupt_field() = default;
  template <class V>
  interrupt_field(V const &) {
    static_assert(!none_of<V const &, std::atomic<bool> const *>,
                  "gossip::run_settings: interrupt must be the address of a std::atomic<bool>: "
                  ".interrupt = &flag");
  }
};

struct answers_field {
  answers_field() = default;
  template <class V>
  answers_field(V const &) {
    static_assert(
        !none_of<V, std::vector<double>>,
        "gossip::run_settings: answers must be a std::vector<double>, the answers of a report");
  }
};

struct state_field {
  state_field() = default;
  template <class V>
  state_field(V const &) {
    static_assert(!none_of<V const &, named_state const *>,
                  "gossip::run_settings: state must be the address of a gossip::named_state: "
                  ".state = &saved");
  }
};

/// Fields that do not exist, by the purpose that they would have.
template <class V>
inline constexpr bool nothing = false;

struct no_length {
  no_length() = default;
  template <class V>
  no_length(V const &) {
    static_assert(nothing<V>,
                  "gossip::run_settings: there is no field epochs, rounds, iterations or steps; "
                  "write .stop = gossip::epochs{5} or .stop = gossip::rounds{5}");
  }
};
struct no_batch_size {
  no_batch_size() = default;
  template <class V>
  no_batch_size(V const &) {
    static_assert(nothing<V>, "gossip::run_settings: there is no field batch_size; write .batch");
  }
};
struct no_rate {
  no_rate() = default;
  template <class V>
  no_rate(V const &) {
    static_assert(nothing<V>,
                  "gossip::run_settings: there is no field rate, learning_rate or lr; the rate is "
                  "a member of the optimizer: gossip::sgd{.rate = 0.1}");
  }
};
struct no_threads {
  no_threads() = default;
  template <class V>
  no_threads(V const &) {
    static_assert(nothing<V>,
                  "gossip::run_settings: there is no field threads; threads are a member of the "
                  "backend, an option of the simulator: gossip::cpu{.threads = 4}");
  }
};
struct no_nodes {
  no_nodes() = default;
  template <class V>
  no_nodes(V const &) {
    static_assert(nothing<V>,
                  "gossip::run_settings: there is no field nodes; nodes are a member of the "
                  "topology: gossip::ring{.nodes = 16}");
  }
};

/// The fields of run_settings in their order, and others that people write.
struct misread_settings {
  seed_field seed{};
  own_seed_field topology_seed{}, split_seed{};
  batch_field batch{};
  stop_field stop{};
  engine_field engine{};
  statistics_field statistics{};
  count_field reestimation{};
  start_field start{};
  count_field ranks{};
  interrupt_field interrupt{};
  answers_field answers{};
  state_field state{};
  no_length epochs{}, rounds{}, iterations{}, steps{};
  no_batch_size batch_size{};
  no_rate rate{}, learning_rate{}, lr{};
  no_threads threads{};
  no_nodes nodes{};
};

/// Refuses a call that is to return a Report.
template <class Report, class... Rest>
Report refuse_settings() {
  static_assert(nothing<void (*)(Rest...)>,
                "gossip::simulator: the first argument cannot be read as gossip::run_settings, or "
                "the simulator is const and run is not");
  return {};
}

}  // namespace gossip::detail
