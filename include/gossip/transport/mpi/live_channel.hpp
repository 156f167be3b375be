// A channel of live learners over MPI: point-to-point messages of plain bytes, by Boost.MPI.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <climits>
#include <cstddef>
#include <span>
#include <string>

#include <gossip/core/error.hpp>

namespace gossip {

/// One rank of a communicator, as live/channel.hpp wants it. Its messages are its own: it works on
/// a duplicate. Everybody in the communicator must make one. Used by the thread that initialised
/// MPI and no other.
class live_channel {
 public:
  struct request {
    boost::mpi::request handle;
    bool complete = false;
  };

  explicit live_channel(boost::mpi::communicator const &of)
      : ranks_(of, boost::mpi::comm_duplicate),
        rank_(static_cast<std::size_t>(ranks_.rank())),
        size_(static_cast<std::size_t>(ranks_.size())) {}

  std::size_t rank() const { return rank_; }
  std::size_t ranks() const { return size_; }

  /// Throws input_error from 2 GiB on, which is what MPI takes in one message.
  request send(std::size_t to, int tag, std::span<std::byte const> bytes) {
    return {ranks_.isend(static_cast<int>(to), tag, reinterpret_cast<char const *>(bytes.data()),
                         count(bytes.size()))};
  }
  request receive(std::size_t from, int tag, std::span<std::byte> bytes) {
    return {ranks_.irecv(static_cast<int>(from), tag, reinterpret_cast<char *>(bytes.data()),
                         count(bytes.size()))};
  }
  bool test(request &r) {
    if (!r.complete) r.complete = r.handle.test().has_value();
    return r.complete;
  }
  bool arrived(std::size_t from, int tag) {
    return ranks_.iprobe(static_cast<int>(from), tag).has_value();
  }

 private:
  static int count(std::size_t bytes) {
    if (bytes > INT_MAX)
      throw input_error("live_channel", "messages below 2 GiB", std::to_string(bytes) + " bytes");
    return static_cast<int>(bytes);
  }

  boost::mpi::communicator ranks_;
  std::size_t rank_, size_;
};

}  // namespace gossip
