// Definitions of data/leaf.hpp.
#pragma once

#include <gossip/data/leaf.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/data/json_text.hpp>
#include <gossip/data/label.hpp>

namespace gossip {

namespace detail {

/// Samples of JSON files of LEAF: {"users": [...], "num_samples": [...], "user_data": {user: {"x":
/// [[...]], "y": [...]}}}, of which the first two may be absent. A user is in one of the files
/// alone.
class leaf_samples {
 public:
  leaf_samples(std::map<std::string, std::uint32_t> &numbers, sample_shape shape)
      : numbers_(numbers), shape_(shape) {}

  void read(std::string const &path) {
    shared_bytes const text = all_bytes(path);
    json const all = parse_json(text.bytes, path);
    if (!all.is_object() || !all.contains("user_data") || !all["user_data"].is_object())
      throw input_error(path, "an object \"user_data\"",
                        all.is_object() ? "none" : all.type_name());
    require_users(path, all);
    json const &data = all["user_data"];
    for (auto user = data.begin(); user != data.end(); ++user) add(path, user.key(), user.value());
  }

  std::span<std::uint16_t const> labels() const { return labels_; }

  dataset made(std::string const &name, std::size_t classes) && {
    if (labels_.empty()) throw input_error(name, "at least one sample", "none");
    return dataset{name, shape_, classes, std::move(features_), std::move(labels_)}.by_users(
        std::move(users_));
  }

 private:
  using json = nlohmann::json;

  /// "users" are those of "user_data", and "num_samples" their samples, where a file has them.
  static void require_users(std::string const &path, json const &all) {
    json const &data = all["user_data"];
    if (!all.contains("users")) {
      if (all.contains("num_samples"))
        throw input_error(path, "a list \"users\" beside \"num_samples\"", "none");
      return;
    }
    json const &users = all["users"];
    if (!users.is_array()) throw input_error(path, "a list \"users\"", users.type_name());
    std::set<std::string> named;
    for (json const &user : users) {
      if (!user.is_string()) throw input_error(path, "\"users\" that are texts", shown(user));
      auto const &name = user.get_ref<std::string const &>();
      if (!named.insert(name).second) throw input_error(path, "each user once", name + " twice");
      if (!data.contains(name)) throw input_error(path + ": user " + name, "data", "none");
    }
    for (auto user = data.begin(); user != data.end(); ++user)
      if (!named.contains(user.key()))
        throw input_error(path + ": user " + user.key(), "to be in the list \"users\"",
                          "data alone");
    if (!all.contains("num_samples")) return;
    json const &counts = all["num_samples"];
    if (!counts.is_array() || counts.size() != users.size())
      throw input_error(path,
                        "a list \"num_samples\" of " + std::to_string(users.size()) + " numbers",
                        counts.is_array() ? std::to_string(counts.size()) : counts.type_name());
    for (std::size_t k = 0; k < users.size(); ++k) {
      auto const &name = users[k].get_ref<std::string const &>();
      json const &samples = data[name];
      if (!samples.is_object() || !samples.contains("y") || !samples["y"].is_array()) continue;
      std::size_t const labels = samples["y"].size();
      if (!counts[k].is_number() || counts[k].get<double>() != static_cast<double>(labels))
        throw input_error(path + ": user " + name,
                          shown(counts[k]) + " samples, as \"num_samples\" says",
                          std::to_string(labels));
    }
  }

  void add(std::string const &path, std::string const &user, json const &samples) {
    std::string const where = path + ": user " + user;
    auto const list = [&](char const *key) -> json const & {
      if (!samples.is_object() || !samples.contains(key) || !samples[key].is_array())
        throw input_error(where, "a list \"" + std::string(key) + "\"", "none");
      return samples[key];
    };
    json const &x = list("x"), &y = list("y");
    if (x.size() != y.size())
      throw input_error(where, std::to_string(x.size()) + " labels, one for each sample",
                        std::to_string(y.size()));
    if (auto const [known, first] = files_.emplace(user, path); !first)
      throw input_error(where, "a user in one file only", "a user of " + known->second + " too");
    std::uint32_t const number =
        numbers_.emplace(user, static_cast<std::uint32_t>(numbers_.size())).first->second;
    for (std::size_t k = 0; k < y.size(); ++k) {
      std::string const sample = where + ": sample " + std::to_string(k);
      if (!y[k].is_number()) throw input_error(sample, "a label that is a number", shown(y[k]));
      labels_.push_back(label_of(y[k].get<double>(), sample));
      users_.push_back(number);
      add_features(sample, x[k]);
    }
  }

  void add_features(std::string const &sample, json const &values) {
    if (!values.is_array() || values.size() != shape_.size())
      throw input_error(
          sample, "a list of " + std::to_string(shape_.size()) + " numbers",
          values.is_array() ? std::to_string(values.size()) : std::string(values.type_name()));
    for (json const &value : values) {
      if (!value.is_number()) throw input_error(sample, "numbers", shown(value));
      features_.push_back(value.get<float>());
      if (!std::isfinite(features_.back()))
        throw input_error(sample, "finite numbers below 2^128", shown(value));
    }
  }

  std::map<std::string, std::uint32_t> &numbers_;
  sample_shape shape_;
  std::map<std::string, std::string> files_;  // of each user
  std::vector<float> features_;
  std::vector<std::uint16_t> labels_;
  std::vector<std::uint32_t> users_;
};

/// The JSON files of a folder in the order of their names.
GOSSIP_INLINE std::vector<std::string> json_files(std::string const &folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code code;
  for (auto const &entry : fs::directory_iterator(folder, code))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  if (files.empty()) throw input_error(folder, "a folder of .json files", "none");
  std::ranges::sort(files);
  return files;
}

}  // namespace detail

GOSSIP_INLINE std::pair<dataset, dataset> leaf_sets(std::string const &folder, sample_shape shape) {
  std::map<std::string, std::uint32_t> users;
  detail::leaf_samples train(users, shape), test(users, shape);
  std::string const of_train = (std::filesystem::path(folder) / "train").string();
  std::string const of_test = (std::filesystem::path(folder) / "test").string();
  for (std::string const &file : detail::json_files(of_train)) train.read(file);
  for (std::string const &file : detail::json_files(of_test)) test.read(file);
  std::size_t const classes = detail::classes_of(train.labels(), test.labels());
  return {std::move(train).made(of_train, classes), std::move(test).made(of_test, classes)};
}

}  // namespace gossip
