// Provenance of a run's result: its policies in words, the machine, the program.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>

#include <gossip/backend/cpu/blas.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/members.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/processor.hpp>
#include <gossip/core/type_name.hpp>
#include <gossip/observer/provenance.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

template <class X>
named_policy policy_in_words(X const &x);

/// A member's value in words; a policy with members as "top_k(share 0.01)".
template <class V>
std::string in_words(V const &value) {
  if constexpr (std::is_same_v<V, virtual_time>) {
    return exact_duration(value);
  } else if constexpr (in_a_word<V>) {
    return word_of(value);
  } else if constexpr (text<V>) {
    return std::string(std::string_view(value));
  } else if constexpr (is_variant<V>) {
    return std::visit([](auto const &kind) { return in_words(kind); }, value);
  } else if constexpr (optional_value<V>) {
    return value.has_value() ? in_words(*value) : "none";
  } else if constexpr (list<V>) {
    if constexpr (in_a_word<element_of<V>>) return words_of(value);
    return std::to_string(std::distance(std::begin(value), std::end(value))) + " entries";
  } else if constexpr (!describes_itself<V> && requires { value.kind.index(); }) {
    return in_words(value.kind);  // one of several policies
  } else {
    named_policy const policy = policy_in_words(value);
    std::string members;
    for (auto const &[name, word] : policy.members)
      members += (members.empty() ? "" : ", ") + name + ' ' + word;
    return policy.name + (members.empty() ? "" : '(' + members + ')');
  }
}

/// By its own description; of a policy without one the type, and members by their places.
template <class X>
named_policy policy_in_words(X const &x) {
  if constexpr (requires { x.in_words(); }) {
    return x.in_words();
  } else if constexpr (describes_itself<X>) {
    named_policy told{X::name, {}};
    auto const add = [&](auto const &m) { told.members.emplace_back(m.name, in_words(x.*m.at)); };
    X::members().each(add);
    return told;
  } else {
    named_policy told{type_name(typeid(X)), {}};
    if constexpr (decomposable<X>) {
      auto const add = [&](auto const &member) {
        told.members.emplace_back("member " + std::to_string(told.members.size() + 1),
                                  in_words(member));
      };
      std::apply([&](auto const &...member) { (add(member), ...); }, members_of(x));
    }
    return told;
  }
}

/// T: of arithmetic; Row: of rows; precision: of gradients, "" where it is that of T.
template <class T, class Row>
std::string numbers_in_words(std::string const &precision) {
  auto const name = []<class V>(std::type_identity<V>) -> std::string {
    if constexpr (requires { V::name; })
      return V::name;
    else
      return std::is_same_v<V, double> ? "double" : "float";
  };
  std::string all = name(std::type_identity<T>{});
  if (!precision.empty()) all += ", gradients in " + precision;
  if constexpr (!std::is_same_v<T, Row>) all += ", rows in " + name(std::type_identity<Row>{});
  return all;
}

/// numbers: in words; machine: host_machine<T>, or a device.
template <class Machine>
provenance provenance_of(run_settings const &settings, named_policy exchange, std::string numbers,
                         Machine const &machine) {
  provenance of;
  of.seed = settings.seed;
  of.topology_seed = settings.topology_seed;
  of.split_seed = settings.split_seed;
  of.exchange = std::move(exchange);
  if constexpr (Machine::on_device)
    of.backend = Machine::name;
  else
    of.backend = machine.backend_name();
  of.numbers = std::move(numbers);
  of.processor = processor_name();
  if constexpr (requires { machine.device_name(); }) of.device = machine.device_name();
  of.blas = blas::library_name();
  of.kernels = blas::kernel_name();
  if constexpr (requires { machine.library_name(); }) of.library = machine.library_name();
  return of;
}

/// What ranks compare before a run: its facts, how far its state is, the memory that each of them
/// may take, and the parts of the machine on which bits depend.
template <class Backend>
fact_list of_rank(fact_list const &told, run_settings const &settings, Backend const &backend) {
  fact_list all = with_state(told, settings);
  add_facts(all, "limit of memory", settings.memory);
  add_facts(all, "the tier", settings.tier);
  if constexpr (requires { backend.device_name(); })
    all.emplace_back("device", backend.device_name());
  all.emplace_back("library of BLAS", blas::library_name());
  all.emplace_back("kernels of BLAS (OPENBLAS_CORETYPE sets them)", blas::kernel_name());
  return all;
}

}  // namespace gossip::detail
