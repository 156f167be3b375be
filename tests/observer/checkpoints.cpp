// Checkpoints on a disk: runs that go on from them, what is kept, and files that are not what was
// written.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/observer/checkpoints.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/json_lines.hpp>
#include <gossip/topology/ring.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "../data/temporary_folder.hpp"
#include "../environment.hpp"
#include "../exchange/conformance.hpp"
#include "../fleet/stores.hpp"

using namespace gossip;
using test::temporary_folder;

namespace {

test::some_exchange const exchanges[] = {d_psgd{}, ad_psgd{}, gradient_tracking{}};

template <class... Options>
auto network_of(test::some_exchange const &exchange, Options const &...options) {
  return simulator{ring{9}, test::normalised_classifier{}, sgd{.rate = 0.05, .momentum = 0.9},
                   exchange, options...};
}

run_settings const some_rounds{.seed = 3, .batch = 5, .stop = rounds{14}};

template <class Network, class... Observers>
run_report run(Network const &network, run_settings const &settings, Observers... observers) {
  return network.run(settings, split(test::tiny_images(), iid{}), consensus_distance{},
                     observers...);
}

/// The folders of checkpoints, the newest first.
std::vector<std::string> folders_of(std::string const &folder) {
  std::vector<std::string> all;
  for (std::uint64_t const windows : detail::checkpoint_windows(folder))
    all.push_back(detail::checkpoint_folder(folder, windows));
  return all;
}
std::size_t count_of(std::string const &folder) {
  return folders_of(folder).size();
}

void change_byte(std::string const &path, std::streamoff place) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(place);
  char byte = 0;
  file.get(byte);
  file.seekp(place);
  file.put(static_cast<char>(byte ^ 1));
}

/// A run that ended early, with two checkpoints.
struct cut_run {
  temporary_folder folder;
  std::string path = folder.path("checkpoints");

  cut_run() {
    run_settings settings = some_rounds;
    settings.stop = rounds{9};
    run(network_of(d_psgd{}), settings, checkpoints{path, rounds{1}});
  }
  std::string folder_of(std::size_t number) const { return folders_of(path)[number]; }
  std::string shard_of(std::size_t number) const {
    return folder_of(number) + "/shard-0-of-1.safetensors";
  }
};

}  // namespace

TEST_CASE("a run goes on from its files to the same bits", "[observer]") {
  for (test::some_exchange const &exchange : exchanges) {
    temporary_folder const folder;
    std::string const path = folder.path("checkpoints");
    auto const whole = run(network_of(exchange), some_rounds);
    std::atomic<bool> cord{true}, ended{false};
    auto settings = some_rounds;
    settings.interrupt = &ended;
    auto const part =
        run(network_of(exchange), settings, checkpoints{path, epochs{1e6}, &cord, &ended});
    CHECK(part.interrupted);
    CHECK(part.node_iterations < whole.node_iterations);
    auto const saved = newest_checkpoint(path);
    REQUIRE(saved);
    CHECK(saved->node_iterations() == part.node_iterations);
    CHECK(saved->windows() == 1);
    settings = some_rounds;
    settings.state = saved.get();
    for (std::size_t const threads : {1, 3}) {
      auto const rest = run(network_of(exchange, cpu{.threads = threads}), settings,
                            checkpoints{path, epochs{1e6}});
      CHECK(hex(rest.digest) == hex(whole.digest));
      CHECK(rest.node_iterations == whole.node_iterations);
      CHECK(rest.virtual_seconds == whole.virtual_seconds);
      CHECK(rest.last.loss == whole.last.loss);
      CHECK(*rest.last.consensus_distance == *whole.last.consensus_distance);
    }
  }
}

TEST_CASE("the newest checkpoint is taken", "[observer]") {
  temporary_folder const scratch;
  std::string const folder = scratch.path("checkpoints");
  auto const data = split(test::tiny_images(), iid{});
  simulator const network{ring{9}, test::tiny_classifier{}, sgd{.rate = 0.05}, d_psgd{}};
  run_settings settings = some_rounds;
  auto const whole = network.run(settings, data, checkpoints{folder, rounds{5}});
  // quote resumed
  auto const saved = newest_checkpoint(folder);
  settings.state = saved.get();  // null where there is no checkpoint: the run begins
  auto const rest = network.run(settings, data, checkpoints{folder, rounds{5}});
  // end quote
  CHECK(saved->epoch() > 0);
  CHECK(hex(rest.digest) == hex(whole.digest));
}

TEST_CASE("rows in a store go to files and come from there", "[observer]") {
  for (test::some_exchange const &exchange : exchanges) {
    temporary_folder const folder;
    std::string const path = folder.path("checkpoints");
    auto const network = network_of(exchange, numbers<float, bf16>{});
    auto const whole = run(network, some_rounds);
    auto in_store = some_rounds;
    in_store.store = [](std::uint64_t bytes) {
      return std::make_unique<test::awkward_store>(bytes);
    };
    in_store.tier = tier_shape{6, 2, lease_parts::unit, false};
    std::atomic<bool> cord{true}, ended{false};
    in_store.interrupt = &ended;
    CHECK(run(network, in_store, checkpoints{path, rounds{1}, &cord, &ended}).interrupted);
    auto const saved = newest_checkpoint(path);
    in_store.interrupt = nullptr;
    in_store.tier->by_owner = true;
    auto in_memory = some_rounds;
    in_memory.state = in_store.state = saved.get();
    for (run_settings const &settings : {in_memory, in_store})
      CHECK(hex(run(network, settings, checkpoints{path, rounds{1000}}).digest) ==
            hex(whole.digest));
  }
}

TEST_CASE("a checkpoint is written at the first window's end after every period", "[observer]") {
  struct count_windows {
    std::vector<std::uint64_t> *rounds_at;
    std::string path;
    void window_ended(window_end const &now) const {
      auto const all = detail::checkpoint_windows(path);
      if (!all.empty() && all.front() == now.windows) rounds_at->push_back(now.mark.round);
    }
  };
  temporary_folder const folder;
  std::string const path = folder.path("checkpoints");
  std::vector<std::uint64_t> all, some;
  auto settings = some_rounds;
  settings.stop = rounds{40};
  auto const written = [&](auto every, std::string const &to) {
    std::vector<std::uint64_t> at;
    run(network_of(d_psgd{}), settings, checkpoints{to, every}, count_windows{&at, to});
    return at;
  };
  all = written(rounds{1}, path);
  REQUIRE(all.size() > 4);
  some = written(rounds{all[2]}, folder.path("others"));
  CHECK(some.size() < all.size());
  CHECK(some.front() == all[2]);
  CHECK(written(std::chrono::seconds{3600}, folder.path("none")).empty());
  CHECK(count_of(path) == 2);
  CHECK(newest_checkpoint(folder.path("none")) == nullptr);
  CHECK_THROWS_WITH(checkpoints(path, epochs{0}), "checkpoints: every must be above 0");
}

TEST_CASE("a run that would write for more than half of its time is refused", "[observer]") {
  struct slow_state {
    void take(record const &) const {}
    void name_state(state_visitor const &) const {  // twice a checkpoint
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
    }
  };
  temporary_folder const folder;
  std::string const path = folder.path("checkpoints");
  CHECK_THROWS_WITH(
      run(network_of(d_psgd{}), some_rounds, checkpoints{path, rounds{1}}, slow_state{}),
      Catch::Contains(path + ": expected checkpoints that are further apart than the 1.") &&
          Catch::Contains(" s that one takes to write, got 0"));
  CHECK(newest_checkpoint(path) != nullptr);
  run(network_of(d_psgd{}), some_rounds, checkpoints{folder.path("one"), rounds{14}}, slow_state{});
}

TEST_CASE("files that are not what was written are named, and the checkpoint before is taken",
          "[observer]") {
  std::vector<std::string> passed;
  auto const windows = [&](cut_run const &of) {
    passed.clear();
    return newest_checkpoint(of.path, &passed)->windows();
  };
  auto const damaged = [&](auto damage, std::string const &sentence) {
    cut_run const of;
    std::uint64_t const newest = windows(of);
    CHECK(passed.empty());
    REQUIRE(count_of(of.path) == 2);
    damage(of);
    CHECK(windows(of) < newest);
    REQUIRE(passed.size() == 1);
    CHECK_THAT(passed[0], Catch::Contains(sentence));
  };
  damaged([](cut_run const &of) { change_byte(of.shard_of(0), 5000); },
          "shard-0-of-1.safetensors: expected hash ");
  damaged(
      [](cut_run const &of) {
        std::filesystem::resize_file(of.shard_of(0),
                                     std::filesystem::file_size(of.shard_of(0)) - 1);
      },
      " bytes, as its note says, got ");
  damaged([](cut_run const &of) { std::filesystem::remove(of.shard_of(0)); },
          "cannot be read: No such file or directory");
  damaged(
      [](cut_run const &of) { std::filesystem::remove(of.folder_of(0) + "/shard-0-of-1.json"); },
      "expected all shards of a checkpoint, got none");
  damaged(
      [](cut_run const &of) {
        std::ofstream(of.folder_of(0) + "/shard-0-of-1.json", std::ios::trunc) << "{\"a\": 1}";
      },
      "expected the note of a shard of a checkpoint, got none");
  damaged(
      [](cut_run const &of) {
        std::ofstream(of.folder_of(0) + "/shard-0-of-1.json", std::ios::trunc)
            << "{\"gossip_checkpoint\": 2}";
      },
      "expected a checkpoint of version 3, got one of version 2");
  damaged(
      [](cut_run const &of) {  // of another window
        std::filesystem::copy_file(of.shard_of(1), of.shard_of(0),
                                   std::filesystem::copy_options::overwrite_existing);
      },
      "as its note says, got ");

  cut_run const both;
  change_byte(both.shard_of(0), 5000);
  change_byte(both.shard_of(1), 5000);
  CHECK_THROWS_WITH(newest_checkpoint(both.path), Catch::Contains("expected hash "));
}

TEST_CASE("a folder that cannot be written is named", "[observer]") {
  temporary_folder const folder;
  std::ofstream(folder.path("file")) << "no folder";
  CHECK_THROWS_WITH(
      run(network_of(d_psgd{}), some_rounds, checkpoints{folder.path("file"), rounds{1}}),
      Catch::Contains("file: cannot be read: Not a directory"));
}

TEST_CASE("checkpoints that are written while the run goes on are those of one that waits",
          "[observer]") {
  for (test::some_exchange const &exchange : exchanges) {
    temporary_folder const folder;
    auto settings = some_rounds;
    std::string const waiting = folder.path("waiting"), behind = folder.path("behind");
    auto const waits = run(network_of(exchange), settings, checkpoints{waiting, rounds{1}});
    CHECK(waits.announced.copy == 0);
    settings.copy_of_state = true;
    auto const goes_on = run(network_of(exchange), settings, checkpoints{behind, rounds{1}});
    CHECK(goes_on.announced.copy == goes_on.announced.rows);
    CHECK(goes_on.announced.total() == waits.announced.total() + goes_on.announced.copy);
    CHECK(hex(goes_on.digest) == hex(waits.digest));
    REQUIRE(count_of(behind) == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      auto const one = checkpoint::notes_of(folders_of(waiting)[k]);
      auto const other = checkpoint::notes_of(folders_of(behind)[k]);
      REQUIRE(one.size() == other.size());
      CHECK(other[0].windows == one[0].windows);
      CHECK(other[0].bytes == one[0].bytes);
      // Between two states of a run nothing differs but the seconds of the clock.
      checkpoint const a(folders_of(waiting)[k]), b(folders_of(behind)[k]);
      for (std::string const &name : a.names()) {
        if (name.find("seconds") != std::string::npos) continue;
        INFO(name);
        REQUIRE(b.shape_of(name) == a.shape_of(name));
        auto const owners = a.shape_of(name)->owners;
        std::vector<node> all(owners);
        std::iota(all.begin(), all.end(), node{0});
        auto const bytes_of = [&](checkpoint const &from) {
          std::vector<std::byte> bytes;
          std::size_t const row = a.shape_of(name)->each * size_of(a.shape_of(name)->kind);
          from.each_block(name, all, [&](std::size_t, std::size_t count, std::byte const *at) {
            bytes.insert(bytes.end(), at, at + count * row);
          });
          return bytes;
        };
        CHECK(bytes_of(a) == bytes_of(b));
      }
    }
    auto const saved = std::make_unique<checkpoint>(folders_of(behind).back());
    settings.state = saved.get();
    CHECK(hex(run(network_of(exchange), settings).digest) == hex(waits.digest));
  }
}

TEST_CASE("a run that ends waits for the checkpoint that is being written", "[observer]") {
  temporary_folder const folder;
  std::string const path = folder.path("checkpoints");
  std::atomic<bool> cord{false}, ended{false};
  struct pull {
    std::atomic<bool> *cord;
    void window_ended(window_end const &now) const { *cord = now.windows >= 2; }
  };
  auto settings = some_rounds;
  settings.copy_of_state = true;
  settings.interrupt = &ended;
  CHECK(
      run(network_of(ad_psgd{}), settings, pull{&cord}, checkpoints{path, rounds{1}, &cord, &ended})
          .interrupted);
  REQUIRE(count_of(path) == 2);
  CHECK(newest_checkpoint(path)->windows() == 2);
  CHECK(checkpoint(folders_of(path).back()).windows() == 1);
}

TEST_CASE("a checkpoint that cannot be written behind the run ends it with a sentence",
          "[observer]") {
  temporary_folder const folder;
  std::string const path = folder.path("checkpoints");
  auto settings = some_rounds;
  settings.copy_of_state = true;
  struct block {  // a folder where the shard of a window belongs
    std::string path;
    std::uint64_t window;
    void window_ended(window_end const &now) const {
      if (now.windows == window)
        std::filesystem::create_directories(detail::checkpoint_folder(path, window) +
                                            "/shard-0-of-1.safetensors.part/full");
    }
  };
  for (std::uint64_t const window : {2, 4}) {  // the last one is 4
    CHECK_THROWS_WITH(
        run(network_of(d_psgd{}), settings, block{path, window}, checkpoints{path, rounds{1}}),
        Catch::Contains(detail::checkpoint_folder(path, window) +
                        "/shard-0-of-1.safetensors.part: cannot be written"));
    CHECK(newest_checkpoint(path)->windows() == window - 1);
    std::filesystem::remove_all(path);
  }
}

TEST_CASE("a run under a limit of memory has no copy of its state", "[observer]") {
  temporary_folder const folder;
  auto settings = some_rounds;
  settings.copy_of_state = true;
  settings.store = [](std::uint64_t bytes) { return std::make_unique<test::awkward_store>(bytes); };
  settings.tier = tier_shape{6, 2, lease_parts::unit, false};
  std::string const path = folder.path("checkpoints");
  auto const streamed = run(network_of(d_psgd{}), settings, checkpoints{path, rounds{1}});
  CHECK(streamed.announced.copy == 0);
  CHECK(hex(streamed.digest) == hex(run(network_of(d_psgd{}), some_rounds).digest));
  CHECK(count_of(path) == 2);
}

TEST_CASE("lines of a run that is cut come once", "[observer]") {
  temporary_folder const folder;
  std::string const path = folder.path("checkpoints");
  auto const lines = [&](std::string const &file) {
    std::ifstream in(file);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);)
      all.push_back(line.substr(0, line.find("\"wall_seconds\"")));
    return all;
  };
  auto const network = network_of(d_psgd{});
  auto const data = split(test::tiny_images(), iid{});
  auto const observed = [&](run_settings const &settings, json_lines to) {
    network.run(settings, data, checkpoints{path, rounds{1}},
                every(rounds{1}, consensus_distance{}, std::move(to)));
  };
  observed(some_rounds, json_lines{folder.path("whole")});
  auto settings = some_rounds;
  auto const saved = std::make_unique<checkpoint>(folders_of(path).back());
  settings.state = saved.get();
  std::filesystem::copy_file(folder.path("whole"), folder.path("cut"));
  observed(settings, json_lines::resumed(folder.path("cut")));
  CHECK(lines(folder.path("cut")) == lines(folder.path("whole")));
}

TEST_CASE("a run that begins anew is not written over another one's checkpoints", "[observer]") {
  cut_run const of;
  auto const folders = folders_of(of.path);
  CHECK_THROWS_WITH(
      run(network_of(d_psgd{}), some_rounds, checkpoints{of.path, rounds{1}}),
      of.path + ": expected no checkpoints of an earlier run, since this run begins anew, got " +
          folders[0]);
  CHECK(folders_of(of.path) == folders);
  std::filesystem::create_directory(of.path + "/window-best");
  std::filesystem::create_directory(of.path + "/window-000000000001-kept");
  CHECK(folders_of(of.path) == folders);
}

TEST_CASE("a checkpoint that was passed over is replaced", "[observer]") {
  cut_run const of;
  change_byte(of.shard_of(0), 5000);
  auto settings = some_rounds;
  settings.stop = rounds{9};
  auto const saved = newest_checkpoint(of.path);
  settings.state = saved.get();
  run(network_of(d_psgd{}), settings, checkpoints{of.path, rounds{1}});
  std::vector<std::string> passed;
  CHECK(newest_checkpoint(of.path, &passed)->windows() > saved->windows());
  CHECK(passed.empty());
}

TEST_CASE("periods may be as long and as short as their numbers", "[observer]") {
  temporary_folder const folder;
  auto const written = [&](checkpoints::period every, char const *to) {
    run(network_of(d_psgd{}), some_rounds, checkpoints{folder.path(to), every});
    return count_of(folder.path(to));
  };
  CHECK(written(std::chrono::seconds::max(), "never") == 0);
  CHECK(written(epochs{1e300}, "seldom") == 0);
  CHECK(written(epochs{1e-300}, "always") == 2);
}
