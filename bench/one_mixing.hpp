// X <- W X in place through the engine, and nothing else: what the rates of exchanges are held to.
#pragma once

#include <cstddef>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/engine/host/levelled.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/model/gradient_worker.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

#include "idle_model.hpp"
#include "limits.hpp"

namespace gossip::bench {

/// A row of every node of a network, and one step of it with Metropolis and Hastings's weights.
template <std::size_t Parameters>
class one_mixing {
  using engine_type = levelled_engine<float>;

 public:
  using rows_type = typename engine_type::fleet_type;

  explicit one_mixing(graph const &network)
      : nodes_(network.nodes()),
        rows_(fleet_size{nodes_, Parameters, 0, false}),
        engine_({{1, 1, {Parameters, Parameters, Parameters}, 0, 0},
                 host_machine<float>(cores_),
                 model_,
                 rows_,
                 arithmetic<float>(sgd{}, false),
                 {}}),
        weights_(metropolis_hastings{}.weights(network)) {
    cores_.for_each(nodes_, [&](std::size_t, std::size_t i) {
      float *const row = rows_.parameters(static_cast<node>(i));
      for (std::size_t c = 0; c < Parameters; ++c)
        row[c] = static_cast<float>((i * 7919 + c) % 1000) * 1e-3f;
    });
    window_.matrices.push_back(&weights_);
    window_.functions.push_back({0, &entry_of<op::weighted_sum>});
    window_.stream.push_back({0, 0, {{0, false, true, true}}, work::mix{}});
    window_.sort_levels();
    step();
  }
  one_mixing(one_mixing const &) = delete;
  one_mixing &operator=(one_mixing const &) = delete;

  cpu const &cores() const { return cores_; }
  rows_type const &rows() const { return rows_; }

  /// Bytes of rows that a step reads and writes.
  double bytes() const { return 2.0 * static_cast<double>(nodes_ * Parameters) * sizeof(float); }
  /// Seconds of a step.
  double step() {
    cpu::session const session{cores_};
    return seconds(
        [this] { engine_.run(window_, [](observation const &) {}, [] { return false; }); });
  }

 private:
  std::size_t nodes_;
  cpu cores_;
  typed_model<idle_model<Parameters>, float, cpu> model_{{}};
  rows_type rows_;
  engine_type engine_;
  mixing_matrix weights_;
  plan_window window_;
};

}  // namespace gossip::bench
