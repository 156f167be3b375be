// The library keeps to its floors, its doors and its style; and each rule is seen to catch.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "architecture/house.hpp"
#include "architecture/rules.hpp"
#include "catch.hpp"

namespace {

using gossip::architecture::check_header;
using gossip::architecture::check_source;
using gossip::architecture::check_tags;
using gossip::architecture::circle_in;
using gossip::architecture::finding;

std::string const good = "// What this is, in a sentence.\n#pragma once\n";

std::string listed(std::vector<finding> const &findings, std::string const &folder) {
  std::string text = "\n";
  for (auto const &[file, line, rule] : findings)
    text += folder + file + ':' + std::to_string(line) + ": " + rule + '\n';
  return text;
}

std::string text_of(std::filesystem::path const &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Findings in every file of the folder with one of the endings.
template <class Check>
std::vector<finding> check_folder(std::string const &folder,
                                  std::vector<std::string> const &endings, Check check) {
  std::filesystem::path const root = std::filesystem::path(GOSSIP_SOURCE_FOLDER) / folder;
  std::vector<finding> findings;
  for (auto const &entry : std::filesystem::recursive_directory_iterator(root)) {
    auto const ending = entry.path().extension().string();
    if (!entry.is_regular_file() || std::ranges::find(endings, ending) == endings.end()) continue;
    auto const path = entry.path().lexically_relative(root).generic_string();
    std::ranges::move(check(path, text_of(entry.path())), std::back_inserter(findings));
  }
  std::ranges::sort(findings, {}, [](finding const &f) { return std::pair(f.file, f.line); });
  return findings;
}

/// The policies below a folder of headers: an exchange a file, and what asserts that it is one, but
/// for those that hold any.
std::set<std::string> policies_of(std::filesystem::path const &include) {
  std::string const concepts = "topology|weight_rule|split_policy|compute_model|optimizer|schedule";
  std::regex const assertion("static_assert\\((?:" + concepts + ")<((?!any_)[a-z]\\w*)");
  std::set<std::string> names;
  for (auto const &entry : std::filesystem::recursive_directory_iterator(include)) {
    if (entry.path().extension() != ".hpp") continue;
    if (entry.path().parent_path().filename() == "exchange")
      names.insert(entry.path().stem().string());
    std::string const text = text_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), assertion), end; found != end;
         ++found)
      names.insert((*found)[1]);
  }
  return names;
}

/// Files of gossip that the #include lines of a file name.
std::set<std::string> included_by(std::filesystem::path const &file) {
  static std::regex const form("#include <(gossip/[^>]+)>");
  std::string const text = text_of(file);
  return {std::sregex_token_iterator(text.begin(), text.end(), form, 1), {}};
}

/// The header and all headers of gossip that it includes, by whatever way.
std::set<std::string> reached_from(std::filesystem::path const &include,
                                   std::string const &header) {
  std::set<std::string> reached;
  std::vector<std::string> waiting{header};
  while (!waiting.empty()) {
    std::string const one = waiting.back();
    waiting.pop_back();
    if (reached.insert(one).second)
      std::ranges::copy(included_by(include / one), std::back_inserter(waiting));
  }
  return reached;
}

/// The words of a source outside of its #include lines.
std::set<std::string> words_of(std::string const &source) {
  std::regex const include("#include[^\n]*"), word("\\w+");
  std::string const text = std::regex_replace(source, include, "");
  return {std::sregex_token_iterator(text.begin(), text.end(), word), {}};
}

/// The line and the rule of the only finding in a header with these lines after the good opening.
finding only_finding(std::string const &path, std::string const &lines) {
  auto const findings = check_header(path, good + lines);
  CAPTURE(path, lines, listed(findings, ""));
  REQUIRE(findings.size() == 1);
  return findings.front();
}

}  // namespace

TEST_CASE("every public header keeps to the floors, the doors and the style", "[architecture]") {
  auto const findings =
      check_folder("include/gossip", {".hpp", ".ipp", ".cuh", ".h"}, check_header);
  INFO(listed(findings, "include/gossip/"));
  CHECK(findings.empty());
}

TEST_CASE("samples, tests and benchmarks keep to names, columns and ASCII", "[architecture]") {
  for (std::string const folder : {"samples", "src", "tests", "bench"}) {
    auto const findings = check_folder(folder, {".cpp", ".hpp", ".cu"}, check_source);
    INFO(listed(findings, folder + '/'));
    CHECK(findings.empty());
  }
}

TEST_CASE("files of definitions belong to a header and to the companion library",
          "[architecture]") {
  std::filesystem::path const root = GOSSIP_SOURCE_FOLDER;
  std::string headers, sources;
  std::vector<std::string> definitions;
  for (auto const &entry : std::filesystem::recursive_directory_iterator(root / "include")) {
    if (entry.path().extension() == ".hpp") headers += text_of(entry.path());
    if (entry.path().extension() == ".ipp")
      definitions.push_back(entry.path().lexically_relative(root / "include").generic_string());
  }
  for (auto const &entry : std::filesystem::directory_iterator(root / "src"))
    sources += text_of(entry.path());
  auto const times = [](std::string const &text, std::string const &part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++count;
    return count;
  };
  CHECK(definitions.size() > 100);
  for (std::string const &one : definitions) {
    CAPTURE(one);
    CHECK(times(headers, "#include <" + one + ">") == 1);
    CHECK(times(sources, "#include <" + one + ">") == 1);
  }
  CHECK(times(sources, ".ipp>") == definitions.size());
}

// A header counts with its definitions, which follow the header wherever it is included. In a
// circle they would come before a declaration that they need.
TEST_CASE("headers and their definitions include each other in no circle", "[architecture]") {
  std::filesystem::path const root = std::filesystem::path(GOSSIP_SOURCE_FOLDER) / "include";
  std::map<std::string, std::set<std::string>> includes;
  for (auto const &entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".hpp") continue;
    auto const header = entry.path().lexically_relative(root).generic_string();
    auto &own = includes[header] = included_by(entry.path());
    for (std::string const &one : std::set<std::string>(own))
      if (one.ends_with(".ipp")) own.merge(included_by(root / one));
    own.erase(header);
  }
  CHECK(includes.size() > 500);
  CHECK(circle_in(includes) == std::vector<std::string>{});
}

TEST_CASE("every test has the tag of its folder", "[architecture]") {
  auto const findings = check_folder("tests", {".cpp"}, check_tags);
  INFO(listed(findings, "tests/"));
  CHECK(findings.empty());
}

TEST_CASE("every policy is in the test of descriptions", "[architecture]") {
  std::filesystem::path const root = GOSSIP_SOURCE_FOLDER;
  auto const policies = policies_of(root / "include/gossip");
  for (std::string const known :
       {"ring", "one_peer", "shards", "lognormal_time", "adamw", "warm_up", "stop_at"})
    CHECK(policies.contains(known));
  auto const listed_there = words_of(text_of(root / "tests/simulator/described.cpp"));
  for (std::string const &policy : policies) {
    INFO(policy << " is missing in tests/simulator/described.cpp");
    CHECK(listed_there.contains(policy));
  }
}

TEST_CASE("the umbrella header has every policy that needs no package of its own",
          "[architecture]") {
  std::filesystem::path const include = std::filesystem::path(GOSSIP_SOURCE_FOLDER) / "include";
  auto const reached = reached_from(include, "gossip/gossip.hpp");
  auto const needs_json = [&](std::string const &header) {
    auto const below = reached_from(include, header);
    return std::ranges::any_of(below, [&](std::string const &one) {
      return text_of(include / one).find("#include <nlohmann/") != std::string::npos;
    });
  };
  CHECK_FALSE(needs_json("gossip/gossip.hpp"));
  CHECK(needs_json("gossip/observer/json_lines.hpp"));
  std::set<std::string> missing;
  for (std::string const folder : {"aggregation", "attack", "clock", "codec", "data", "exchange",
                                   "mixing", "model", "observer", "optimizer", "topology"})
    for (auto const &entry : std::filesystem::directory_iterator(include / "gossip" / folder)) {
      std::string const header = entry.path().lexically_relative(include).generic_string();
      if (entry.is_regular_file() && !reached.contains(header) && !needs_json(header))
        missing.insert(header);
    }
  CHECK(missing == std::set<std::string>{});
  for (std::string const folder :
       {"gossip/transport/mpi/", "gossip/live/", "gossip/backend/onednn"})
    for (std::string const &header : reached) CHECK_FALSE(header.starts_with(folder));
  CHECK_FALSE(reached.contains("gossip/graph/boost.hpp"));
  CHECK_FALSE(reached.contains("gossip/graph/metis.hpp"));
}

TEST_CASE("every kind of policy has a contract, and every model of it is asserted",
          "[architecture]") {
  std::filesystem::path const include =
      std::filesystem::path(GOSSIP_SOURCE_FOLDER) / "include/gossip";
  for (gossip::architecture::contract const &one : gossip::architecture::contracts) {
    CAPTURE(one.folder, one.header);
    std::string const contract = text_of(include / one.header);
    CHECK(contract.find("The contract of ") != std::string::npos);
    CHECK(std::regex_search(contract, std::regex("\\bconcept " + one.concept_name + "\\b")));
    std::regex const asserted("static_assert\\((\\w+_)?" + one.concept_name + "<|template <" +
                              one.concept_name + " ");
    for (auto const &entry : std::filesystem::directory_iterator(include / one.folder)) {
      std::string const file = entry.path().lexically_relative(include).generic_string();
      if (entry.path().extension() != ".hpp" || file == one.header || one.others.contains(file))
        continue;
      std::string const text = text_of(entry.path());
      INFO(file << " has no static_assert(" << one.concept_name << "<...>)");
      CHECK(std::regex_search(text, asserted));
    }
  }
}

TEST_CASE("the reference engine includes nothing that it judges", "[architecture]") {
  std::filesystem::path const include = std::filesystem::path(GOSSIP_SOURCE_FOLDER) / "include";
  std::string const first = "gossip/engine/host/reference.hpp";
  auto const reached = reached_from(include, first);
  CHECK(reached.contains("gossip/engine/engine.hpp"));
  for (std::string const &header : reached) {
    INFO(header);
    bool const own = header == first || header == "gossip/engine/host/reference_stages.hpp";
    CHECK((own || !header.starts_with("gossip/engine/host/")));
    CHECK_FALSE(header.starts_with("gossip/engine/device/"));
    CHECK_FALSE(header.starts_with("gossip/engine/distributed/"));
  }
}

TEST_CASE("a circle of files that include each other is found", "[architecture]") {
  using circle = std::vector<std::string>;
  CHECK(circle_in({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}).empty());
  CHECK(circle_in({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}) == circle{"b", "c", "b"});
}

TEST_CASE("a header that keeps to the rules has no findings", "[architecture]") {
  CHECK(check_header("plan/plan.hpp", good + "#include <gossip/core/node.hpp>\n"
                                             "#include <gossip/plan/operation.hpp>\n"
                                             "#include <vector>\n")
            .empty());
  CHECK(check_header("gossip.hpp", good + "#include <gossip/simulator/simulator.hpp>\n").empty());
  CHECK(check_header("backend/cpu/blas.hpp", good + "#include <cblas.h>\n").empty());
}

TEST_CASE("a floor may not include its own height or above", "[architecture]") {
  CHECK(only_finding("core/node.hpp", "#include <gossip/plan/plan.hpp>\n").line == 3);
  CHECK_THAT(only_finding("graph/graph.hpp", "#include <gossip/data/idx.hpp>\n").rule,
             gossip::test::contains("graph/ (2) includes data/ (2)"));
  CHECK_THAT(only_finding("op/axpy.hpp", "#include <gossip/backend/serial.hpp>\n").rule,
             gossip::test::contains("floors"));
  CHECK_THAT(only_finding("core/node.hpp", "#include <gossip/gossip.hpp>\n").rule,
             gossip::test::contains("umbrella"));
  CHECK_THAT(only_finding("attic/old.hpp", "\n").rule, gossip::test::contains("no such folder"));
}

TEST_CASE("a header's name does not repeat its folder's, but for the contract", "[architecture]") {
  CHECK(check_header("graph/graph.hpp", good).empty());
  CHECK(check_header("clock/whole_nanoseconds.hpp", good).empty());
  CHECK_THAT(only_finding("clock/virtual_clock.hpp", "\n").rule,
             gossip::test::contains("repeats the name of its folder"));
}

TEST_CASE("a dependency is included only at its door", "[architecture]") {
  for (std::string const header : {"mpi.h", "boost/mpi.hpp", "cuda_runtime.h", "cublas_v2.h",
                                   "cblas.h", "boost/graph/graphml.hpp", "nlohmann/json.hpp"}) {
    auto const found = only_finding("plan/plan.hpp", "#include <" + header + ">\n");
    CHECK(found.line == 3);
    CHECK_THAT(found.rule, gossip::test::contains("doors: <" + header + ">"));
  }
}

TEST_CASE("a header does not print, draw, ask the environment or define", "[architecture]") {
  for (std::string const line :
       {"using namespace std;", "#define FAST 1", "int x = rand();", "std::mt19937 generator;",
        "auto h = std::getenv(\"HOME\");", "inline void f() { std::cout << 1; }",
        "int n = std::countl_zero(x);"}) {
    CHECK(only_finding("core/node.hpp", line + '\n').line == 3);
    CHECK(check_header("core/node.hpp", good + "// " + line + '\n').empty());
  }
}

TEST_CASE("a header opens with a sentence and is included once", "[architecture]") {
  CHECK(check_header("core/node.hpp", "#pragma once\n").size() == 1);
  CHECK(check_header("core/node.hpp", "// node.hpp\n#pragma once\n").size() == 1);
  CHECK(check_header("core/node.hpp", "// What this is, in a sentence.\n").size() == 1);
}

TEST_CASE("lines are 100 columns of ASCII and names say something", "[architecture]") {
  CHECK(check_source("a.cpp", std::string(100, 'x')).empty());
  CHECK(check_source("a.cpp", std::string(101, 'x')).size() == 1);
  CHECK(check_source("a.cpp", "x\n\xc3\xa9\n").front().line == 2);
  CHECK(check_source("plan/fast_path.cpp", "").size() == 1);
  CHECK(check_source("plan/plan_utils.cpp", "").size() == 1);
  CHECK(check_source("optimizer/newton.cpp", "").empty());
}

TEST_CASE("an error that does not say what came is found", "[architecture]") {
  CHECK(check_source("a.cpp", "\nthrow input_error(w, \"weights\", \"others\");\n").front().line ==
        2);
  CHECK(check_source("a.cpp", "      \"another one\");\n").size() == 1);
  CHECK(check_source("a.cpp", "described(\"to\", &link::to, \"another\"),\n").empty());
}

TEST_CASE("a test's name with an open bracket is found", "[architecture]") {
  CHECK(check_tags("plan/a.cpp", "TEST_CASE(\"a[0]\", \"[plan]\") {}\n").empty());
  CHECK(check_tags("plan/a.cpp", "TEST_CASE(\"[0, 1)\", \"[plan]\") {}\n").size() == 1);
}

TEST_CASE("a test without a tag, or with another folder's, is found", "[architecture]") {
  CHECK(check_tags("plan/a.cpp", "TEST_CASE(\"a \\\"b\\\" c\", \"[plan][slow]\") {}\n").empty());
  CHECK(check_tags("plan/a.cpp", "TEST_CASE(\"a\"\n          \"b\",\n  \"[ranks]\") {}\n").empty());
  CHECK(check_tags("plan/a.cpp", "TEMPLATE_TEST_CASE(\"a\", \"[gpu]\", int) {}\n").empty());
  CHECK(check_tags("plan/a.cpp", "\nTEST_CASE(\"[plan]\", \"[graph]\") {}\n").front().line == 2);
  CHECK(
      check_tags("plan/a.cpp", "TEST_CASE(\"[plan]\") {}\nint x;  // \"a\", \"[plan]\"\n").size() ==
      1);
}
