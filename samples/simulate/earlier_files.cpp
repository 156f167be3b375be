#include "earlier_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "whole_file.hpp"

namespace simulate {

namespace {

namespace fs = std::filesystem;

/// Also a link that leads nowhere.
bool is_there(fs::path const &path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

/// Paths of all files below a folder, within it.
std::vector<std::string> all_files_in(std::string const &folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (auto const &one : fs::recursive_directory_iterator(folder, ignored))
    if (!one.is_directory(ignored) || one.is_symlink(ignored))
      names.push_back(one.path().lexically_relative(folder).string());
  return names;
}

/// The first file that cannot be moved is the reason, or 0.
int move_all(std::string const &from, std::string const &to,
             std::vector<std::string> const &names) {
  for (std::string const &name : names) {
    std::error_code code;
    fs::create_directories(fs::path(to + "/" + name).parent_path(), code);
    if (code) return code.value();
    if (std::rename((from + "/" + name).c_str(), (to + "/" + name).c_str()) != 0) return errno;
  }
  return 0;
}

}  // namespace

std::vector<std::string> files_in(std::string const &folder,
                                  std::vector<std::string> const &names) {
  std::vector<std::string> found;
  for (std::string const &name : names)
    if (is_there(folder + "/" + name)) found.push_back(name);
  return found;
}

std::vector<std::string> files_of_run(std::string const &folder) {
  auto found =
      files_in(folder, {"config.json", "identity.json", "metrics.jsonl", "summary.json",
                        "summary.json.part", "graph.json", "nodes.jsonl", "graph.graphml"});
  for (std::string const &name : models_of_run(folder)) found.push_back(name);
  for (std::string const &name : all_files_in(folder + "/checkpoints"))
    found.push_back("checkpoints/" + name);
  return found;
}

std::vector<std::string> models_of_run(std::string const &folder) {
  auto found = files_in(folder, {"mean.safetensors"});
  std::error_code ignored;
  for (auto const &one : fs::directory_iterator(folder + "/nodes", ignored))
    if (one.path().extension() == ".safetensors")
      found.push_back("nodes/" + one.path().filename().string());
  return found;
}

std::vector<std::string> files_of_plan(std::string const &folder) {
  return files_in(folder, {"plan.json", "trace.json"});
}

earlier_files::earlier_files(std::string folder, std::vector<std::string> const &names)
    : folder_(std::move(folder)) {
  if (is_there(place())) {
    remove_files(folder_, names);  // of a run that was killed
    return;
  }
  if (names.empty()) return;
  if (int const code = move_all(folder_, place(), names); code != 0) {
    restore({});
    refuse_to_write(folder_, code);
  }
  remove_files(folder_, names);  // the folders in which they were
}

void earlier_files::restore(std::vector<std::string> const &names) const {
  remove_files(folder_, names);
  move_all(place(), folder_, all_files_in(place()));
  std::error_code ignored;
  if (all_files_in(place()).empty()) fs::remove_all(place(), ignored);
}

void earlier_files::remove() const {
  std::error_code ignored;
  fs::remove_all(place(), ignored);
}

void remove_files(std::string const &folder, std::vector<std::string> const &names) {
  std::error_code ignored;
  for (std::string const &name : names) fs::remove(folder + "/" + name, ignored);
  for (std::string const &name : names)
    for (fs::path within = fs::path(name).parent_path(); !within.empty();
         within = within.parent_path())
      fs::remove(folder / within, ignored);  // if nothing else is in it
}

json read_json(std::string const &path) {
  std::ifstream file(path);
  return json::parse(file, nullptr, false);
}

std::vector<std::string> differing(json const &one, json const &other) {
  json const here = one.flatten(), there = other.flatten();
  std::vector<std::string> names;
  for (auto const &[name, value] : here.items())
    if (!there.contains(name) || there[name] != value) names.push_back(name);
  for (auto const &[name, value] : there.items())
    if (!here.contains(name)) names.push_back(name);
  return names;
}

std::string difference_from_earlier(std::string const &folder, json const &config,
                                    json const &identity) {
  json const of_config = read_json(folder + "/config.json");
  json const of_identity = read_json(folder + "/identity.json");
  if (!of_config.is_object()) return "";
  std::vector<std::string> names = differing(config, of_config);
  if (of_identity.is_object()) {
    auto const by_path = [](json one) {
      json files = json::object();
      for (json const &file : one.value("files", json::array()))
        if (file.is_object() && file.value("path", json()).is_string())
          files[file["path"].get<std::string>()] = file;
      one.erase("files");
      return std::pair{one, files};
    };
    auto const [program, files] = by_path(identity);
    auto const [program_before, files_before] = by_path(of_identity);
    for (auto const &[path, file] : files.items())
      if (files_before.contains(path) && files_before[path] != file)
        names.push_back("the content of " + path);
    for (std::string const &name : differing(program, program_before))
      names.push_back(name.substr(1));
  }
  if (names.empty()) return "nothing";
  constexpr std::size_t most = 6;
  std::string all;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    all += (k == 0 ? "" : ", ") + names[k];
  return names.size() > most ? all + " and " + std::to_string(names.size() - most) + " more" : all;
}

}  // namespace simulate
