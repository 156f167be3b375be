// Many ranks through MPI: the option of a simulator that spreads its nodes over the processes that
// mpirun has started, and the channel of live learners. This folder is the door to MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/transport/facts.hpp>
#include <gossip/transport/mpi/awaited_ranks.hpp>
#include <gossip/transport/mpi/blocks.hpp>
#include <gossip/transport/mpi/broadcast.hpp>
#include <gossip/transport/mpi/device_memory.hpp>
#include <gossip/transport/mpi/near_memory.hpp>
#include <gossip/transport/mpi/requests.hpp>
#include <gossip/transport/transport.hpp>

namespace gossip {

/// A division of nodes among ranks: returns the rank of each node, (n).
using graph_divider =
    std::function<std::vector<std::uint32_t>(graph const &network, std::size_t ranks)>;

/// simulator{topology, model, optimizer, exchange, mpi_ranks{}}: the same run on all processes of
/// MPI_COMM_WORLD, with the digest of one process. Copies share one communicator, whose messages
/// are its own. MPI is initialised by the first of them unless the program has done so, and then
/// ends with the program. All ranks make one; a rank that waits for others to do so, or to leave
/// main as it has, says that after a minute. live::run takes it as a channel, used by one thread.
class mpi_ranks {
 public:
  static constexpr bool spans_ranks = true;
  using requests = mpi_requests;

  /// publishes: whether ranks of one machine read each other's rows in memory that they share,
  /// where the system lets them; else they send them. most: what MPI counts to, and patience: until
  /// a rank says that it waits for others, both less in tests. The same on all.
  explicit mpi_ranks(graph_divider divide = multilevel_partition, bool publishes = true,
                     std::size_t most = detail::mpi_most,
                     std::chrono::milliseconds patience = std::chrono::minutes(1))
      : divide_(std::move(divide)),
        publishes_(publishes),
        most_(most),
        shared_(std::make_shared<state>(patience)) {}

  std::size_t rank() const { return static_cast<std::size_t>(world().rank()); }
  std::size_t size() const { return static_cast<std::size_t>(world().size()); }
  /// Number of ranks that share this one's memory and cores.
  std::size_t local_size() const { return shared_->near.ranks(); }
  /// The number of this one among those.
  std::size_t local_rank() const { return shared_->near.place(); }
  std::string machine() const { return boost::mpi::environment::processor_name(); }
  /// The number of another rank among those; none if it is on another machine.
  std::optional<std::size_t> local_rank_of(std::size_t rank) const {
    return shared_->near.place_of(rank);
  }
  /// Memory that those share, as many bytes each; all of them together. Empty where they cannot.
  near_memory share_memory(std::size_t bytes) const {
    if (!publishes_ || local_size() == 1) return {};
    return shared_->near.share(bytes);
  }

  /// Lets messages go on that are under way while a rank waits for something else.
  void progress() const { probe(MPI_ANY_SOURCE, MPI_ANY_TAG); }

  /// A message among the rows, which a receive would find: true where there is one.
  bool arrived(std::size_t from, std::uint32_t tag) const {
    return probe(static_cast<int>(from), static_cast<int>(tag));
  }

  /// Throws gossip::error where MPI is for programs of one thread only.
  void require_threads() const {
    if (boost::mpi::environment::thread_level() < boost::mpi::threading::funneled)
      throw error(
          "MPI: expected a library that allows several threads (MPI_THREAD_FUNNELED), got a "
          "library for a single thread; build it with thread support");
  }

  /// Whether MPI takes pointers to GPU memory for rows.
  bool reads_device_memory() const { return shared_->reads_device_memory; }
  /// Tags are below this.
  std::uint32_t largest_tag() const {
    return static_cast<std::uint32_t>(boost::mpi::environment::max_tag());
  }

  /// Whole rows on their way, and tiles, which do not meet.
  requests rows() const { return requests(shared_->rows, most_); }
  requests tiles() const { return requests(shared_->tiles, most_); }

  // All ranks together ---------------------------------------------------------------------------

  void all_reduce_sum(std::span<std::int64_t> values) const {
    reduce(values, MPI_INT64_T, MPI_SUM);
  }
  void all_reduce_sum(std::span<std::uint64_t> values) const {
    reduce(values, MPI_UINT64_T, MPI_SUM);
  }
  /// Exact where at most one rank's addend is not 0.
  void all_reduce_sum(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_SUM); }
  void all_reduce_max(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_MAX); }

  /// The number of ranks with the same word as this one.
  std::size_t count_equal(std::uint64_t word) const {
    std::vector<std::uint64_t> const all = all_gather(word);
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), word));
  }

  void broadcast(std::span<std::byte> bytes, std::size_t from) const {
    detail::in_pieces(bytes, most_, [&](std::byte *piece, int count) {
      detail::check_mpi(MPI_Bcast(piece, count, MPI_BYTE, static_cast<int>(from), world()),
                        "MPI_Bcast");
    });
  }

  /// The values of all ranks; V is what Boost.Serialization takes.
  template <class V>
  std::vector<V> all_gather(V const &own) const {
    std::vector<V> all;
    boost::mpi::all_gather(world(), own, all);
    return all;
  }

  /// Block q of `out` reaches rank q, one after another in `in`; sizes in bytes, a rank each.
  void all_to_all(std::byte const *out, std::span<std::size_t const> out_sizes, std::byte *in,
                  std::span<std::size_t const> in_sizes) const {
    detail::mpi_blocks const sent(out_sizes, most_), received(in_sizes, most_);
    detail::check_mpi(
        MPI_Alltoallv(out, sent.counts(), sent.offsets(), sent.type(), in, received.counts(),
                      received.offsets(), received.type(), world()),
        "MPI_Alltoallv");
  }

  /// Two words of every rank to all, without waiting; `answered` says whether they are there.
  using words = std::array<std::uint64_t, 2>;
  void propose(words const &own) const {
    shared_->proposal = own;
    shared_->answers.resize(size());
    detail::check_mpi(
        MPI_Iallgather(shared_->proposal.data(), 2, MPI_UINT64_T, shared_->answers.data(), 2,
                       MPI_UINT64_T, shared_->agreement, &shared_->proposing),
        "MPI_Iallgather");
  }
  bool answered() const {
    int there = 0;
    detail::check_mpi(MPI_Test(&shared_->proposing, &there, MPI_STATUS_IGNORE), "MPI_Test");
    return there != 0;
  }
  std::span<words const> answers() const { return shared_->answers; }

  /// On all ranks: throws input_error where a fact of one is not that of rank 0.
  void require_same(fact_list own) const {
    own.emplace_back("publishing of rows", publishes_ ? "on" : "off");
    require_equal_facts(all_gather(own));
  }

  /// f() on rank 0, while the others wait; what it throws is thrown on all.
  template <class F>
  void on_root(F f) const {
    shared_->failure.reset();            // of an earlier run: a new one begins with this
    std::pair<std::string, bool> fault;  // the sentence, whether the input is to blame
    if (rank() == 0) {
      try {
        f();
      } catch (input_error const &thrown) {
        fault = {thrown.what(), true};
      } catch (std::exception const &thrown) {
        fault = {thrown.what(), false};
      }
    }
    boost::mpi::broadcast(world(), fault, 0);
    if (!fault.first.empty() && fault.second) throw input_error(fault.first);
    if (!fault.first.empty()) throw error(fault.first);
  }

  /// The result of build() on all ranks, which rank 0 alone calls: a graph, mixing matrices.
  template <class Build>
  auto from_root(Build build) const {
    std::invoke_result_t<Build> made;
    on_root([&] { made = build(); });
    detail::broadcast(world(), made);
    return made;
  }

  /// The rank of each node, as rank 0 divides them.
  std::vector<std::uint32_t> owners(graph const &network) const {
    return from_root([&] { return divide_(network, size()); });
  }

  // Failing --------------------------------------------------------------------------------------

  /// The sentence that this rank prints of a failure, if any: rank 0's where all ranks fail; of a
  /// rank that fails alone with its number, and the others have to be ended with abort().
  struct failure_report {
    std::optional<std::string> sentence;
    bool alone = false;
  };

  /// Waits up to two seconds for the others to fail too. After a failure with rows on their way,
  /// the rank that has a sentence has to end all, and the others wait for that.
  failure_report failed(std::string const &sentence) const {
    auto const known = std::exchange(shared_->failure, std::nullopt);
    if (!known) return agreed(sentence);
    if (!known->sentence) std::this_thread::sleep_for(std::chrono::seconds(10));
    return {known->sentence, true};
  }

  /// A failure while rows are on their way, whose memory is still there: MPI must not be called any
  /// more once it is gone, so it is now that ranks find out who fails.
  void failing(std::string const &sentence) const { shared_->failure = agreed(sentence); }

  /// Ends all ranks.
  [[noreturn]] void abort(int status) const {
    boost::mpi::environment::abort(status);
    std::abort();
  }

 private:
  failure_report agreed(std::string const &sentence) const {
    MPI_Request all_failed = MPI_REQUEST_NULL;
    int together = 0;
    MPI_Ibarrier(shared_->failures, &all_failed);
    auto const patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (!together && std::chrono::steady_clock::now() < patience) {
      MPI_Test(&all_failed, &together, MPI_STATUS_IGNORE);
      std::this_thread::yield();
    }
    if (!together) return {"rank " + std::to_string(rank()) + ": " + sentence, true};
    if (rank() == 0) return {sentence, false};
    return {};
  }

  bool probe(int from, int tag) const {
    int there = 0;
    detail::check_mpi(MPI_Iprobe(from, tag, shared_->rows, &there, MPI_STATUS_IGNORE),
                      "MPI_Iprobe");
    return there != 0;
  }

  struct state {
    explicit state(std::chrono::milliseconds patience)
        : world(detail::awaited(initialised(), patience), own) {}

    static constexpr auto own = boost::mpi::comm_duplicate;  // messages do not meet others
    boost::mpi::communicator world;
    boost::mpi::communicator rows{world, own}, tiles{world, own};
    boost::mpi::communicator agreement{world, own}, failures{world, own};
    mpi_machine near{world};
    bool reads_device_memory = detail::mpi_reads_device_memory();
    MPI_Request proposing = MPI_REQUEST_NULL;
    words proposal{};
    std::vector<words> answers;
    std::optional<failure_report> failure;
  };

  /// Threads take turns in calling MPI.
  static boost::mpi::communicator initialised() {
    static boost::mpi::environment const environment(boost::mpi::threading::serialized, false);
    return {};
  }

  template <class V>
  void reduce(std::span<V> values, MPI_Datatype type, MPI_Op operation) const {
    detail::in_pieces(values, most_, [&](V *piece, int count) {
      detail::check_mpi(MPI_Allreduce(MPI_IN_PLACE, piece, count, type, operation, world()),
                        "MPI_Allreduce");
    });
  }

  boost::mpi::communicator const &world() const { return shared_->world; }

  graph_divider divide_;
  bool publishes_;
  std::size_t most_;
  std::shared_ptr<state> shared_;
};

static_assert(communicator<mpi_ranks>);

}  // namespace gossip
