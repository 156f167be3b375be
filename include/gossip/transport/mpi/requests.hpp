// Messages on their way between ranks, the pool of transport/transport.hpp over MPI. Boost.MPI's
// wait_some and test_some move requests about, so that one could not be told from its neighbour;
// these are plain MPI on Boost's communicator.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <gossip/transport/mpi/blocks.hpp>
#include <gossip/transport/transport.hpp>

namespace gossip {

class mpi_requests {
 public:
  /// most: the largest count.
  explicit mpi_requests(MPI_Comm communicator, std::size_t most = detail::mpi_most)
      : communicator_(communicator), most_(most) {}

  void send(std::size_t to, std::uint32_t tag, std::span<std::byte const> bytes,
            std::uint32_t ticket = 0) {
    sent_bytes_ += bytes.size();
    detail::mpi_unit const unit(detail::unit_of(bytes.size(), bytes.size(), most_));
    detail::check_mpi(
        MPI_Isend(bytes.data(), unit.count(bytes.size()), unit.type(), static_cast<int>(to),
                  static_cast<int>(tag), communicator_, &push(ticket)),
        "MPI_Isend");
  }

  void receive(std::size_t from, std::uint32_t tag, std::span<std::byte> bytes,
               std::uint32_t ticket = 0) {
    detail::mpi_unit const unit(detail::unit_of(bytes.size(), bytes.size(), most_));
    detail::check_mpi(
        MPI_Irecv(bytes.data(), unit.count(bytes.size()), unit.type(), static_cast<int>(from),
                  static_cast<int>(tag), communicator_, &push(ticket)),
        "MPI_Irecv");
  }

  bool empty() const { return requests_.empty(); }
  std::uint64_t sent_bytes() const { return sent_bytes_; }

  /// f(ticket) for every message that has arrived or left by now; whether there was one.
  template <class F>
  bool poll(F f) {
    if (requests_.empty()) return false;
    int count = 0;
    places_.resize(requests_.size());
    detail::check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                   places_.data(), MPI_STATUSES_IGNORE),
                      "MPI_Testsome");
    return finish(count, f);
  }

  /// Waits for all.
  void wait() {
    detail::check_mpi(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    requests_.clear();
    tickets_.clear();
  }

 private:
  MPI_Request &push(std::uint32_t ticket) {
    tickets_.push_back(ticket);
    return requests_.emplace_back(MPI_REQUEST_NULL);
  }

  template <class F>
  bool finish(int count, F f) {
    if (count == 0 || count == MPI_UNDEFINED) return false;
    auto const done = std::span(places_).first(static_cast<std::size_t>(count));
    std::sort(done.begin(), done.end(), std::greater<>{});
    finished_.clear();
    for (int const place : done) {
      auto const p = static_cast<std::size_t>(place);
      finished_.push_back(tickets_[p]);
      requests_[p] = requests_.back();
      tickets_[p] = tickets_.back();
      requests_.pop_back();
      tickets_.pop_back();
    }
    // f may send and receive more.
    for (std::size_t k = finished_.size(); k-- > 0;) f(finished_[k]);
    return true;
  }

  MPI_Comm communicator_;
  std::size_t most_;
  std::uint64_t sent_bytes_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::uint32_t> tickets_;
  std::vector<int> places_;
  std::vector<std::uint32_t> finished_;
};

static_assert(request_pool<mpi_requests>);

}  // namespace gossip
