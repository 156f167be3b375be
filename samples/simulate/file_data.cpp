#include "file_data.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/files_read.hpp>
#include <gossip/data/cifar10.hpp>
#include <gossip/data/csv.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/data/leaf.hpp>
#include <gossip/data/numpy.hpp>

#include "values.hpp"

namespace simulate {

namespace {

/// The digits that come with gossip: in the source tree, beside the installed program, or here.
std::string folder_of_digits(std::string const &given) {
  namespace fs = std::filesystem;
  if (!given.empty()) return given;
  std::error_code code;
  fs::path const program = fs::read_symlink("/proc/self/exe", code);
  fs::path const installed = program.parent_path().parent_path() / "share/gossip/digits";
  std::vector<fs::path> places{installed, "samples/data/digits"};
#ifdef GOSSIP_DIGITS
  places.insert(places.begin(), GOSSIP_DIGITS);
#endif
  for (fs::path const &place : places)
    if (fs::is_directory(place, code)) return place.string();
  throw gossip::input_error("data: the digits that come with gossip are neither in " +
                            places.front().string() + " nor in " + installed.string() +
                            " nor in samples/data/digits; set /data/path");
}

gossip::dataset fitted(gossip::dataset set, gossip::sample_shape shape) {
  return set.shape().size() == shape.size() ? std::move(set).reshaped(shape) : set;
}

/// False for sets whose samples have one shape, whatever the model.
bool is_fitted(std::string const &kind) {
  return kind != "mnist" && kind != "cifar10" && kind != "digits";
}

data_pair read_data(json const &data, model const &m) {
  std::string const kind = kind_of(data), path = text_at(data, "path");
  if (kind == "mnist") return gossip::mnist(path);
  if (kind == "cifar10") return gossip::cifar10(path);
  if (kind == "digits") return gossip::digits(folder_of_digits(path));
  auto [train, test] = [&]() -> data_pair {
    if (kind == "leaf") return gossip::leaf_sets(path, m.sample);
    if (kind == "csv")
      return gossip::csv_sets(path, text_at(data, "test_path"),
                              text_at(data, "label") == "first" ? gossip::label_column::first
                                                                : gossip::label_column::last);
    return gossip::numpy_sets(path, text_at(data, "channels") == "last"
                                        ? gossip::channel_order::last
                                        : gossip::channel_order::first);
  }();
  return {fitted(std::move(train), m.sample), fitted(std::move(test), m.sample)};
}

}  // namespace

bool is_read_from_files(std::string const &kind) {
  return kind != "synthetic";
}

data_pair file_data(json const &data, model const &m) {
  static std::mutex one_at_a_time;  // of the runs of a sweep
  static std::pair<std::string, std::optional<data_pair>> last;
  static std::vector<gossip::file_content> files;  // from which the last were read
  std::lock_guard const turn(one_at_a_time);
  std::string const asked = samples_of(data).dump() + (is_fitted(kind_of(data)) ? m.name : "");
  if (!last.second || last.first != asked) {
    last.second.reset();
    gossip::files_read list;
    last = {asked, read_data(data, m)};
    files = list.files();
  } else {
    for (gossip::file_content const &one : files) gossip::files_read::add(one);
  }
  return *last.second;
}

}  // namespace simulate
