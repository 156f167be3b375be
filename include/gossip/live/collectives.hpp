// Parts of all live runs: settings, waiting, a common start, and gathering metrics and models.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <gossip/live/channel.hpp>
#include <gossip/live/metrics.hpp>
#include <gossip/live/recording.hpp>

namespace gossip::live {

/// The same on every rank.
struct settings {
  std::uint64_t seed = 1;
  std::uint64_t iterations = 0;  ///< gradients of all learners together, and then the run ends
  std::uint64_t exchanges = std::numeric_limits<std::uint64_t>::max();  ///< or after so many
                                                                        ///< averages (AD-PSGD)
  /// The learning rate after so many steps of a learner.
  std::function<double(std::uint64_t)> rate = [](std::uint64_t) { return 0.0; };
  /// The time that an idle learner waits before it looks for messages again: nobody but the program
  /// moves messages on, and looking without end takes the core from the gradients.
  std::chrono::microseconds patience{50};
};

/// Waits for requests while nothing else is to be done.
template <request_pool Pool>
void complete(Pool &requests, settings const &s) {
  while (!complete(requests)) std::this_thread::sleep_for(s.patience);
}

/// Waits a while: for the learner's gradient where one is awaited, or until it is time to look for
/// messages again.
template <class Learner>
void pause(Learner &learner, bool awaits_gradient, settings const &s) {
  if (awaits_gradient)
    learner.wait(s.patience);
  else
    std::this_thread::sleep_for(s.patience);
}

/// Nobody returns before everybody has called it.
template <channel Channel>
void gather_all(Channel const &channel, settings const &s) {
  std::byte word{};
  auto requests = channel.rows();
  std::vector<std::byte> words(channel.size());
  if (channel.rank() == 0) {
    for (std::size_t r = 1; r < channel.size(); ++r)
      requests.receive(r, tag::gathered, {&words[r], 1});
    complete(requests, s);
    for (std::size_t r = 1; r < channel.size(); ++r) requests.send(r, tag::go, {&word, 1});
  } else {
    requests.send(0, tag::gathered, {&word, 1});
    requests.receive(0, tag::go, {&words[0], 1});
  }
  complete(requests, s);
}

/// Runs body() between a common start and the learner's own end, and measures it.
template <channel Channel, class Learner, class Body>
void measured(Channel const &channel, Learner &learner, settings const &s, Body body) {
  metrics &f = learner.counted();
  f.sum_before = learner.sum();
  gather_all(channel, s);
  learner.recorded().start();
  auto const begin = std::chrono::steady_clock::now();
  body();
  f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  learner.finish();
  f.sum_after = learner.sum();
  f.magnitude = learner.magnitude();
  gather_all(channel, s);
}

/// The metrics of all ranks on rank 0, in order of ranks; elsewhere nothing.
template <channel Channel>
std::vector<metrics> gather_metrics(Channel const &channel, metrics const &own, settings const &s) {
  auto requests = channel.rows();
  std::vector<metrics> all;
  if (channel.rank() == 0) {
    all.resize(channel.size());
    all[0] = own;
    for (std::size_t r = 1; r < all.size(); ++r)
      requests.receive(r, tag::gathered, bytes_of(std::span(&all[r], 1)));
  } else {
    requests.send(0, tag::gathered, bytes_of(std::span<metrics const>(&own, 1)));
  }
  complete(requests, s);
  return all;
}

/// Plain data of all ranks on rank 0, in order of ranks; elsewhere nothing.
template <channel Channel, class T>
std::vector<std::vector<T>> gather_lists(Channel const &channel, std::vector<T> const &own,
                                         settings const &s) {
  std::uint64_t const count = own.size();
  auto requests = channel.rows();
  std::vector<std::vector<T>> all;
  if (channel.rank() > 0) {
    requests.send(0, tag::gathered, bytes_of(std::span<std::uint64_t const>(&count, 1)));
    if (count > 0) requests.send(0, tag::gathered, bytes_of(std::span<T const>(own)));
    complete(requests, s);
    return all;
  }
  all.assign(channel.size(), own);
  for (std::size_t r = 1; r < all.size(); ++r) {
    std::uint64_t theirs = 0;
    requests.receive(r, tag::gathered, bytes_of(std::span(&theirs, 1)));
    complete(requests, s);
    all[r].resize(theirs);
    if (theirs > 0) requests.receive(r, tag::gathered, bytes_of(std::span(all[r])));
    complete(requests, s);
  }
  return all;
}

/// What all ranks have recorded, on rank 0; elsewhere nothing.
template <channel Channel>
std::vector<learner_record> gather_records(Channel const &channel, learner_record const &own,
                                           settings const &s) {
  auto iterations = gather_lists(channel, own.iterations, s);
  auto exchanges = gather_lists(channel, own.exchanges, s);
  std::vector<learner_record> all(iterations.size());
  for (std::size_t r = 0; r < all.size(); ++r)
    all[r] = {std::move(iterations[r]), std::move(exchanges[r])};
  return all;
}

/// The mean of all ranks' models on rank 0, summed in double in order of ranks; elsewhere nothing.
template <channel Channel, class T>
std::vector<T> gather_mean(Channel const &channel, std::span<T> own, settings const &s) {
  auto requests = channel.rows();
  std::vector<T> mean;
  if (channel.rank() > 0) {
    requests.send(0, tag::gathered, bytes_of(std::span<T const>(own)));
    complete(requests, s);
    return mean;
  }
  std::vector<double> sums(own.begin(), own.end());
  mean.resize(own.size());
  for (std::size_t r = 1; r < channel.size(); ++r) {
    requests.receive(r, tag::gathered, bytes_of(std::span(mean)));
    complete(requests, s);
    for (std::size_t c = 0; c < mean.size(); ++c) sums[c] += static_cast<double>(mean[c]);
  }
  for (std::size_t c = 0; c < mean.size(); ++c)
    mean[c] = static_cast<T>(sums[c] / static_cast<double>(channel.size()));
  return mean;
}

}  // namespace gossip::live
