#include "measurements.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>

#include "output.hpp"

namespace live_sample {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Lines "a,b,c" of whole numbers.
template <class... Numbers>
void add_line(std::string &text, Numbers... numbers) {
  char const *between = "";
  ((text.append(between).append(std::to_string(numbers)), between = ","), ...);
  text += '\n';
}

/// The times of every rank's iterations, as trace_time reads them; none is shorter than 1 ns.
template <class Time>
std::string times_of(gossip::live::report const &r, Time time, std::int64_t least) {
  std::string text = "node,step,duration_ns\n";
  for (std::size_t rank = 0; rank < r.records.size(); ++rank) {
    auto const &all = r.records[rank].iterations;
    for (std::size_t k = 0; k < all.size(); ++k)
      add_line(text, rank, k, std::max(time(all[k]), least));
  }
  return text;
}

std::string exchanges_of(gossip::live::report const &r) {
  std::string text = "node,partner,number,begin_ns,end_ns,bytes\n";
  for (std::size_t rank = 0; rank < r.records.size(); ++rank)
    for (gossip::live::exchange_record const &e : r.records[rank].exchanges)
      add_line(text, rank, e.partner, e.number, e.begin_ns, e.end_ns, e.bytes);
  return text;
}

std::string edges_of(gossip::graph const &g) {
  std::string text;
  for (gossip::edge const e : g.edge_list())
    text += std::to_string(e.from) + ' ' + std::to_string(e.to) + '\n';
  return text;
}

/// The graph as the driver has it, or a file of its edges in the folder.
ordered_json topology_of(std::string const &folder, arguments const &a, gossip::graph const &g) {
  std::size_t const n = g.nodes();
  if (n == 1) return {{"kind", "chain"}, {"nodes", 1}};
  if (a.method == "all_reduce") return {{"kind", "complete"}, {"nodes", n}};
  if (a.topology == "even_odd" || a.make_bipartite)
    return {{"kind", "edge_list"},
            {"path", fs::absolute(folder + "/network.txt").lexically_normal().string()}};
  return {{"kind", a.topology}, {"nodes", n}};
}

ordered_json optimizer_in_words(arguments const &a) {
  ordered_json j{{"kind", a.optimizer}, {"rate", a.rate}, {"weight_decay", a.weight_decay}};
  if (a.optimizer == "sgd") j["momentum"] = a.momentum;
  return j;
}

ordered_json exchange_of(arguments const &a) {
  if (a.method != "ad_psgd") return a.method;
  return {{"kind", "overlapped_ad_psgd"}, {"askers", "one_side"}};
}

ordered_json configuration_of(std::string const &folder, arguments const &a, gossip::graph const &g,
                              gossip::live::report const &r) {
  double const done = static_cast<double>(r.totals().iterations) / r.iterations_per_epoch;
  ordered_json data{{"kind", "digits"}};
  if (!a.data.empty()) data["path"] = a.data;
  return {{"exchange", exchange_of(a)},
          {"topology", topology_of(folder, a, g)},
          {"model", a.model},
          {"data", data},
          {"optimizer", optimizer_in_words(a)},
          {"batch", a.options.batch},
          {"stop", {{"epochs", std::min(a.options.epochs, done)}}},
          {"seed", a.options.seed}};
}

[[noreturn]] void fail(std::string const &path, std::error_code code) {
  throw gossip::error(path + ": cannot be written: " + code.message());
}

}  // namespace

void check_new_folder(std::string const &path) {
  std::error_code code;
  if (fs::exists(fs::symlink_status(path, code)))
    throw gossip::input_error("--run " + path, "a path that does not exist",
                              fs::is_directory(path, code) ? "a folder" : "a file");
  check_writable(path);
}

void write_measurements(std::string const &path, arguments const &a, gossip::graph const &g,
                        gossip::live::report const &r) {
  std::string const beside = path + ".part";
  std::error_code code;
  fs::remove_all(beside, code);
  if (!fs::create_directory(beside, code)) fail(beside, code);
  try {
    write_file(beside + "/computing.csv",
               times_of(r, [](auto const &one) { return one.working_ns; }, 1));
    write_file(beside + "/waits.csv",
               times_of(r, [](auto const &one) { return one.waiting_ns; }, 0));
    write_file(beside + "/exchanges.csv", exchanges_of(r));
    if (a.topology == "even_odd" || a.make_bipartite)
      write_file(beside + "/network.txt", edges_of(g));
    write_file(beside + "/summary.json", summary(a, g, r).dump(2) + "\n");
    write_file(beside + "/configuration.json", configuration_of(path, a, g, r).dump(2) + "\n");
    fs::rename(beside, path, code);
    if (code) fail(path, code);
  } catch (...) {
    fs::remove_all(beside, code);
    throw;
  }
}

}  // namespace live_sample
