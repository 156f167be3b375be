// Models that a run leaves as files, against its rows.
#include <gossip/observer/model_files.hpp>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <gossip/data/iid.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/read_safetensors.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include "../data/temporary_folder.hpp"
#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::model_files;
using gossip::rounds;

namespace {

/// The rows of all models that observers look at, and their mean.
template <class T>
struct last_rows {
  std::vector<std::vector<T>> *rows;
  std::vector<T> *mean;

  template <class Context>
  void measure(Context &context, gossip::record &) const {
    std::size_t const d = context.size().parameters;
    rows->clear();
    for (std::size_t i = 0; i < context.size().nodes; ++i) {
      auto const *const x = context.rows().parameters(static_cast<gossip::node>(i));
      rows->emplace_back(x, x + d);
    }
    mean->assign(context.mean_model(), context.mean_model() + d);
  }
};

std::size_t files_in(std::string const &folder) {
  std::size_t found = 0;
  for (auto const &one : std::filesystem::directory_iterator(folder)) found += one.exists();
  return found;
}

/// Trains classifiers of tiny images and holds the files to the rows.
template <class T, class Row>
void check_files(std::size_t nodes, some_exchange const &exchange, std::size_t models) {
  temporary_folder const folder;
  auto const tensors = gossip::named_tensors<tiny_classifier>();
  gossip::simulator network{gossip::ring{nodes}, tiny_classifier{}, gossip::sgd{.rate = 0.1},
                            exchange, gossip::numbers<T, Row>{}};
  std::vector<std::vector<T>> rows;
  std::vector<T> mean;
  network.run({.batch = 5, .stop = rounds{2}}, gossip::split(tiny_images(), gossip::iid{}),
              gossip::every(rounds{1}, model_files{.folder = folder.path("out"), .nodes = true}),
              last_rows<T>{&rows, &mean});
  REQUIRE(rows.size() == models);
  CHECK(gossip::read_safetensors<T>(folder.path("out/mean.safetensors"), tensors) == mean);
  for (std::size_t i = 0; i < models; ++i) {
    std::string const name = model_files::name_of(static_cast<gossip::node>(i), models);
    CHECK(gossip::read_safetensors<T>(folder.path("out/" + name), tensors) == rows[i]);
  }
  CHECK(files_in(folder.path("out/nodes")) == models);
  CHECK(files_in(folder.path("out")) == 2);
}

}  // namespace

TEST_CASE("files have the models of all nodes and their mean", "[observer]") {
  check_files<float, float>(4, gossip::d_psgd{}, 4);
  check_files<double, double>(11, gossip::none{}, 11);
  check_files<float, gossip::bf16>(3, gossip::d_psgd{}, 3);
  check_files<float, float>(4, gossip::all_reduce{}, 4);  // of one row
  check_files<float, float>(4, gossip::fed_avg{}, 1);     // of the server
}

TEST_CASE("names of files sort as nodes do", "[observer]") {
  CHECK(model_files::name_of(0, 1) == "nodes/0.safetensors");
  CHECK(model_files::name_of(9, 10) == "nodes/9.safetensors");
  CHECK(model_files::name_of(9, 11) == "nodes/09.safetensors");
  CHECK(model_files::name_of(1000, 100000) == "nodes/01000.safetensors");
}

TEST_CASE("one kind of files is written where one is asked for", "[observer]") {
  temporary_folder const folder;
  gossip::simulator network{gossip::ring{3}, gossip::quadratic<3>{}, gossip::sgd{}, gossip::none{}};
  network.run({.stop = rounds{1}}, model_files{.folder = folder.path("mean")},
              model_files{.folder = folder.path("nodes"), .mean = false, .nodes = true});
  CHECK(files_in(folder.path("mean")) == 1);
  CHECK(files_in(folder.path("nodes")) == 1);
  CHECK(files_in(folder.path("nodes/nodes")) == 3);
}

TEST_CASE("a run that is interrupted leaves its models", "[observer]") {
  temporary_folder const folder;
  std::atomic<bool> const interrupted{true};
  gossip::simulator network{gossip::ring{3}, gossip::quadratic<3>{.noise = 0.1}, gossip::sgd{},
                            gossip::none{}};
  std::vector<std::vector<float>> rows;
  std::vector<float> mean;
  auto const report =
      network.run({.stop = rounds{100}, .interrupt = &interrupted},
                  model_files{.folder = folder.path()}, last_rows<float>{&rows, &mean});
  CHECK(report.interrupted);
  CHECK(report.node_iterations < 300);
  CHECK(gossip::read_safetensors<float>(folder.path("mean.safetensors"),
                                        gossip::named_tensors<gossip::quadratic<3>>()) == mean);
}

TEST_CASE("a folder that cannot be made is refused before anything is trained", "[observer]") {
  temporary_folder const folder;
  std::string const file = folder.write("file", {1});
  gossip::simulator network{gossip::ring{3}, gossip::quadratic<3>{}, gossip::sgd{}, gossip::none{}};
  CHECK_THROWS_WITH(network.run({.stop = rounds{1}}, model_files{.folder = file + "/out"}),
                    file + "/out: expected a folder that can be made, got Not a directory");
}
