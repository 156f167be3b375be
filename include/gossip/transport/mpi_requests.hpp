// Rows on their way between ranks: non-blocking messages, each with a ticket by which its owner
// knows it. Boost.MPI's wait_some and test_some move requests about, so that one could not be told
// from its neighbour; these are plain MPI on Boost's communicator.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>

namespace gossip {

namespace detail {

/// MPI's codes are always checked.
inline void check_mpi(int code, char const *call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

inline int mpi_count(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw error("mpi: a message of " + std::to_string(bytes) +
                " bytes is more than the 2147483647 that MPI counts");
  return static_cast<int>(bytes);
}

}  // namespace detail

class mpi_requests {
 public:
  explicit mpi_requests(MPI_Comm communicator) : communicator_(communicator) {}

  /// The bytes must stay as they are until the ticket comes back.
  void send(std::size_t to, std::uint32_t tag, std::span<std::byte const> bytes,
            std::uint32_t ticket) {
    sent_bytes_ += bytes.size();
    detail::check_mpi(
        MPI_Isend(bytes.data(), detail::mpi_count(bytes.size()), MPI_BYTE, static_cast<int>(to),
                  static_cast<int>(tag), communicator_, &push(ticket)),
        "MPI_Isend");
  }

  void receive(std::size_t from, std::uint32_t tag, std::span<std::byte> bytes,
               std::uint32_t ticket) {
    detail::check_mpi(
        MPI_Irecv(bytes.data(), detail::mpi_count(bytes.size()), MPI_BYTE, static_cast<int>(from),
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
  std::uint64_t sent_bytes_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::uint32_t> tickets_;
  std::vector<int> places_;
  std::vector<std::uint32_t> finished_;
};

}  // namespace gossip
