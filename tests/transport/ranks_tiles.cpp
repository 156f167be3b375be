// Halos that come in tiles: published in memory that ranks share, sent, or both.
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/simulator/cpu_offload.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../fleet/stores.hpp"
#include "ranks.hpp"

namespace {

/// Ranks as if even and odd ones were on two machines.
struct two_machines : gossip::mpi_ranks {
  std::shared_ptr<MPI_Comm> half{new MPI_Comm{MPI_COMM_NULL}, [](MPI_Comm *one) {
                                   MPI_Comm_free(one);
                                   delete one;
                                 }};

  two_machines() { MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(rank() % 2), 0, half.get()); }
  std::optional<std::size_t> local_rank_of(std::size_t other) const {
    if (other % 2 != rank() % 2) return std::nullopt;
    return other / 2;
  }
  gossip::near_memory share_memory(std::size_t bytes) const { return {*half, bytes}; }
};

/// Networks whose halos come in tiles, of several lengths.
struct tiled_network {
  std::size_t nodes;

  template <class... Ranks>
  gossip::run_report run(gossip::run_settings const &settings, Ranks const &...ranks) const {
    using namespace gossip;
    quadratic<9001> const wide{
        .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
    return simulator{random_regular{.nodes = nodes, .degree = 8},
                     wide,
                     sgd{.rate = 0.1, .momentum = 0.9},
                     d_psgd{},
                     cpu{.threads = 1},
                     ranks...}
        .run(settings);
  }
};

constexpr std::array<tiled_network, 2> networks{{{30}, {60}}};

/// Digests of one process, each made by one rank.
std::vector<std::string> const &digests_of_one_process() {
  static std::vector<std::string> const digests = [] {
    gossip::mpi_ranks const &ranks = gossip::test::all_ranks();
    std::vector<std::string> made(networks.size());
    for (std::size_t k = ranks.rank(); k < made.size(); k += ranks.size())
      made[k] = gossip::hex(networks[k].run(gossip::test::six_rounds).digest);
    auto const by_ranks = ranks.all_gather(made);
    for (std::size_t k = 0; k < made.size(); ++k) made[k] = by_ranks[k % ranks.size()][k];
    return made;
  }();
  return digests;
}

template <class Ranks>
void check_tiles(Ranks const &ranks,
                 gossip::run_settings const &settings = gossip::test::six_rounds) {
  for (std::size_t k = 0; k < networks.size(); ++k) {
    auto const many = networks[k].run(settings, ranks);
    CAPTURE(networks[k].nodes);
    CHECK(gossip::hex(many.digest) == digests_of_one_process()[k]);
    CHECK(many.traffic.bytes_sent == many.traffic.planned_bytes);
  }
}

}  // namespace

// The rows that a rank publishes in a tile are those that others find, whatever the sizes were
// before.
TEST_CASE("published rows are those of the tile, also where sizes change", "[ranks]") {
  gossip::mpi_ranks const &ranks = gossip::test::all_ranks();
  if (ranks.local_size() == 1) return;
  CHECK(!ranks.share_memory(4096).empty());
  std::vector<std::size_t> others;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) others.push_back(r);
  gossip::published_tiles<std::uint32_t, gossip::mpi_ranks> published(ranks);
  std::size_t wrong = 0;
  for (std::size_t const width : {64, 1000, 64, 8, 5000, 1000}) {
    published.begin(3, width);
    published.between(others, others);
    auto const value = [&](std::size_t rank, std::size_t place, std::uint64_t tile) {
      return static_cast<std::uint32_t>(((tile * 16 + rank) * 4 + place) * 8192 + width);
    };
    std::uint64_t const first = published.published_so_far();
    auto const publish = [&] {
      published.wait_for_room();
      for (std::size_t place = 0; place < 3; ++place)
        std::fill_n(published.room(place), width,
                    value(ranks.rank(), place, published.published_so_far()));
      published.publish();
    };
    publish();
    for (std::uint64_t tile = first; tile < first + 20; ++tile) {
      if (tile + 1 < first + 20) publish();
      published.wait_for_rows(tile);
      for (std::size_t const r : others)
        for (std::size_t place = 0; place < 3; ++place) {
          std::uint32_t const *const row = published.row(r, place, tile);
          wrong += std::count(row, row + width, value(r, place, tile)) !=
                   static_cast<std::ptrdiff_t>(width);
        }
      published.done(tile);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rows published in memory and rows sent give the same bits", "[ranks]") {
  check_tiles(gossip::test::all_ranks());
  check_tiles(gossip::mpi_ranks(gossip::multilevel_partition, false));
  check_tiles(two_machines{});
}

// Columns of a block in memory end where a tile may not: tiles of all ranks end there too.
TEST_CASE("tiles of rows in a store give the same bits", "[ranks]") {
  using namespace gossip;
  run_settings settings = test::six_rounds;
  settings.store = [](std::uint64_t bytes) { return std::make_unique<test::awkward_store>(bytes); };
  for (bool const by_owner : {false, true})
    for (std::size_t const columns : {1, 2}) {
      settings.tier = tier_shape{6, 2, columns * lease_parts::unit, by_owner};
      CAPTURE(by_owner, columns);
      check_tiles(test::all_ranks(), settings);
      if (columns == 1) check_tiles(two_machines{}, settings);
    }
}

// Rows of other ranks are there as whole rows only; ranks with more threads have the same blocks.
TEST_CASE("few operations at a time take whole rows from blocks of a store", "[ranks]") {
  using namespace gossip;
  gossip::mpi_ranks const &ranks = gossip::test::all_ranks();
  quadratic<9001> const wide{.curvature = {1.0, 0.5}, .optimum = {1, -2, 3}, .start = 0.25};
  auto const digest = [&](run_settings const &settings, auto const &...options) {
    return hex(simulator{random_regular{.nodes = 96, .degree = 4}, wide,
                         sgd{.rate = 0.1, .momentum = 0.9}, ad_psgd{}, options...}
                   .run(settings)
                   .digest);
  };
  run_settings settings{.seed = 3, .stop = rounds{4}};
  std::string const one = digest(settings, cpu{.threads = 1});
  settings.store = [](std::uint64_t bytes) { return std::make_unique<test::awkward_store>(bytes); };
  for (bool const by_owner : {false, true}) {
    settings.tier = tier_shape{6, 2, lease_parts::unit, by_owner};
    CAPTURE(by_owner);
    CHECK(digest(settings, cpu{.threads = 1 + ranks.rank()}, ranks) == one);
  }
  if (ranks.size() == 1) return;
  settings.tier->columns *= 1 + ranks.rank();
  CHECK_THROWS_WITH(digest(settings, cpu{.threads = 1}, ranks), Catch::Contains("of the tier"));
}

// A model that takes several tasks at once, as one whose gradients a device computes.
TEST_CASE("gradients of a device for rows of ranks have the same bits", "[ranks]") {
  using namespace gossip;
  auto const digest = [](test::some_exchange const &exchange, auto const &...options) {
    simulator network{ring{150}, cpu_offload(test::tiny_classifier{}, serial{}, 1'000'000'000),
                      sgd{.rate = 0.1, .momentum = 0.9}, exchange, options...};
    return hex(
        network.run({.seed = 3, .batch = 5, .stop = rounds{3}}, split(test::tiny_images(), iid{}))
            .digest);
  };
  for (test::some_exchange const &exchange :
       {test::some_exchange(d_psgd{}), test::some_exchange(ad_psgd{})})
    CHECK(digest(exchange, cpu{.threads = 2}, test::all_ranks()) ==
          digest(exchange, cpu{.threads = 1}));
}
