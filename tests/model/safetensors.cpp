#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gossip/model/quadratic.hpp>
#include <gossip/model/read_safetensors.hpp>
#include <gossip/model/resnet.hpp>
#include <gossip/model/vgg.hpp>
#include <gossip/model/write_safetensors.hpp>
#include <gossip/model/zoo.hpp>

#include "../catch.hpp"

using namespace gossip;

namespace {

std::string const path = "safetensors_test.safetensors";

struct scratch_file {
  ~scratch_file() { std::remove(path.c_str()); }
};

void write_raw(std::uint64_t length, std::string const &header, std::string const &data) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<char const *>(&length), sizeof length);
  file << header << data;
}

/// The sentence by which a file is refused for tensors a (2) and b (1, 2).
std::string refusal(std::uint64_t length, std::string const &header, std::string const &data) {
  scratch_file const removed;
  write_raw(length, header, data);
  try {
    read_safetensors<float>(path, {{"a", {2}, 0}, {"b", {1, 2}, 2}});
  } catch (input_error const &fault) {
    return std::string(fault.what()).substr(path.size());
  }
  return "accepted";
}
std::string refusal(std::string const &header, std::size_t bytes = 16) {
  return refusal(header.size(), header, std::string(bytes, '\0'));
}

std::string tensor(std::string const &name, std::string const &type, std::string const &shape,
                   std::string const &offsets) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":[)" + shape +
         R"(],"data_offsets":[)" + offsets + "]}";
}

std::string const a = tensor("a", "F32", "2", "0,8"), b = tensor("b", "F32", "1,2", "8,16");

template <class Model>
void require_names(std::vector<std::string> const &first, std::string const &last) {
  auto const all = named_tensors<Model>();
  for (std::size_t k = 0; k < first.size(); ++k) CHECK(all[k].name == first[k]);
  CHECK(all.back().name == last);
  std::size_t columns = 0;
  for (named_tensor const &one : all) {
    CHECK(one.first == columns);
    columns += one.size();
  }
  CHECK(columns == row_length<Model>);
}

}  // namespace

TEST_CASE("tensors have the names of PyTorch and fill the row", "[model]") {
  require_names<softmax_regression>({"1.weight", "1.bias"}, "1.bias");
  require_names<mlp>({"1.weight", "1.bias", "3.weight", "3.bias"}, "3.bias");
  require_names<lenet5>({"0.weight", "0.bias", "2.weight", "2.bias", "5.weight"}, "7.bias");
  require_names<lenet5_classic>({"0.weight", "0.bias", "3.weight", "3.bias", "7.weight"},
                                "11.bias");
  require_names<resnet20>({"0.weight", "1.weight", "1.bias", "3.body.0.weight", "3.body.1.weight",
                           "3.body.1.bias", "3.body.3.weight"},
                          "11.body.4.running_var");
  require_names<resnet18>({"0.weight", "1.weight"}, "10.body.4.running_var");
  require_names<vgg11>({"0.weight", "0.bias", "1.weight", "1.bias", "4.weight"}, "26.running_var");
  require_names<quadratic<16>>({"parameters"}, "parameters");
  CHECK(named_tensors<lenet5>()[2].shape == std::vector<std::size_t>{50, 20, 5, 5});
  CHECK(named_tensors<mlp>()[0].shape == std::vector<std::size_t>{100, 784});
}

TEMPLATE_TEST_CASE("a model that was written is read again, bit for bit", "[model]", float,
                   double) {
  scratch_file const removed;
  std::vector<TestType> row(row_length<resnet20>);
  resnet20{}.initialise(std::span(row), 3);
  write_safetensors<TestType>(path, named_tensors<resnet20>(), row);
  CHECK(read_safetensors<TestType>(path, named_tensors<resnet20>()) == row);
  CHECK_THROWS_AS(read_safetensors<float>(path, named_tensors<mlp>()), input_error);
}

TEST_CASE("a header as PyTorch writes it is read", "[model]") {
  std::string const tracked = tensor("n.num_batches_tracked", "I64", "", "16,24");
  CHECK(refusal("{\"__metadata__\":{\"format\":\"pt\"}," + a + "," + b + "}  ") == "accepted");
  CHECK(refusal("{" + b + "," + a + "," + tracked + "}", 24) == "accepted");
}

TEST_CASE("a file that is no model is refused in a sentence", "[model]") {
  CHECK_THROWS_WITH(read_safetensors<float>("none.safetensors", {}),
                    "none.safetensors: expected a file, got no file of this name");
  {
    scratch_file const removed;
    std::ofstream(path) << "1234567";
    CHECK_THROWS_WITH(read_safetensors<float>(path, {}),
                      path + ": expected at least 8 bytes with the length of a header, got 7");
  }
  CHECK(refusal(100, "{}", "") == ": header: expected at most 2 bytes, got 100");
  CHECK(refusal(std::numeric_limits<std::uint64_t>::max(), "{}", "") ==
        ": header: expected at most 2 bytes, got 18446744073709551615");
  CHECK(refusal("{\"a\":") ==
        ": header: byte 5, /a: expected JSON, got the end of the file behind '{\"a\":'");
  CHECK(refusal(std::string(100'000, '['))
            .ends_with(": expected at most 100 levels of lists and objects, got more"));
  CHECK(refusal("[1]") == ": header: expected an object, got array");
  CHECK(refusal("{" + a + "," + a + "}") ==
        ": header: /a: expected each member of an object once, got 'a' twice");
  CHECK(refusal("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F64\"}}") ==
        ": header: /a/dtype: expected each member of an object once, got 'dtype' twice");
  CHECK(refusal("{\"a\":1}") == ": 'a': expected dtype, shape and two data_offsets, got 1");
  CHECK(refusal("{" + tensor("a", "F32", "-2", "0,8") + "}")
            .starts_with(": 'a': expected dtype, shape and two data_offsets, got {"));
  CHECK(refusal("{" + tensor("a", "F31", "2", "0,8") + "," + b + "}") ==
        ": 'a': expected a type of safetensors, as F32, got 'F31'");
  CHECK(refusal("{" + tensor("a", "F32", "4294967296,4294967296,2", "0,8") + "," + b + "}") ==
        ": 'a': expected a shape of fewer than 2^64 bytes, got (4294967296, 4294967296, 2)");
  CHECK(refusal("{" + tensor("a", "F32", "3", "0,8") + "," + b + "}") ==
        ": 'a': expected 12 bytes by its shape, got 8");
  CHECK(refusal("{" + tensor("a", "F32", "2", "8,0") + "," + b + "}") ==
        ": 'a': expected data_offsets that ascend, up to 16, got 8 to 0");
  CHECK(refusal("{" + a + "," + tensor("b", "F32", "1,2", "16,24") + "}") ==
        ": 'b': expected data_offsets that ascend, up to 16, got 16 to 24");
  CHECK(refusal("{" + a + "," + tensor("b", "F32", "1,2", "4,12") + "}") ==
        ": 'b': expected to begin at byte 8, where the last one ends, got 4");
  CHECK(refusal("{" + a + "," + tensor("b", "F32", "1,2", "12,20") + "}", 20) ==
        ": 'b': expected to begin at byte 8, where the last one ends, got 12");
  CHECK(refusal("{" + a + "," + b + "}", 17) == ": expected 16 bytes of numbers, got 17");
}

TEST_CASE("a file of another model is refused in a sentence", "[model]") {
  CHECK(refusal("{" + a + "}", 8) == ": 'b': expected a tensor of this name, got none");
  CHECK(refusal("{" + a + "," + b + "," + tensor("c", "U8", "1", "16,17") + "}", 17) ==
        ": expected the tensors of the model only, got 'c' too");
  CHECK(refusal("{" + a + "," + tensor("b", "F32", "2,1", "8,16") + "}") ==
        ": 'b': expected shape (1, 2), got (2, 1)");
  CHECK(refusal("{" + a + "," + tensor("b", "I32", "1,2", "8,16") + "}") ==
        ": 'b': expected numbers of type F32 or F64, got I32");
  float const numbers[] = {0, 0, 0, INFINITY};
  std::string const header = "{" + a + "," + b + "}";
  CHECK(refusal(header.size(), header, {reinterpret_cast<char const *>(numbers), 16}) ==
        ": 'b': expected finite numbers, got inf at place 1");
}
