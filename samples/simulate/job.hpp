// A run, put together from a configuration: what the models' translation units get.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/described.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/plan_report.hpp>
#include <gossip/simulator/settings.hpp>

#include "built_models.hpp"
#include "evaluation.hpp"
#include "policies.hpp"
#include "ranks.hpp"

namespace simulate {

using period = std::variant<gossip::epochs, gossip::rounds>;

using quadratic_model = gossip::quadratic<16>;
using chosen_precision = one_of<offered_precisions>;
using chosen_storage = one_of<offered_storage>;

/// Fields of the settings of a run.
inline constexpr auto described_engine = gossip::described(
    "engine", &gossip::run_settings::engine,
    "engine; reference executes one operation at a time: slow, with identical results");
inline constexpr auto described_statistics = gossip::described(
    "statistics", &gossip::run_settings::statistics,
    "statistics of batch normalization: exchanged like parameters (mixed), kept by each node "
    "(own), or kept and measured anew for every evaluation (reestimated)");

struct job {
  built_topology topology;
  chosen_optimizer optimizer;
  gossip::any_exchange exchange = gossip::none{};
  gossip::virtual_clock<gossip::any_compute_time> clock;
  gossip::run_settings settings;
  std::size_t threads = 0;  // 0: gossip::usual_threads()
  chosen_split split;
  std::size_t flipped_nodes = 0;
  quadratic_model quadratic;
  chosen_precision precision;
  chosen_storage storage;
  std::size_t device_memory = 0;  // bytes of a GPU's, for rows that lie on the host; 0: on the GPU
  period every;                   // evaluation
  gossip::sample_outline training;
  bool rate_follows_length = false;  // of the run
  std::optional<ranks> world;        // where this process is one of several
};

}  // namespace simulate
