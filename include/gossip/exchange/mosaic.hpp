// Mosaic learning. S. Biswas, D. Frey, R. Gaudel, N. Gupta, A.-M. Kermarrec, D. Lereverend,
// R. Pires, R. Sharma, F. Taiani, M. de Vos, "Mosaic learning: a framework for decentralized
// learning with model fragmentation", arXiv 2602.04352 (2026), with the graphs of epidemic
// learning.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/plan.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Epidemic learning whose models are cut into nearly equal fragments of columns side by side, at
/// most a column each; every fragment goes to peers of its own, drawn anew: as many bytes, and
/// parts of a model come from more nodes. One fragment is epidemic_learning, to the bit; with more,
/// statistics of batch normalisation stay.
struct mosaic : epidemic_learning {
  std::size_t fragments = 8;

  void on_round(auto &plan, round_number k) const {
    check_fragments("mosaic: fragments", fragments, plan.columns());
    if (fragments == 1) return epidemic_learning::on_round(plan, k);
    plan.train_all();
    plan.step_all();
    if (!mixes(plan, k)) return;
    std::vector<fragment_mixture> parts;
    for (std::size_t p = 0; p < fragments; ++p)
      parts.push_back({drawn(plan), plan.fragment_of(p, fragments)});
    plan.mix_fragments(model_row, parts);
  }

  static constexpr char const *name = "mosaic";
  static constexpr char const *meaning =
      "Biswas et al. 2026: in every round, each fragment of a model goes to its own random nodes";
  static constexpr auto members() {
    return epidemic_learning::members().followed_by(
        described("fragments", &mosaic::fragments,
                  "number of fragments of a model, of adjacent columns", {.least = 1}));
  }
};

static_assert(exchange<mosaic>);

}  // namespace gossip
