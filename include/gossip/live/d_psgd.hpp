// D-PSGD, live. X. Lian, C. Zhang, H. Zhang, C.-J. Hsieh, W. Zhang, J. Liu, "Can decentralized
// algorithms outperform centralized algorithms?", NeurIPS 2017, Algorithm 1:
// x_i <- sum_j w_ij x_j - rate d(g_i(x_i)), models on their way while gradients are computed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/core/error.hpp>
#include <gossip/live/all_reduce.hpp>
#include <gossip/live/channel.hpp>
#include <gossip/live/collectives.hpp>
#include <gossip/live/learner.hpp>
#include <gossip/mixing/cast_weights.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/mix.hpp>

namespace gossip::live {

/// x <- the mix of it and its neighbours' models, as row i of W says: the arithmetic of the
/// simulator, products rounded and added in ascending order of the nodes.
template <class T>
void mix_into(op::mixing_row<T> const &w, node self, std::span<T const> neighbors, std::span<T> x) {
  flushed_denormals const guard;
  std::size_t const d = x.size();
  constexpr std::size_t tile = 2048;
  T sum[tile];
  for (std::size_t first = 0; first < d; first += tile) {
    std::size_t const width = std::min(tile, d - first);
    T const *neighbor = neighbors.data() + first;
    for (std::size_t k = 0; k < w.entries; ++k) {
      T const value = w.values[k];
      bool const own = w.columns[k] == self;
      T const *const from = own ? x.data() + first : neighbor;
      if (!own) neighbor += d;
      for (std::size_t c = 0; c < width; ++c)
        sum[c] = k == 0 ? value * from[c] : sum[c] + value * from[c];
    }
    std::copy_n(sum, width, x.data() + first);
  }
}

/// Runs whole rounds until all learners together have computed s.iterations gradients. A learner
/// waits for its neighbours only. The models are, bit for bit, those of the simulator's d_psgd on
/// the same kind of processor. The learner's arithmetic must be that of gradients that wait. Throws
/// input_error unless W is doubly stochastic and has a row a rank.
template <channel Channel, class Learner>
void run_d_psgd(Channel const &channel, Learner &learner, mixing_matrix const &w,
                settings const &s) {
  using T = typename Learner::number;
  if (w.rows() != channel.size())
    throw input_error("live d_psgd", "weights for " + std::to_string(channel.size()) + " ranks",
                      std::to_string(w.rows()));
  if (!w.is_doubly_stochastic())
    throw input_error("live d_psgd", "doubly stochastic weights",
                      "weights whose columns do not sum to 1 on this graph");
  auto const row = w.row(channel.rank());
  std::vector<T> const weights = cast_weights<T>(w);
  op::mixing_row<T> const mixed{
      row.columns.data(), &weights[w.compressed().offsets[channel.rank()]], row.columns.size()};
  std::size_t const d = learner.exchanged().size();
  std::vector<T> neighbors((row.columns.size() - 1) * d);  // (neighbors, d) in ascending order
  auto requests = channel.rows();
  measured(channel, learner, s, [&] {
    for (std::uint64_t k = 0; k < rounds(channel, s); ++k) {
      learner.begin();
      auto const began = recording::clock::now();
      std::size_t place = 0;
      for (node const j : row.columns) {
        if (j == channel.rank()) continue;
        requests.receive(j, tag::model, bytes_of(std::span(neighbors).subspan(place, d)));
        requests.send(j, tag::model, bytes_of(std::span<T const>(learner.exchanged())));
        place += d;
      }
      bool trained = false, met = false;
      while (!trained || !met) {
        if (!met && complete(requests)) {
          met = true;
          learner.recorded().exchanged(learner.self(), k, began, neighbors.size() * sizeof(T));
        }
        trained = learner.wait(std::chrono::nanoseconds(0));
        if (!trained || !met) pause(learner, !trained, s);
      }
      learner.recorded().resume();
      mix_into<T>(mixed, static_cast<node>(channel.rank()), neighbors, learner.exchanged());
      if (row.columns.size() > 1) learner.changed();
      learner.step(s.rate);
    }
    learner.counted().exchanges = rounds(channel, s);
    learner.counted().bytes_sent = requests.sent_bytes();
  });
}

}  // namespace gossip::live
