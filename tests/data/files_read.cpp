// Digests of the files that readers read.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/clock/trace_time.hpp>
#include <gossip/core/files_read.hpp>
#include <gossip/core/lines.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/data/csv.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/topology/graph_file.hpp>

#include "../catch.hpp"
#include "temporary_folder.hpp"

namespace {

using gossip::file_content;
using gossip::files_read;
using gossip::test::temporary_folder;

/// The files that f() reads.
template <class F>
std::vector<file_content> read_by(F f) {
  files_read list;
  f();
  return list.files();
}

void read_lines(std::string const &path) {
  gossip::detail::lines file(path);
  for (std::string_view line; file.next(line);) {
  }
}

}  // namespace

TEST_CASE("a file that is read to its end is on the list, packed or not, by the same digest",
          "[data]") {
  temporary_folder const folder;
  std::string text;
  for (int k = 0; k < 20000; ++k) text += std::to_string(k) + '\n';
  auto const plain = folder.write("numbers.txt", text);
  auto const packed = folder.write_gzip("numbers.gz", text);
  auto const first = read_by([&] { read_lines(plain); });
  auto const second = read_by([&] { read_lines(packed); });
  REQUIRE((first.size() == 1 && second.size() == 1));
  CHECK(first[0].path == plain);
  CHECK(first[0].bytes == text.size());
  CHECK(first[0].digest == second[0].digest);
  auto const mapped = read_by([&] { gossip::byte_source(plain).mapped(); });
  REQUIRE(mapped.size() == 1);
  CHECK(mapped == first);
  auto const bytes = read_by([&] {
    gossip::byte_source file(packed);
    std::vector<std::uint8_t> block(1000);
    while (file.read(block) == block.size()) {
    }
  });
  CHECK(bytes == second);
}

TEST_CASE("a file whose beginning alone is read is not on the list", "[data]") {
  temporary_folder const folder;
  auto const path = folder.write("numbers.txt", "1\n2\n");
  CHECK(read_by([&] { gossip::detail::lines file(path); }).empty());
}

TEST_CASE("lists within lists receive the same files, each once", "[data]") {
  temporary_folder const folder;
  auto const a = folder.write("a.txt", "1\n"), b = folder.write("b.txt", "1\n");
  files_read outer;
  read_lines(a);
  {
    files_read inner;
    read_lines(b);
    read_lines(b);
    CHECK(inner.files().size() == 1);
  }
  REQUIRE(outer.files().size() == 2);
  CHECK(outer.files()[0].digest == outer.files()[1].digest);
  read_lines(a);
  CHECK(outer.files().size() == 2);
}

TEST_CASE("a file that changes between two readings is refused by name", "[data]") {
  temporary_folder const folder;
  auto const path = folder.write("graph.txt", "0 1\n");
  files_read list;
  read_lines(path);
  folder.write("graph.txt", "0 2\n");
  CHECK_THROWS_WITH(read_lines(path), gossip::test::contains(path));
}

TEST_CASE("graphs, traces and data sets are on the list", "[data]") {
  temporary_folder const folder;
  auto const graph = folder.write("graph.txt", "0 1\n1 2\n");
  auto const trace = folder.write("times.csv", "step,duration_ms\n0,1\n");
  auto const table = folder.write("train.csv", "0.5,1\n0.25,0\n");
  auto const all = read_by([&] {
    gossip::graph_file{.path = graph}.build(1);
    gossip::trace_time{.path = trace}.prepare();
    gossip::csv_sets(table, table, gossip::label_column::last);
  });
  std::vector<std::string> paths;
  for (file_content const &one : all) paths.push_back(one.path);
  CHECK(paths == std::vector<std::string>{graph, trace, table});
}
