// What looks at rows in windows, where these have all columns of all rows, and where they cut the
// rows of many nodes.
#include <gossip/fleet/row_window.hpp>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/random.hpp>
#include <gossip/engine/finite_rows.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/model/named_tensor.hpp>
#include <gossip/observer/detail/averaged_rows.hpp>
#include <gossip/observer/model_files.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/pairwise_distance.hpp>
#include <gossip/topology/ring.hpp>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "../data/temporary_folder.hpp"

using namespace gossip;

namespace {

constexpr std::size_t columns = 5003;

template <class Row>
using host_fleet = fleet<Row, host_buffer>;

template <class Row>
host_fleet<Row> random_rows(std::size_t nodes, bool shared, lease_parts const &parts) {
  host_fleet<Row> rows({nodes, columns, 1, shared}, {}, parts);
  for (node i = 0; i < rows.size().rows(); ++i) {
    keyed_random random(1, purpose::user, i, 0);
    for (std::size_t c = 0; c < columns; ++c)
      rows.parameters(i)[c] = as_element<Row>(static_cast<float>(random.normal()));
  }
  return rows;
}

/// As much of an observation as files of models need.
template <class Row>
struct shown_rows {
  using value_type = float;
  host_fleet<Row> const &all;

  auto const &rows() const { return all; }
  std::vector<named_tensor> tensors() const { return {{"x", {columns}, 0}}; }
  static bool is_root() { return true; }
  fleet_size const &size() const { return all.size(); }
  float const *mean_model() const { return nullptr; }
};

template <class Row>
std::vector<std::string> files_of(host_fleet<Row> const &rows) {
  test::temporary_folder const folder;
  model_files const files{.folder = folder.path("out"), .mean = false, .nodes = true};
  shown_rows<Row> context{rows};
  files.check(context);
  files.write(context);
  std::vector<std::string> all;
  for (node i = 0; i < rows.size().nodes; ++i) {
    std::ifstream file(files.folder + "/" + model_files::name_of(i, rows.size().nodes),
                       std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    CHECK(all.back().size() > columns * sizeof(float));
  }
  return all;
}

struct figures {
  std::uint64_t digest = 0;
  std::vector<float> mean;
  double distance = 0, of_last = 0;  // of all columns, and of those from the 1000th on
  std::vector<double> of_one, averaged;
};

template <class Row>
figures figures_of(host_fleet<Row> const &rows, cpu const &loops) {
  std::size_t const n = rows.size().nodes;
  figures f{digest(rows, loops), std::vector<float>(columns), 0, 0, {}, {}};
  network_mean(rows, loops, f.mean.data());
  f.distance = mean_squared_distance(rows, loops, f.mean.data(), 0, columns);
  f.of_last = mean_squared_distance(rows, loops, f.mean.data(), 1000, columns);
  f.of_one = detail::row_of(rows, static_cast<node>(n - 1));
  if (n < 3) return f;
  detail::each_averaged(rows, loops, metropolis_hastings{}.weights(ring{n}.build(1)), 3, columns,
                        [&](std::size_t begin, std::size_t end, auto const &y) {
                          for (std::size_t i = 0; i < n; ++i)
                            f.averaged.insert(
                                f.averaged.end(), y[i].begin(),
                                y[i].begin() + static_cast<std::ptrdiff_t>(end - begin));
                        });
  return f;
}

}  // namespace

TEMPLATE_TEST_CASE("windows that cut the rows of many nodes show what whole rows show",
                   "[observer]", float, bf16) {
  for (std::size_t const n : {1, 2, 3, 17})
    for (bool const shared : {false, true}) {
      CAPTURE(n, shared);
      auto const whole = random_rows<TestType>(n, shared, {});
      auto const cut = random_rows<TestType>(n, shared, {.columns = 2048});
      std::size_t windows = 0;
      each_window(cut, 0, columns, [&](auto const &part) {
        CHECK(part.values.rows == cut.size().rows());
        ++windows;
      });
      CHECK(windows == 3);
      for (std::size_t const threads : {1, 3}) {
        figures const in_parts = figures_of(cut, cpu{threads});
        figures const at_once = figures_of(whole, cpu{threads});
        CHECK(in_parts.digest == at_once.digest);
        CHECK(in_parts.mean == at_once.mean);
        CHECK(in_parts.distance == at_once.distance);
        CHECK(in_parts.of_last == at_once.of_last);
        CHECK(in_parts.of_one == at_once.of_one);
        CHECK(in_parts.averaged == at_once.averaged);
      }
      CHECK(files_of(cut) == files_of(whole));
    }
}

TEST_CASE("numbers of a wrong kind are found in windows that cut rows", "[observer]") {
  auto const rows = random_rows<float>(3, false, {.columns = 2048});
  CHECK_NOTHROW(require_finite(rows, cpu{1}));
  rows.parameters(1)[4999] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH(require_finite(rows, cpu{1}),
                    test::contains("node 1, after the last step: the model has a number"));
}

TEST_CASE("the averaging of rows by hand", "[observer]") {
  host_fleet<float> const rows({3, 2, 0, false});
  for (node i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 2; ++c) rows.parameters(i)[c] = static_cast<float>(3 * i + c);
  std::vector<double> seen;
  detail::each_averaged(rows, cpu{1}, metropolis_hastings{}.weights(ring{3}.build(1)), 0, 2,
                        [&](std::size_t begin, std::size_t end, auto const &y) {
                          CHECK(begin == 0);
                          CHECK(end == 2);
                          for (std::size_t i = 0; i < 3; ++i)
                            for (double const x : y[i]) seen.push_back(x);
                        });
  REQUIRE(seen.size() == 6);  // weights of a third each: 0, 3, 6 and 1, 4, 7
  for (std::size_t k = 0; k < 6; ++k) CHECK(seen[k] == Approx(k % 2 == 0 ? 3.0 : 4.0));
}

TEST_CASE("the average of one row that all share is that row", "[observer]") {
  auto const rows = random_rows<float>(5, true, {.columns = 2048});
  auto const w = metropolis_hastings{}.weights(ring{5}.build(1));
  detail::each_averaged(rows, cpu{1}, w, 0, columns, [&](std::size_t, std::size_t, auto const &y) {
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t c = 0; c < columns; c += 13)
        CHECK(y[i][c] == Approx(static_cast<double>(rows.parameters(0)[c])).margin(1e-12));
  });
}

TEST_CASE("more rows than are averaged at once come in blocks of columns", "[observer]") {
  constexpr std::size_t n = 1000;
  auto const rows = random_rows<float>(n, false, {.columns = 2048});
  auto const w = metropolis_hastings{}.weights(ring{n}.build(1));
  std::vector<double> of_seven;
  std::size_t blocks = 0;
  detail::each_averaged(rows, cpu{2}, w, 0, columns,
                        [&](std::size_t begin, std::size_t, auto const &y) {
                          CHECK(begin == of_seven.size());
                          of_seven.insert(of_seven.end(), y[7].begin(), y[7].end());
                          ++blocks;
                        });
  CHECK(blocks == 2);
  REQUIRE(of_seven.size() == columns);
  for (std::size_t c = 0; c < columns; c += 97) {
    double sum = 0;
    for (node const j : {6, 7, 8}) sum += static_cast<double>(rows.parameters(j)[c]) / 3;
    CHECK(of_seven[c] == Approx(sum).margin(1e-12));
  }
}
