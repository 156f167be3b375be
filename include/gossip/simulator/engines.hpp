// Which engine runs a plan with the options of a simulator.
#pragma once

#include <type_traits>

#include <gossip/core/error.hpp>
#include <gossip/engine/device_engine.hpp>
#include <gossip/engine/device_share.hpp>
#include <gossip/engine/host_share.hpp>
#include <gossip/engine/levelled_engine.hpp>
#include <gossip/engine/ranked_engine.hpp>
#include <gossip/engine/reference_engine.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// The functions that plans of an exchange name: types for engines on devices, pointers for others.
template <class Chosen, class Exchange>
constexpr auto functions_for() {
  if constexpr (Chosen::backend::on_device)
    return functions_of<Exchange>{};
  else
    return kernels<typename Chosen::number, functions_of<Exchange>>();
}

/// f(std::type_identity of the engine, the optimizer's arithmetic for it). Chosen: the options;
/// Functions: the column functions that a plan may name, which are compiled into engines on devices
/// and given to those on the host; waits: others may touch a model between its gradient and its
/// step.
template <class Chosen, class Model, class Source, class Functions, class Optimizer, class F>
auto with_engine(Optimizer const &optimizer, bool waits, execution how, F f) {
  using T = typename Chosen::number;
  using row = typename Chosen::row;
  using backend = typename Chosen::backend;
  using precision = typename Chosen::precision;
  using transport = typename Chosen::transport;
  if constexpr (transport::spans_ranks) {
    if (how == execution::reference)
      throw input_error(
          "engine: expected levelled, where there are ranks, got reference, which needs all nodes' "
          "rows at hand to execute one operation after another; run it in one process, whose bits "
          "are the same");
  }
  if constexpr (backend::on_device && transport::spans_ranks) {
    return optimizer.template kernel<T>(waits, [&](auto kernel) {
      using share = device_share<T, backend, Model, Source, decltype(kernel), transport, precision,
                                 Functions>;
      return f(std::type_identity<ranked_engine<share>>{}, kernel);
    });
  } else if constexpr (backend::on_device) {
    return optimizer.template kernel<T>(waits, [&](auto kernel) {
      using engine =
          device_engine<T, backend, Model, Source, decltype(kernel), precision, row, Functions>;
      return f(std::type_identity<engine>{}, kernel);
    });
  } else if constexpr (transport::spans_ranks) {
    using share = host_share<T, backend, Model, Source, transport, precision, row>;
    return f(std::type_identity<ranked_engine<share>>{},
             arithmetic<T>(optimizer, waits, Model::parameters));
  } else {
    auto const kernel = arithmetic<T>(optimizer, waits, Model::parameters);
    using reference = reference_engine<T, backend, Model, Source, precision, row>;
    using levelled = levelled_engine<T, backend, Model, Source, precision, row>;
    if (how == execution::reference) return f(std::type_identity<reference>{}, kernel);
    return f(std::type_identity<levelled>{}, kernel);
  }
}

}  // namespace gossip::detail
