// The mean of one row a rank, on every rank: each owns a slice of the columns, adds up what the
// others send it of that slice, and sends the mean back. Two steps, 2 (n - 1) / n rows a rank on
// the wire, as many as a ring of 2 (n - 1) steps sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/backend/cpu/row_sum.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/live/channel.hpp>
#include <gossip/live/collectives.hpp>

namespace gossip::live {

/// The sum of a slice is exact before it is rounded once (core/reproducible_sum.hpp), so the mean
/// is that of the simulator's all_reduce bit for bit, and the same on every rank.
template <channel Channel, class T>
class mean_of_rows {
 public:
  mean_of_rows(Channel const &channel, std::size_t columns)
      : channel_(channel),
        requests_(channel.rows()),
        columns_(columns),
        received_(channel.size() * size(channel.rank())),
        parts_(2 * size(channel.rank())),
        mean_(columns) {}

  /// mean (d) of all ranks' rows (d); false if a number that this rank adds up is too large or
  /// none.
  bool take(std::span<T const> row, settings const &s) {
    std::size_t const own = channel_.rank();
    std::span<T> const mean(mean_), own_mean = mean.subspan(first(own), size(own));
    for_others([&](std::size_t r) {
      requests_.receive(r, tag::slice, bytes_of(received(r)));
      requests_.send(r, tag::slice, bytes_of(row.subspan(first(r), size(r))));
    });
    complete(requests_, s);
    bool const finite = average_slice(row.subspan(first(own), size(own)), own_mean);
    for_others([&](std::size_t r) {
      requests_.receive(r, tag::mean_slice, bytes_of(mean.subspan(first(r), size(r))));
      requests_.send(r, tag::mean_slice, bytes_of(std::span<T const>(own_mean)));
    });
    complete(requests_, s);
    return finite;
  }

  T const *mean() const { return mean_.data(); }
  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

 private:
  /// mean of this rank's slice, of which it has `own` and received the others.
  bool average_slice(std::span<T const> own, std::span<T> mean) {
    flushed_denormals const guard;
    reproducible_sum const sums(parts_.data(), parts_.data() + own.size());
    bool finite = true;
    auto const add = [&](std::span<T const> slice) {
      finite &= host::add_columns(sums, 1.0, slice.data(), 0, slice.size());
    };
    add(own);
    for_others([&](std::size_t r) { add(received(r)); });
    double const n = static_cast<double>(channel_.size());
    for (std::size_t c = 0; c < mean.size(); ++c) mean[c] = static_cast<T>(sums.take_value(c) / n);
    return finite;
  }

  /// Rank r's slice of the columns.
  std::size_t first(std::size_t r) const { return columns_ * r / channel_.size(); }
  std::size_t size(std::size_t r) const { return first(r + 1) - first(r); }

  std::span<T> received(std::size_t r) {
    std::size_t const own = size(channel_.rank());
    return std::span<T>(received_).subspan(r * own, own);
  }

  /// Everybody begins with the rank after its own, so that not all send to one at once.
  template <class F>
  void for_others(F f) const {
    for (std::size_t k = 1; k < channel_.size(); ++k) f((channel_.rank() + k) % channel_.size());
  }

  Channel const &channel_;
  typename Channel::requests requests_;
  std::size_t columns_;
  std::vector<T> received_;          // (ranks, slice)
  std::vector<std::int64_t> parts_;  // (2, slice)
  std::vector<T> mean_;              // (d)
};

}  // namespace gossip::live
