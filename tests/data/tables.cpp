// Tables of numbers and the JSON of LEAF, from samples that the tests write; splits by user.
#include <gossip/data/by_user.hpp>
#include <gossip/data/csv.hpp>
#include <gossip/data/leaf.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "features.hpp"
#include "splits.hpp"
#include "temporary_folder.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

std::string written(temporary_folder const &folder, std::string const &name,
                    std::string const &text) {
  std::string const path = folder.path(name);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (input_error const &refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a CSV file has a sample a line", "[data]") {
  temporary_folder const folder;
  auto const path = written(folder, "a.csv", "a,b,label\n1,2.5,0\n-1e-2, +3 ,2\n\n4,\"5\",1\n");
  auto const set = read_csv(path);
  CHECK(set.size() == 3);
  CHECK(set.classes() == 3);
  CHECK(set.shape() == sample_shape{1, 1, 2});
  CHECK(features_of(set) == std::vector<float>{1, 2.5F, -0.01F, 3, 4, 5});
  CHECK(std::vector<std::uint16_t>(set.labels().begin(), set.labels().end()) ==
        std::vector<std::uint16_t>{0, 2, 1});
  auto const first = read_csv(written(folder, "b.csv", "1,7,8\n0,9,10\n"), label_column::first);
  CHECK(features_of(first) == std::vector<float>{7, 8, 9, 10});
  CHECK(first.labels()[0] == 1);
  auto const [train, test] = csv_sets(path, written(folder, "c.csv", "1,2,1\n"));
  CHECK(test.classes() == train.classes());
}

TEST_CASE("faults of tables are named by file and line", "[data]") {
  temporary_folder const folder;
  auto const refused = [&](std::string const &text) {
    auto const path = written(folder, "x.csv", text);
    std::string const sentence = refusal([&] { read_csv(path); });
    return sentence.substr(std::min(sentence.size(), path.size()));
  };
  CHECK(refused("1,2,0\n1,0\n") == ":2: expected 3 numbers, got 2");
  CHECK(refused("1,2,0\n1,x,0\n") == ":2: field 2: expected a number, got 'x'");
  CHECK(refused("1,2,0.5\n") == ":1: expected a whole label from 0 to 65534, got 0.5");
  CHECK(refused("1,2,70004\n") == ":1: expected a whole label from 0 to 65534, got 70004");
  CHECK(refused("1\n") == ":1: expected a label and at least one feature, got one number");
  CHECK(refused("a,b\n") == ": expected at least one sample, got none");
  CHECK(refused("1,nan,0\n") == ":1: field 2: expected a finite number below 2^128, got nan");
  CHECK(refused("1,2,0\n1,1e39,0\n") ==
        ":2: field 2: expected a finite number below 2^128, got 1e+39");
  // Text that is none: UTF-16, and bytes.
  CHECK(refused(std::string("\xFF\xFE"
                            "1\0",
                            4)) == ": expected text in UTF-8 or ASCII, got text in UTF-16");
  CHECK(refused(std::string("1,\0,0\n", 6)) ==
        ": expected text in UTF-8 or ASCII, got bytes 0, as in UTF-16 or in binary files");
}

TEST_CASE("a first line that is neither numbers nor names is refused and not passed over",
          "[data]") {
  temporary_folder const folder;
  auto const refused = [&](std::string const &first) {
    auto const path = written(folder, "x.csv", first + "\n1,2,0\n3,4,1\n");
    std::string const sentence = refusal([&] { read_csv(path); });
    return sentence.substr(std::min(sentence.size(), path.size()));
  };
  CHECK(refused("1,,0") == ":1: field 2: expected a number, got nothing");
  CHECK(refused("1,NA,0") == ":1: field 2: expected a number, got 'NA'");
  CHECK(refused("1,null,0") == ":1: field 2: expected a number, got 'null'");
  CHECK(refused("1,?,0") == ":1: field 2: expected a number, got '?'");
  CHECK(refused("1,2x,0") == ":1: field 2: expected a number, got '2x'");
  CHECK(refused("1.5,b,label") == ":1: field 2: expected a number, got 'b'");
  CHECK(refused(",,") == ":1: field 1: expected a number, got nothing");
  CHECK(refused("1,2,bad") == ":1: field 3: expected a number, got 'bad'");
  CHECK(refused("1,bad") == ":1: field 2: expected a number, got 'bad'");
  CHECK(refused("1.5f,2.5f,0") == ":1: field 1: expected a number, got '1.5f'");
  CHECK(refused("0,5;1,5;0") == ":1: field 1: expected a number, got '0,5'");
  CHECK(refused("***,0,1") == ":1: field 1: expected a number, got '***'");
  CHECK(refused("0,1,2") ==
        ":1: expected names of columns, or a sample, got numbers from 0 to 2, which could be both: "
        "pandas writes no header with header=False, and a sample may begin with 0.0");
  // As R writes row names: a column more than there are names.
  CHECK(refused("a,label") == ":2: expected 2 numbers, got 3");
  CHECK(refused("Unnamed: 0,a,label")
            .starts_with(
                ":1: expected a name for each column, or numbers, got no name for column 1"));
  CHECK(
      refused(",a,label") ==
      ":1: expected a name for each column, or numbers, got no name for column 1, as for an index "
      "that pandas writes without index=False");
}

TEST_CASE("a sample in the first line is kept, however its numbers are written", "[data]") {
  temporary_folder const folder;
  auto const samples = [&](std::string const &text) {
    return read_csv(written(folder, "x.csv", text)).size();
  };
  CHECK(samples("\"1\",\"2\",\"0\"\n3,4,1\n") == 2);
  CHECK(samples("1e-400,2,0\n3,4,1\n") == 2);
  CHECK(samples("+1,-.5,0\n3,4,1\n") == 2);
  CHECK(samples("1;2;0\n3;4;1\n") == 2);
  CHECK(samples("1\t2\t0\n3\t4\t1\n") == 2);
  CHECK(samples("  1.0e+00   2.0e+00 0.0e+00\n3 4 1\n") == 2);
  // Names, in quotes or not, among which pandas counts the columns without one.
  CHECK(samples("a,b,label\n3,4,1\n") == 1);
  CHECK(samples("\"a, first\",\"b\",\"label\"\n3,4,1\n") == 1);
  CHECK(samples("0,1,label\n3,4,1\n") == 1);
  CHECK(samples("weight,1,2\n3,4,1\n") == 1);
  CHECK(samples("width (cm),1stFloor,label\n3,4,1\n") == 1);
  CHECK(samples("# a,b,label\n3,4,1\n") == 1);
  CHECK(samples("# made by a program\n1,2,0\n3,4,1\n") == 2);
  CHECK(samples("0,1,2,0\n3,4,1,1\n") == 2);
  CHECK(samples("0.0,1,2\n3,4,1\n") == 2);
  CHECK(samples("0,1\n3,4\n") == 2);
  CHECK(features_of(read_csv(written(folder, "x.csv", "1e-400,2,0\n")))[0] == 0.0F);
  // One separator for the file: a comma in a number is no other one.
  CHECK(refusal([&] {
          samples("1,5;2,5;0\n");
        }).ends_with(":1: field 1: expected a number, got '1,5'"));
}

TEST_CASE("lines of a table may be as long as their features ask for", "[data]") {
  temporary_folder const folder;
  std::string line;
  for (int k = 0; k < 9000; ++k) line += "-6.109957984622922389e-01,";
  auto const set = read_csv(written(folder, "wide.csv", line + "3\n" + line + "0\n"));
  CHECK(set.size() == 2);
  CHECK(set.shape() == sample_shape{1, 1, 9000});
}

TEST_CASE("classes are those of training and test labels together", "[data]") {
  temporary_folder const folder;
  auto const low = written(folder, "low.csv", "1,2,0\n3,4,1\n");
  auto const high = written(folder, "high.csv", "1,2,4\n");
  auto const [train, test] = csv_sets(low, high);
  CHECK(train.classes() == 5);
  CHECK(test.classes() == 5);
  auto const wide = written(folder, "wide.csv", "1,2,3,4\n");
  CHECK(refusal([&] { csv_sets(low, wide); }) ==
        wide + ": expected 2 features, as " + low + " has, got 3");
}

TEST_CASE("tables are read once, so that they may be pipes", "[data]") {
  temporary_folder const folder;
  temporary_folder::once const train(folder.path("train"), "a,label\n0.5,0\n1.5,1\n");
  temporary_folder::once const test(folder.path("test"), "a,label\n2.5,1\n");
  auto const sets = csv_sets(train.path(), test.path());
  CHECK(features_of(sets.first) == std::vector<float>{0.5F, 1.5F});
  CHECK(features_of(sets.second) == std::vector<float>{2.5F});
}

TEST_CASE("columns mean in each file what their names say", "[data]") {
  temporary_folder const folder;
  auto const train = written(folder, "train.csv", "a,b,label\n1,2,0\n3,4,1\n");
  auto const turned = written(folder, "turned.csv", "b,a,label\n2,1,0\n");
  auto const unnamed = written(folder, "unnamed.csv", "1,2,0\n");
  CHECK(refusal([&] { csv_sets(train, turned); }) ==
        turned + ": column 1: expected 'a', as in " + train + ", got 'b'");
  CHECK(csv_sets(train, unnamed).second.size() == 1);
  CHECK(csv_sets(train, train).second.size() == 2);
  auto const pixels = written(folder, "pixels.csv", "Label,p0,p1\n5,0,0\n");
  CHECK(refusal([&] { read_csv(pixels); }) ==
        pixels +
            ": expected the label in column 3, the last, got 'Label' in column 1 and 'p1' "
            "there");
  CHECK(read_csv(pixels, label_column::first).labels()[0] == 5);
  CHECK(read_csv(written(folder, "x.csv", "class,target,label\n5,0,1\n")).labels()[0] == 1);
}

TEST_CASE("a folder of LEAF has users, who are the natural split", "[data]") {
  temporary_folder const folder;
  auto const user = [](char const *name, char const *x, char const *y) {
    return "\"" + std::string(name) + "\": {\"x\": " + x + ", \"y\": " + y + "}";
  };
  written(folder, "train/a.json",
          "{\"users\": [\"f1\", \"f2\"], \"num_samples\": [2, 1], \"user_data\": {" +
              user("f1", "[[0.5, 1], [0, 0.25]]", "[3, 0]") + ", " + user("f2", "[[1, 1]]", "[1]") +
              "}}");
  written(folder, "train/b.json", "{\"user_data\": {" + user("f3", "[[0, 1]]", "[2]") + "}}");
  written(folder, "test/a.json", "{\"user_data\": {" + user("f2", "[[1, 0.75]]", "[0]") + "}}");
  auto const [train, test] = leaf_sets(folder.path(), {1, 1, 2});
  CHECK(train.size() == 4);
  CHECK(train.classes() == 4);
  CHECK(test.classes() == 4);
  CHECK(features_of(train, 1) == std::vector<float>{0, 0.25F});
  CHECK(std::vector<std::uint32_t>(train.users().begin(), train.users().end()) ==
        std::vector<std::uint32_t>{0, 0, 1, 2});
  CHECK(test.users()[0] == 1);
  CHECK(train.take(1, 2).users()[1] == 1);
  CHECK(train.subset(std::vector<std::uint32_t>{3, 0}).users()[0] == 2);

  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    auto const each = split(train, by_user{}).assign(3, seed);
    std::set<std::size_t> sizes{each.size(0), each.size(1), each.size(2)};
    CHECK(sizes == std::set<std::size_t>{1, 2});
    check_disjoint_cover(each, 4);
    for (node i = 0; i < 3; ++i)
      for (std::uint32_t const sample : each[i])
        CHECK(train.users()[sample] == train.users()[each[i][0]]);
    check_disjoint_cover(split(train, by_user{}).assign(2, seed), 4);
  }
  CHECK(refusal([&] { split(train, by_user{}).assign(4, 1); }) ==
        "by_user: expected a user for each of 4 nodes, got 3 users");
}

TEST_CASE("sets without users and broken files of LEAF are refused", "[data]") {
  temporary_folder const folder;
  dataset const plain("plain", {1, 1, 1}, 1, std::vector<float>{1, 2}, {0, 0});
  CHECK(refusal([&] { split(plain, by_user{}).assign(1, 1); }) ==
        "by_user: expected a data set with users, as LEAF's data sets have, got plain");
  CHECK(refusal([&] { dataset(plain).by_users({1}); }) ==
        "plain: users: expected 2, one for each sample, got 1");
  auto const refused = [&](std::string const &text) {
    auto const path = written(folder, "train/x.json", text);
    std::string const sentence = refusal([&] { leaf_sets(folder.path()); });
    return sentence.substr(std::min(sentence.size(), path.size()));
  };
  CHECK(refused("{") == ": byte 1: expected JSON, got the end of the file behind '{'");
  CHECK(refused("{\"user_data\": {\"a\": {\"x\": [[NaN]], \"y\": [0]}}}") ==
        ": byte 28, /user_data/a/x/0/0: expected JSON, got text that is not JSON behind 'ata\": "
        "{\"a\": {\"x\": [['");
  CHECK(refused("{}") == ": expected an object \"user_data\", got none");
  CHECK(refused("{\"user_data\": {\"a\": {\"x\": [[1]]}}}") ==
        ": user a: expected a list \"y\", got none");
  CHECK(refused("{\"user_data\": {\"a\": {\"x\": [[1]], \"y\": [0, 1]}}}") ==
        ": user a: expected 1 labels, one for each sample, got 2");
  CHECK(refused("{\"user_data\": {\"a\": {\"x\": [[1]], \"y\": [-1]}}}") ==
        ": user a: sample 0: expected a whole label from 0 to 65534, got -1");
  CHECK(refused("{\"user_data\": {\"a\": {\"x\": [[1]], \"y\": [1]}}}") ==
        ": user a: sample 0: expected a list of 784 numbers, got 1");
  auto const small = [&](std::string const &text) {
    auto const path = written(folder, "train/x.json", text);
    written(folder, "test/x.json", "{\"user_data\": {\"a\": {\"x\": [[1]], \"y\": [1]}}}");
    std::string const sentence = refusal([&] { leaf_sets(folder.path(), {1, 1, 1}); });
    return sentence.substr(std::min(sentence.size(), path.size()));
  };
  auto const data = [](std::string const &x, std::string const &y) {
    return "\"user_data\": {\"a\": {\"x\": " + x + ", \"y\": " + y + "}}}";
  };
  CHECK(small("{" + data("[[\"b\"]]", "[1]")) == ": user a: sample 0: expected numbers, got \"b\"");
  CHECK(small("{" + data("[[1], [1e300]]", "[1, 0]")) ==
        ": user a: sample 1: expected finite numbers below 2^128, got 1e+300");
  CHECK(small("{" + data("[[1]]", "[4.0]")).empty());
  CHECK(small("{" + data("[[1]]", "[4.5]")) ==
        ": user a: sample 0: expected a whole label from 0 to 65534, got 4.5");
  CHECK(small("{" + data("[[1]]", "[null]")) ==
        ": user a: sample 0: expected a label that is a number, got null");
  CHECK(small("{\"users\": [\"a\", \"ghost\"], " + data("[[1]]", "[1]")) ==
        ": user ghost: expected data, got none");
  CHECK(small("{\"users\": [\"a\", \"a\"], " + data("[[1]]", "[1]")) ==
        ": expected each user once, got a twice");
  CHECK(small("{\"users\": [], " + data("[[1]]", "[1]")) ==
        ": user a: expected to be in the list \"users\", got data alone");
  CHECK(small("{\"users\": [\"a\"], \"num_samples\": [3], " + data("[[1]]", "[1]")) ==
        ": user a: expected 3 samples, as \"num_samples\" says, got 1");
  CHECK(small("{\"users\": [\"a\"], \"num_samples\": [1, 2], " + data("[[1]]", "[1]")) ==
        ": expected a list \"num_samples\" of 1 numbers, got 2");
  CHECK(small("{\"user_data\": {\"a\": {\"x\": [[1]], \"y\": [1]}, \"a\": {\"x\": [[1]], \"y\": "
              "[1]}}}") == ": /user_data/a: expected each member of an object once, got 'a' twice");
  CHECK(small("{\"users\": [5], " + data("[[1]]", "[1]")) ==
        ": expected \"users\" that are texts, got 5");
  CHECK(small("{\"num_samples\": [1], " + data("[[1]]", "[1]")) ==
        ": expected a list \"users\" beside \"num_samples\", got none");
  CHECK(small("{" + data("[[1], [1e999]]", "[1]")) ==
        ": /user_data/a/x/1/0: expected numbers below 2^1024, got a larger number");
  CHECK(small("{" + data("[[1]]", "[1e300]")) ==
        ": user a: sample 0: expected a whole label from 0 to 65534, got 1e+300");
  CHECK(small("{\"user_data\": {\"a\": {\"x\": [[1], [2], [0.") ==
        ": byte 40, /user_data/a/x/2/0: expected JSON, got the end of the file behind "
        "'{\"x\": [[1], [2], [0.'");
  CHECK(small(std::string(200, '['))
            .ends_with(": expected at most 100 levels of lists and objects, got more"));
  written(folder, "train/y.json", "{" + data("[[1]]", "[1]"));
  written(folder, "train/x.json", "{" + data("[[1]]", "[1]"));
  CHECK(refusal([&] {
          leaf_sets(folder.path(), {1, 1, 1});
        }).find("expected a user in one file only") != std::string::npos);
  CHECK(refusal([&] { leaf_sets(folder.path("nowhere")); }).find("expected a folder of .json") !=
        std::string::npos);
}
