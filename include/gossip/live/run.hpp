// A live run from beginning to end: every rank is one learner on the wall clock. What
// gossip::simulator::run is to a simulated network.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/clock/clock.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/split.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/live/ad_psgd.hpp>
#include <gossip/live/all_reduce.hpp>
#include <gossip/live/collectives.hpp>
#include <gossip/live/d_psgd.hpp>
#include <gossip/live/learner.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/plan/epochs.hpp>

namespace gossip::live {

/// The same on every rank.
struct options {
  std::uint64_t seed = 1;
  std::size_t batch = 32;  ///< samples a learner and gradient
  double epochs = 1;       ///< of the whole training set, by all learners together
  std::uint64_t exchanges = settings{}.exchanges;  ///< AD-PSGD ends after so many averages too
  std::vector<slow_node> slow{};              ///< ranks whose gradients take longer, factor >= 1
  std::optional<lognormal_time> simulated{};  ///< nothing is computed, learners sleep so long
  std::size_t test_samples = 1000;            ///< that each model is tested on at the end
  std::chrono::microseconds patience = settings{}.patience;
  std::optional<double> seconds_alone{};  ///< of a gradient; else measured on rank 0 before the run
  bool record = false;                    ///< keep the times of iterations and exchanges

  std::uint64_t iterations(std::size_t samples) const {
    return next_due(every_epochs(epochs, epoch(samples)), 0);
  }
  epoch_length epoch(std::size_t samples) const { return {batch, samples}; }
};

/// The results of a run, on rank 0.
struct report {
  std::vector<metrics> learners;        ///< by rank
  std::vector<learner_record> records;  ///< by rank, where options::record asks for them
  double iterations_per_epoch = 0;      ///< gradients
  double alone_seconds_per_epoch = 0;   ///< of one learner that has the machine for itself
  std::size_t parameters = 0;           ///< of the model
  double averaged_model_accuracy = 0;   ///< the mean of all models, on the test set
  std::size_t test_samples = 0;

  live::totals totals() const { return live::totals(learners); }
  double seconds_per_epoch() const { return totals().seconds_per_epoch(iterations_per_epoch); }
  double speed_up() const { return alone_seconds_per_epoch / seconds_per_epoch(); }

  /// Of all models in order of ranks, as gossip::run_report has it.
  std::uint64_t digest() const {
    std::uint64_t all = 0;
    for (metrics const &f : learners) all = gossip::detail::mix_word(all, f.hash);
    return all;
  }
};

namespace detail {

inline pace pace_of(options const &o, std::size_t rank, std::size_t ranks) {
  pace speed{.simulated = o.simulated};
  for (slow_node const &slow : o.slow) {
    if (slow.which >= ranks)
      throw input_error("live: slow learner", "a rank below " + std::to_string(ranks),
                        std::to_string(slow.which));
    if (slow.from != virtual_time(0) || slow.until != virtual_time::max())
      throw input_error("live: slow learner", "a learner that is slow from its start to its end",
                        "a learner with from or until");
    pace{.factor = slow.factor}.check();
    if (slow.which == rank) speed.factor = slow.factor;
  }
  speed.check();
  return speed;
}

inline void check(options const &o) {
  if (o.batch == 0) throw input_error("live: batch must be at least 1, got 0");
  if (o.exchanges == 0) throw input_error("live: exchanges must be at least 1, got 0");
  if (!(o.epochs > 0) || !(o.epochs < 1e9))
    throw input_error("live: epochs", "a number above 0", gossip::detail::shortest(o.epochs));
}

/// Seconds that one learner takes for a gradient and a step with the machine for itself: the
/// median, since others may still be starting.
template <class Learner>
double seconds_alone(Learner &learner, settings const &s) {
  constexpr std::size_t unmeasured = 3, measured = 15;
  std::vector<double> seconds;
  for (std::size_t k = 0; k < unmeasured + measured; ++k) {
    auto const begin = std::chrono::steady_clock::now();
    learner.begin();
    while (!learner.wait(std::chrono::seconds(1))) {
    }
    learner.step(s.rate);
    if (k >= unmeasured)
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds[measured / 2];
}

template <channel Channel, class Learner>
void run_exchange(Channel const &channel, Learner &learner, graph const &, all_reduce,
                  settings const &s) {
  run_all_reduce(channel, learner, s);
}
template <channel Channel, class Learner, class Weights>
void run_exchange(Channel const &channel, Learner &learner, graph const &g,
                  d_psgd<Weights> const &how, settings const &s) {
  run_d_psgd(channel, learner, how.weights(g), s);
}
template <channel Channel, class Learner>
void run_exchange(Channel const &channel, Learner &learner, graph const &g, ad_psgd,
                  settings const &s) {
  run_ad_psgd(channel, learner, g, s);
}

/// Models travel while gradients are computed, so those are of models that are there.
inline void check_order(mixing_order order, gradient_point point) {
  if (order != mixing_order::combine_then_adapt)
    throw input_error("live d_psgd: order", "combine_then_adapt", "adapt_then_combine");
  if (point != gradient_point::own) throw input_error("live d_psgd: point", "own", "mixed");
}

}  // namespace detail

/// Throws input_error for what cannot run, alike on every rank and before anything is sent.
template <class Exchange>
void check(options const &o, graph const &g, Exchange const &how) {
  detail::check(o);
  detail::pace_of(o, 0, g.nodes());
  check_on(how, g);
  if constexpr (requires { detail::check_order(how.order, how.point); })
    detail::check_order(how.order, how.point);
  if constexpr (std::is_same_v<Exchange, ad_psgd>) active_side(g);
}

/// Trains on the learner's share of the training set, node i of g being rank i, and tests at the
/// end. Everybody in the channel must call it with the same arguments. Exchanges: all_reduce,
/// d_psgd, ad_psgd. Where compute is simulated, learners start from different models and their
/// gradients are zero. Throws input_error and gossip::error.
template <class Backend, channel Channel, class Model, class Optimizer, class Exchange,
          class Policy>
report run(Channel const &channel, graph const &g, Model const &model, Optimizer const &optimizer,
           Exchange const &how, split<Policy> const &data, dataset const &test, options const &o) {
  using learner_type = learner<float>;
  constexpr bool replicas = std::is_same_v<Exchange, all_reduce>;
  check(o, g, how);
  Backend backend{};
  if constexpr (requires { backend.threads; }) backend.threads = 1;
  [[maybe_unused]] typename Backend::session const session{backend};
  std::size_t const rank = channel.rank(), n = channel.size(), samples = data.data->size();
  partition const shares = data.assign(n, o.seed);
  epoch_length const epoch = o.epoch(samples);

  settings s;
  s.seed = o.seed;
  s.iterations = o.iterations(samples);
  s.exchanges = o.exchanges;
  s.patience = o.patience;
  s.rate = [=](std::uint64_t steps) { return rate_at(optimizer, epoch.after(steps * n)); };
  auto const held = model_on_host<Backend, float>(model);
  auto const parts = [&](pace speed) {
    return learner_type::parts{host_machine<float>(backend),
                               *held,
                               arithmetic<float>(optimizer, !replicas, Model::parameters),
                               {data.data, &shares},
                               o.seed,
                               o.batch,
                               held->outline().row_length(),
                               static_cast<node>(rank),
                               speed};
  };

  report result;
  result.parameters = Model::parameters;
  result.iterations_per_epoch = 1.0 / epoch.after(1);
  if (rank == 0) {
    double seconds = 0;
    if (o.seconds_alone) {
      seconds = *o.seconds_alone;
    } else if (o.simulated) {
      seconds = std::chrono::duration<double>(o.simulated->mean).count();
    } else {
      learner_type alone(parts({}));
      seconds = detail::seconds_alone(alone, s);
    }
    result.alone_seconds_per_epoch = seconds / epoch.after(1);
  }

  learner_type own(parts(detail::pace_of(o, rank, n)));
  if (o.simulated && !replicas)
    for (float &x : own.exchanged()) x += static_cast<float>(rank) / static_cast<float>(n);
  if (o.record) own.recorded().keep();
  detail::run_exchange(channel, own, g, how, s);
  own.counted().hash = gossip::detail::hash_bytes(own.row().data(), own.row().size_bytes());

  result.test_samples = std::min(o.test_samples, test.size());
  if (result.test_samples > 0 && !o.simulated) {
    own.counted().correct = own.score(own.row().data(), test, result.test_samples).correct;
    own.counted().samples = static_cast<double>(result.test_samples);
  }
  result.learners = gather_metrics(channel, own.counted(), s);
  if (o.record) result.records = gather_records(channel, own.recorded().kept(), s);
  std::vector<float> const mean = gather_mean(channel, own.row(), s);
  if (rank == 0 && own.counted().samples > 0)
    result.averaged_model_accuracy =
        own.score(mean.data(), test, result.test_samples).correct / own.counted().samples;
  return result;
}

}  // namespace gossip::live
