// More bytes than MPI counts, with a small limit in the place of 2,147,483,647.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/observer/pairwise_distance.hpp>
#include <gossip/topology/complete.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "ranks.hpp"

using namespace gossip;

namespace {

void check_unit(std::size_t bytes, std::size_t divisor, std::size_t unit) {
  CAPTURE(bytes, divisor);
  CHECK(detail::unit_of(bytes, divisor, 100) == unit);
}

/// A run has the digest of one process, and the distances of pairs of nodes, though no row and no
/// swap of it is below the limit.
void check_small_counts(test::some_exchange const &exchange, test::some_topology const &topology) {
  quadratic<600> const model{.curvature = {1.0, 0.5}, .noise = 0.1, .start = 0.25};
  mpi_ranks const publishing(multilevel_partition, true, 1000),
      sending(multilevel_partition, false, 1000);
  run_settings const settings{.seed = 3, .stop = rounds{5}};
  test::small_simulator alone{topology, model, sgd{.rate = 0.1}, exchange};
  pairwise_distance const pairs{.nodes = 3};
  run_report const expected = alone.run(settings, pairs);
  CHECK((expected.last.numbers.at(0).value > 0) == !exchange.outline().replicas_identical);
  for (mpi_ranks const &ranks : {publishing, sending}) {
    test::small_simulator network{topology, model, sgd{.rate = 0.1}, exchange, ranks};
    run_report const got = network.run(settings, consensus_distance{}, pairs);
    CHECK(hex(got.digest) == hex(expected.digest));
    REQUIRE(got.last.numbers.size() == expected.last.numbers.size());
    for (std::size_t k = 0; k < got.last.numbers.size(); ++k) {
      CHECK(got.last.numbers[k].name == expected.last.numbers[k].name);
      CHECK(got.last.numbers[k].value == expected.last.numbers[k].value);
    }
  }
}

}  // namespace

TEST_CASE("blocks are counted in bytes or in a large unit that they share", "[ranks]") {
  check_unit(100, 4, 1);     // few enough
  check_unit(104, 104, 52);  // one block
  check_unit(900, 300, 100);
  check_unit(3000, 1000, 100);
  check_unit(8000, 80, 80);  // exactly a hundred units
  CHECK_THROWS_WITH(detail::unit_of(8080, 80, 100),
                    "mpi: expected blocks that are multiples of 81 bytes or more, got 8080 bytes "
                    "in multiples of 80");
  CHECK_THROWS_AS(detail::unit_of(101, 101, 100), error);  // a prime number

  test::all_ranks();  // MPI has to be there
  std::size_t const sizes[]{12, 24, 0, 36};
  detail::mpi_blocks const blocks(sizes, 20);
  CHECK(std::vector<int>(blocks.counts(), blocks.counts() + 4) == std::vector<int>{1, 2, 0, 3});
  CHECK(std::vector<int>(blocks.offsets(), blocks.offsets() + 4) == std::vector<int>{0, 1, 3, 3});
}

TEST_CASE("swapped blocks arrive whole whatever they are counted in", "[ranks]") {
  mpi_ranks const ranks(multilevel_partition, true, 50);
  std::size_t const n = ranks.size(), me = ranks.rank();
  // Rank r sends 12 (r + 1) numbers to each, more than 50 bytes.
  std::vector<std::size_t> const out_sizes(n, 12 * (me + 1) * sizeof(std::uint32_t));
  std::vector<std::size_t> in_sizes;
  std::vector<std::uint32_t> out, in, expected;
  for (std::size_t q = 0; q < n; ++q) {
    in_sizes.push_back(12 * (q + 1) * sizeof(std::uint32_t));
    for (std::uint32_t k = 0; k < 12 * (me + 1); ++k)
      out.push_back(static_cast<std::uint32_t>(1000 * me + 100 * q) + k);
    for (std::uint32_t k = 0; k < 12 * (q + 1); ++k)
      expected.push_back(static_cast<std::uint32_t>(1000 * q + 100 * me) + k);
  }
  in.resize(expected.size());
  ranks.all_to_all(std::as_bytes(std::span(out)).data(), out_sizes,
                   std::as_writable_bytes(std::span(in)).data(), in_sizes);
  CHECK(in == expected);
}

TEST_CASE("a pool says which of its messages are complete, however large", "[ranks]") {
  mpi_ranks const ranks(multilevel_partition, true, 50);
  std::size_t const n = ranks.size(), me = ranks.rank();
  std::vector<std::uint64_t> const out(24, me);  // 192 bytes
  std::vector<std::vector<std::uint64_t>> in(n, std::vector<std::uint64_t>(24));
  auto requests = ranks.rows();
  for (std::size_t q = 0; q < n; ++q) requests.send(q, 7, std::as_bytes(std::span(out)), 1000);
  while (!ranks.arrived((me + 1) % n, 7)) std::this_thread::yield();
  CHECK_FALSE(ranks.arrived((me + 1) % n, 8));
  for (std::size_t q = 0; q < n; ++q)
    requests.receive(q, 7, std::as_writable_bytes(std::span(in[q])), static_cast<std::uint32_t>(q));
  std::size_t sent = 0, received = 0;
  while (!requests.empty())
    requests.poll([&](std::uint32_t ticket) {
      ticket == 1000 ? ++sent : ++received;
      if (ticket < n) CHECK(in[ticket] == std::vector<std::uint64_t>(24, ticket));
    });
  CHECK(sent == n);
  CHECK(received == n);
  CHECK(requests.sent_bytes() == n * 192);
}

TEST_CASE("runs whose rows and swaps are larger than MPI counts", "[ranks]") {
  check_small_counts(d_psgd{}, complete{17});                              // swaps
  check_small_counts(d_psgd{}, random_regular{.nodes = 60, .degree = 8});  // tiles
  check_small_counts(ad_psgd{}, ring{9});                                  // whole rows
  check_small_counts(all_reduce{}, ring{9});
}
