// Tests of reading GraphML.
#include <gossip/topology/graphml_file.hpp>

#include <gossip/topology/graph_file.hpp>

#include <string>
#include <utility>
#include <vector>

#include "files.hpp"

using gossip::edge;
using gossip::graphml_file;
using gossip::test::refusal;
using gossip::test::temporary_folder;

namespace {

/// As networkx 3 writes a path of three people with weights.
std::string const of_networkx = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" )"
                                R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" )"
                                R"(xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns )"
                                R"(http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d1" for="edge" attr.name="weight" attr.type="double" />
  <key id="d0" for="node" attr.name="city" attr.type="string">
    <default>nowhere &lt;here></default>
  </key>
  <graph edgedefault="undirected">
    <node id="Zoe">
      <data key="d0">Z&#252;rich</data>
    </node>
    <node id="Al &amp; Bo" />
    <node id="7"/>
    <edge source="7" target="Al &amp; Bo">
      <data key="d1">0.25</data>
    </edge>
    <edge source="Al &amp; Bo" target="Zoe" id="e1"/>
  </graph>
</graphml>
)";

std::string graph_of(std::string const &content, std::string const &attributes = "") {
  return "<graphml>\n<graph edgedefault=\"undirected\"" + attributes + ">\n" + content +
         "</graph></graphml>";
}

std::string const two = "<node id='a'/><node id='b'/>\n";

}  // namespace

TEST_CASE("a file of networkx is read, whatever nodes are called", "[topology]") {
  temporary_folder const folder;
  std::vector<edge> const path{{0, 1}, {1, 2}};  // nodes in the order of the file
  CHECK(graphml_file{folder.write("g.graphml", of_networkx)}.build().edge_list() == path);
  CHECK(graphml_file{folder.write_gzip("g.gz", of_networkx)}.build().edge_list() == path);
}

TEST_CASE("a graph file that begins as XML is taken for GraphML", "[topology]") {
  temporary_folder const folder;
  std::string const long_line(100'000, ' ');
  for (std::string const &begin : {std::string(), std::string("\xEF\xBB\xBF"), "\n" + long_line}) {
    std::string const path =
        folder.write("g.txt", begin + graph_of(two + "<edge source='b' target='a'/>"));
    CHECK(gossip::graph_file{path}.build().edges() == 1);
    CHECK(graphml_file{path}.build().edges() == 1);
  }
}

TEST_CASE("GraphML of every dialect gives the same graph", "[topology]") {
  temporary_folder const folder;
  for (std::string const &content :
       {graph_of(two + "<edge source='a' target='b'/>"),
        graph_of("<edge source='a' target='b'/><node id='a'></node><node id=\"b\"/>"),
        "<?xml version='1.0'?><!DOCTYPE graphml SYSTEM 'x.dtd'>" +
            graph_of("<!-- <node id='c'/> --><desc>x</desc>" + two +
                     "<edge\n  id = \"e\"\n  target='b' directed='false' source='a'>"
                     "<data key='k'><![CDATA[ <node id='d'/> ]]></data></edge>"),
        std::string(
            "<g:graphml xmlns:g='x'><g:graph edgedefault='undirected'><g:node id='a'><g:port "
            "name='p'/></g:node><g:node id='b'><g:data key='k'><y:node id='z'/></g:data></g:node>"
            "<g:edge source='a' sourceport='p' target='b'/></g:graph></g:graphml>"),
        graph_of("<node id='&#97;'/><node id='&#x62;'/><edge source='a' target='b'/>"),
        graph_of(two + "<edge source='a' target='b'/>", " id=\"G > 1\"")}) {
    CAPTURE(content);
    auto const g = graphml_file{folder.write("g.graphml", content)}.build();
    CHECK(g.nodes() == 2);
    CHECK(g.edge_list() == std::vector<edge>{{0, 1}});
  }
}

TEST_CASE("what GraphML repeats is counted, as in other files", "[topology]") {
  temporary_folder const folder;
  auto const g = graphml_file{folder.write("g.graphml", graph_of(two + R"(
      <edge source="a" target="b"/><edge source="b" target="a"/><edge source="a" target="a"/>
      <edge source="a" target="b"/>)"))}
                     .build();
  CHECK(g.edges() == 1);
  CHECK(g.dropped().self_loops == 1);
  CHECK(g.dropped().duplicates == 2);
}

TEST_CASE("GraphML in pieces is refused, allowed or cut to its largest piece", "[topology]") {
  temporary_folder const folder;
  std::string const path =
      folder.write("g.graphml", graph_of("<node id='x'/>" + two + "<edge source='a' target='b'/>"));
  CHECK(refusal(graphml_file{path}) ==
        path +
            ": the graph has 2 components (the largest has 2 of 3 nodes); set "
            "allow_disconnected or largest_component");
  CHECK(graphml_file{.path = path, .allow_disconnected = true}.build().nodes() == 3);
  CHECK(graphml_file{.path = path, .largest_component = true}.build().nodes() == 2);
}

TEST_CASE("bad GraphML ends in one sentence with its place", "[topology]") {
  std::string const edgedefault = "expected edgedefault=\"undirected\", got ";
  std::string const long_id(70'000, 'x');
  for (auto const &[content, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", ": expected at least one node, got none"},
           {"0 1\n", ":1: expected an XML file, got text outside of its elements"},
           {"<html>\n", ":1: expected <graphml>, got '<html>'"},
           {"<graphml>\n<graph edgedefault='directed'>", ":2: " + edgedefault + "'directed'"},
           {"<graphml>\n\n<graph>", ":3: " + edgedefault + "none"},
           {graph_of(""), ": expected at least one node, got none"},
           {graph_of(two + "<edge source='a' target='b' directed='true'/>"),
            ":4: expected undirected edges, got directed='true'"},
           {graph_of(two + "<edge source='a' target='c'/>\n<edge source='d' target='a'/>"),
            ":4: expected the id of a node, got 'c'"},
           {graph_of(two + "\n<edge source='a'/>"), ":5: expected <edge> with target, got none"},
           {graph_of(two + "<node/>"), ":4: expected <node> with id, got none"},
           {graph_of(two + "<node\n id='a'/>"), ":4: expected each node once, got 'a' twice"},
           {graph_of(two + "<hyperedge>"), ":4: expected edges of two nodes, got a hyperedge"},
           {graph_of("<node id='a'><graph edgedefault='undirected'>"),
            ":3: expected nodes without nested graphs, got a graph in a node"},
           {"<graphml><graph edgedefault='undirected'><node id='a'/></graph>\n<graph/></graphml>",
            ":2: expected one graph in the file, got a second graph"},
           {"<graphml></graphml>\n<graphml/>",
            ":2: expected one root element, got a second root element"},
           {"<graphml>\n<graph edgedefault='undirected'>" + two,
            ":2: expected </graph>, got the end of the file"},
           {"<graphml>\n<key></kye>", ":2: expected </key>, got '</kye>'"},
           {"<graphml>\n<key", ":2: expected the end of a tag, got the end of the file"},
           {"<graphml>\n<key id=3/>", ":2: expected attributes as name=\"value\", got 'id=3'"},
           {"<graphml>\n<key <node>", ":2: expected the end of a tag, got '<'"},
           {graph_of("<node id='&nbsp;'/>"),
            ":3: expected a character or one of &lt; &gt; &amp; &quot; &apos;, got '&nbsp;'"},
           {"<!DOCTYPE graphml [<!ENTITY a 'b'>]>",
            ":1: expected a document type without an internal subset, got an internal subset"},
           {graph_of("<node id='" + long_id + "'/>"),
            ":3: expected tags of at most 65536 bytes, got a longer tag"}}) {
    temporary_folder const folder;
    std::string const path = folder.write("g.graphml", content);
    CHECK(refusal(graphml_file{path}) == path + expected);
  }
  temporary_folder const folder;
  CHECK(refusal(graphml_file{folder.path("no")}) ==
        folder.path("no") + ": expected a readable file, got 'No such file or directory'");
}

TEST_CASE("damaged gzip data of GraphML is told with its line", "[topology]") {
  temporary_folder const folder;
  std::string content = two;
  for (int i = 0; i < 20'000; ++i)
    content += "<node id='" + std::to_string(i * 7919 % 20'000) + "'/>\n";
  std::string const path = folder.write_gzip("g.gz", graph_of(content));
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  CHECK_THAT(refusal(graphml_file{folder.write("g.gz", bytes.substr(0, bytes.size() / 2))}),
             gossip::test::contains(": expected a complete gzip file, got a truncated file"));
}
