// Checkpoints of ranks: a shard each, from which any number of processes goes on.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/observer/checkpoints.hpp>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "../data/temporary_folder.hpp"
#include "../exchange/message_exchanges.hpp"
#include "outcomes.hpp"
#include "ranks.hpp"

using namespace gossip;

namespace {

run_settings const some_rounds{.seed = 3, .batch = 5, .stop = rounds{14}};

/// records: of all observations, which the observers of rank 0 alone keep.
template <class... Options>
run_report run(test::some_exchange const &exchange, run_settings const &settings,
               checkpoints const &to, std::vector<record> &records, Options const &...options) {
  simulator network{ring{9}, test::normalised_classifier{}, sgd{.rate = 0.05, .momentum = 0.9},
                    exchange, options...};
  return network.run(settings, split(test::tiny_images(), iid{}), to,
                     every(rounds{1}, consensus_distance{}, test::keep{&records}));
}

/// Ends at its first window's end with a checkpoint in the folder.
template <class... Ranks>
void cut(test::some_exchange const &exchange, std::string const &folder, Ranks const &...ranks) {
  std::atomic<bool> cord{true}, ended{false};
  auto settings = some_rounds;
  settings.interrupt = &ended;
  std::vector<record> records;
  CHECK(run(exchange, settings, {folder, rounds{1000}, &cord, &ended}, records, ranks...)
            .interrupted);
  CHECK(detail::checkpoint_windows(folder).size() == 1);
}

}  // namespace

TEST_CASE("any number of ranks goes on from the files of any other", "[ranks]") {
  mpi_ranks const &ranks = test::all_ranks();
  test::temporary_folder const own;
  // All ranks have the folder of rank 0.
  std::string const shared = ranks.all_gather(std::vector<std::string>{own.path()})[0][0];
  std::size_t number = 0;
  auto const check = [&](test::some_exchange const &exchange) {
    std::string const none = own.path("none");
    std::string const of_ranks = shared + "/ranks" + std::to_string(number);
    std::string const of_one = shared + "/one" + std::to_string(number++);
    std::vector<record> all;
    std::string const expected = hex(run(exchange, some_rounds, {none, rounds{1000}}, all).digest);
    auto const digest = [&](std::string const &from, auto const &...options) {
      auto const saved = newest_checkpoint(from);
      REQUIRE(saved);
      auto settings = some_rounds;
      settings.state = saved.get();
      std::vector<record> records;
      auto const report = run(exchange, settings, {none, rounds{1000}}, records, options...);
      if (sizeof...(options) == 0 || ranks.rank() == 0) {
        REQUIRE(records.size() == all.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
          CHECK(records[k].mark.round == all[k].mark.round);
          CHECK(*records[k].consensus_distance == *all[k].consensus_distance);
        }
      }
      CHECK(report.node_iterations == 14 * 9);
      return hex(report.digest);
    };
    if (ranks.rank() == 0) cut(exchange, of_one);
    cut(exchange, of_ranks, ranks);
    std::vector<double> here{1};  // a barrier: rank 0's own checkpoint is there
    ranks.all_reduce_max(here);
    CHECK(digest(of_one, ranks) == expected);
    CHECK(digest(of_ranks, ranks) == expected);
    CHECK(digest(of_ranks) == expected);
    std::uint64_t const newest = detail::checkpoint_windows(of_ranks).front();
    CHECK(checkpoint::notes_of(detail::checkpoint_folder(of_ranks, newest)).size() == ranks.size());
    // Written while the run goes on; the last but one, of which nothing was written after the run.
    auto settings = some_rounds;
    settings.copy_of_state = true;
    std::string const behind = shared + "/behind" + std::to_string(number);
    std::vector<record> records;
    run(exchange, settings, {behind, rounds{1}}, records, ranks);
    ranks.all_reduce_max(here);
    if (ranks.rank() == 0)
      std::filesystem::remove_all(
          detail::checkpoint_folder(behind, detail::checkpoint_windows(behind).front()));
    ranks.all_reduce_max(here);
    CHECK(digest(behind, ranks) == expected);
    ranks.all_reduce_max(here);  // before a folder goes
  };
  check(d_psgd{});
  check(ad_psgd{});
  check(all_reduce{});
  check(test::letters{});
}
