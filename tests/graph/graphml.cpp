// Tests of writing GraphML, and of reading what was written.
#include <gossip/graph/graphml.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/graphml_file.hpp>
#include <gossip/topology/ring.hpp>

#include "../topology/files.hpp"

using gossip::graph;
using gossip::write_graphml;
using gossip::test::contains;
using gossip::test::temporary_folder;

namespace {

std::string content_of(std::string const &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count(std::string const &text, std::string const &part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string refusal_to_write(std::string const &path) {
  try {
    write_graphml(gossip::ring{3}.build(), path);
  } catch (gossip::input_error const &refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a written graph holds every node and every edge once", "[graph]") {
  temporary_folder const folder;
  std::string const path = folder.path("g.graphml");

  write_graphml(gossip::ring{17}.build(), path);

  std::string const text = content_of(path);
  CHECK_THAT(text, contains("<graphml"));
  CHECK_THAT(text, contains("edgedefault=\"undirected\""));
  CHECK_THAT(text, contains("</graphml>"));
  CHECK(count(text, "<node ") == 17);
  CHECK(count(text, "<edge ") == 17);
}

TEST_CASE("a written graph is read as it was", "[graph]") {
  temporary_folder const folder;
  std::string const path = folder.path("g.graphml");
  for (auto const &g :
       {gossip::ring{17}.build(), gossip::erdos_renyi{.nodes = 40, .probability = 0.2}.build(7),
        graph::undirected(3, {{0, 2}})}) {
    write_graphml(g, path);
    CHECK(gossip::graphml_file{.path = path, .allow_disconnected = true}.build() == g);
  }
}

TEST_CASE("a directed graph is refused where it is read", "[graph]") {
  temporary_folder const folder;
  std::string const path = folder.path("g.graphml");
  write_graphml(graph::directed(2, {{0, 1}, {1, 0}}), path);
  CHECK_THAT(gossip::test::refusal(gossip::graphml_file{path}),
             contains(": expected edgedefault=\"undirected\", got 'directed'"));
}

TEST_CASE("a directed graph is written as one, over an older file", "[graph]") {
  temporary_folder const folder;
  std::string const path = folder.write("g.graphml", "an older file");
  write_graphml(graph::directed(2, {{0, 1}, {1, 0}}), path);
  CHECK_THAT(content_of(path), contains("edgedefault=\"directed\""));
  CHECK(count(content_of(path), "<edge ") == 2);
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
}

TEST_CASE("a place that cannot be written ends in one sentence and leaves nothing", "[graph]") {
  temporary_folder const folder;
  std::string const missing = folder.path("missing/g.graphml");
  CHECK(refusal_to_write(missing) ==
        missing + ": expected a file that can be written, got 'No such file or directory'");
  std::filesystem::create_directories(folder.path("taken"));
  CHECK(refusal_to_write(folder.path("taken")) ==
        folder.path("taken") + ": expected a file that can be written, got 'Is a directory'");
  CHECK_FALSE(std::filesystem::exists(folder.path("taken.part")));
  if (std::filesystem::exists("/dev/full"))
    CHECK_THROWS_AS(write_graphml(gossip::ring{3}.build(), "/dev/full/x"), gossip::input_error);
}
