// One policy that is named, with the members that are given: what a round of an exchange costs,
// what an optimizer's step, a codec, the weights of a rule, a topology or a split. Policies are
// those of the driver; one of your own joins by its line in samples/simulate/.
//
//   bench_policy NAME [member=value]... [nodes=N] [degree=N] [samples=N] [--quick] [--json FILE]
//   bench_policy --list
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/op/whole_row.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/random_regular.hpp>

#include "../samples/simulate/described.hpp"
#include "../samples/simulate/exchange_choice.hpp"
#include "../samples/simulate/policies.hpp"
#include "../samples/simulate/schema.hpp"
#include "../samples/simulate/topologies.hpp"
#include "figures.hpp"
#include "idle_model.hpp"
#include "limits.hpp"
#include "one_mixing.hpp"
#include "row_bytes.hpp"

namespace simulate {

group const &schema() {
  static group const all{{{"exchange", "decentralized algorithm", described_exchanges()},
                          {"optimizer", "optimizer", described_by(offered_optimizers())},
                          {"codec", "codec of messages", described_by(offered_codecs())},
                          {"weights", "mixing weights", described_by(offered_weights())},
                          {"topology", "communication graph", described_by(offered_topologies())},
                          {"split", "division of the training samples among the nodes",
                           described_by(offered_splits())}}};
  return all;
}

}  // namespace simulate

namespace gossip::bench {

namespace {

using simulate::json;

constexpr std::size_t columns = 431'080;  // parameters of LeNet-5

/// The sizes of a measurement, besides the policy's own members.
struct sizes {
  std::size_t nodes = 0, degree = 8, samples = 60'000;
  bool quick = false;

  std::size_t nodes_or(std::size_t usual) const { return nodes > 0 ? nodes : usual; }
  graph network(std::size_t usual) const {
    return random_regular{.nodes = nodes_or(usual), .degree = degree}.build(1);
  }
};

constexpr sgd heavy_ball{.rate = 1e-3, .momentum = 0.9};

/// Rounds, their seconds, and rows that their operations read and write.
struct cost_of_rounds {
  double rounds = 0, seconds = 0, rows = 0;

  double seconds_each() const { return rounds > 0 ? seconds / rounds : 1e300; }
  double rows_each() const { return rows / rounds; }
};

/// The sum over a run's windows but the first, which touches new pages; it outlives the run. Time
/// in which planning was waited for does not count.
struct later_rounds {
  cost_of_rounds *sum;
  std::uint64_t reached = 0;
  cost_of_rounds window{};
  double begun = 0;

  void planned(plan_window const &next, std::size_t nodes) {
    std::uint64_t const before = std::exchange(reached, next.end.node_iterations);
    window.rounds = static_cast<double>(reached - before) / static_cast<double>(nodes);
    window.rows = static_cast<double>(rows_moved(next, nodes, traffic_of(heavy_ball)));
    begun = now();
  }
  void window_ended(window_end const &of) {
    if (of.windows == 1) return;
    sum->rounds += window.rounds;
    sum->seconds += now() - begun;
    sum->rows += window.rows;
  }

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

struct measured_run {
  run_report report;
  cost_of_rounds cost;
};

measured_run run(sizes const &size, any_exchange const &exchange,
                 simulate::chosen_optimizer const &optimizer) {
  simulator network{random_regular{.nodes = size.nodes_or(64), .degree = size.degree},
                    idle_model<columns>{}, optimizer, exchange, cpu{}};
  measured_run made;
  for (std::uint64_t count = size.quick ? 16 : 28; made.cost.rounds == 0; count *= 4) {
    if (count > 10'000) throw error("policy: a plan of 10,000 rounds is one window");
    made.report = network.run({.seed = 1, .stop = rounds{count}}, later_rounds{&made.cost});
  }
  return made;
}

/// The policy against another in turns: of both the run whose rounds took the least time.
template <class F, class G>
std::pair<cost_of_rounds, cost_of_rounds> in_turns(bool quick, F measured, G other) {
  std::pair<cost_of_rounds, cost_of_rounds> least;
  auto const keep = [](cost_of_rounds &of, cost_of_rounds const &one) {
    if (one.seconds_each() < of.seconds_each()) of = one;
  };
  for (int repeat = 0; repeat < (quick ? 2 : 5); ++repeat) {
    keep(least.first, measured());
    keep(least.second, other());
  }
  return least;
}

void measure_exchange(figures &results, sizes const &size, any_exchange const &exchange) {
  simulate::chosen_optimizer const optimizer{.base = {heavy_ball}, .schedule = {}};
  one_mixing<columns> mix(size.network(64));
  double mixing = 1e300;
  run_report report;
  auto const [round, alone] = in_turns(
      size.quick,
      [&] {
        auto const made = run(size, exchange, optimizer);
        report = made.report;
        return made.cost;
      },
      [&] {
        for (int step = 0; step < 3; ++step) mixing = std::min(mixing, mix.step());
        return run(size, none{}, optimizer).cost;
      });
  double const rounds =
      static_cast<double>(report.node_iterations) / static_cast<double>(report.nodes);
  double const row = columns * sizeof(float), rows = static_cast<double>(report.nodes) * row;
  double const own = round.seconds_each() - alone.seconds_each();
  results.add("round", 1e3 * round.seconds_each(), "ms");
  results.add("round.none", 1e3 * alone.seconds_each(),
              "ms, trainings and steps without the exchange");
  results.add("exchange", 1e3 * own, "ms per round");
  results.add("exchange.copies", own / (2 * rows / copier().plain()),
              "times a copy of all models in memory");
  results.add("rate", 100 * round.rows_each() * row / round.seconds_each() / (mix.bytes() / mixing),
              "% of that of X <- W X alone, by rows that operations name");
  results.add("planning", 1e6 * report.planning_seconds / rounds,
              "us per round, in addition to training");
  results.add("sent", static_cast<double>(report.bytes_sent) / rounds / rows,
              "models per node and round");
  results.add("virtual", 1e3 * report.virtual_seconds / rounds, "ms of virtual time per round");
  results.add("state", static_cast<double>(report.state_bytes_per_node) / row, "rows per node");
}

void measure_optimizer(figures &results, sizes const &size,
                       simulate::one_of<simulate::offered_optimizers> const &base) {
  simulate::chosen_optimizer const optimizer{.base = {base}, .schedule = {}};
  simulate::chosen_optimizer const usual{.base = {sgd{.rate = 1e-3}}, .schedule = {}};
  auto const [round, plain] = in_turns(
      size.quick, [&] { return run(size, none{}, optimizer).cost; },
      [&] { return run(size, none{}, usual).cost; });
  results.add("round", 1e3 * round.seconds_each(), "ms, trainings and steps");
  results.add("round.sgd", 1e3 * plain.seconds_each(), "ms, trainings and steps with plain SGD");
  results.add("rows", static_cast<double>(optimizer.rows(true)),
              "rows per node, besides the model");
}

template <class Codec>
void measure_codec(figures &results, sizes const &size, Codec const &codec) {
  using function = typename Codec::function;
  codec.check();
  auto const c = coefficients_of(codec, columns, [] { return 0.375; });
  keyed_random random(1, purpose::user, 0, 0);
  std::vector<float> original(columns), row(columns);
  for (float &x : original) x = static_cast<float>(random.normal());
  row_tensor const all[] = {{0, {columns, 1}}};
  float *const rows[] = {row.data()};
  double least = 1e300;
  for (int repeat = 0; repeat < (size.quick ? 5 : 40); ++repeat) {
    row = original;
    least = std::min(least, seconds([&] {
                       if constexpr (whole_row_function<function>)
                         detail::call_on_rows<function>(op::one_thread{}, row_tensors(all),
                                                        c.data(), rows);
                       else {
                         std::array<float, function::coefficients + 1> numbers{};
                         std::ranges::transform(c, numbers.begin(),
                                                [](double x) { return static_cast<float>(x); });
                         detail::on_tile<function>(numbers.data(), rows, columns);
                       }
                     }));
  }
  double lost = 0, norm = 0;
  for (std::size_t k = 0; k < columns; ++k) {
    lost += (original[k] - row[k]) * static_cast<double>(original[k] - row[k]);
    norm += original[k] * static_cast<double>(original[k]);
  }
  double const bytes = columns * sizeof(float);
  results.add("encode", 1e3 * least, "ms per row of 431,080 normal numbers, on one core");
  results.add("encode.rate", bytes / least * 1e-9, "GB/s");
  results.add("bytes", static_cast<double>(codec.bytes(columns, sizeof(float))) / bytes,
              "of the bytes of a row");
  results.add("lost", lost / norm, "of the squared norm of a row");
}

/// The graph that a rule is measured on.
graph network_of(sizes const &size, auto const &) {
  return size.network(100'000);
}
inline graph network_of(sizes const &size, base_graph_weights const &rule) {
  return base_graph{.nodes = size.nodes_or(100'000), .peers = rule.peers}.build();
}

inline graph network_of(sizes const &size, equi_weights const &) {
  return equi_static{.nodes = size.nodes_or(100'000), .offsets = size.degree / 2}.build(1);
}

template <class Rule>
void measure_rule(figures &results, sizes const &size, Rule const &rule) {
  graph const network = network_of(size, rule);
  std::optional<decltype(rule.weights(network))> made;
  results.add("weights",
              1e3 * least_seconds(size.quick ? 2 : 5, [&] { made = rule.weights(network); }),
              "ms of " + std::to_string(network.nodes()) + " nodes of degree " +
                  std::to_string(size.degree));
}

template <class Topology>
void measure_topology(figures &results, sizes const &size, Topology const &topology) {
  std::optional<graph> made;
  double const taken = least_seconds(size.quick ? 2 : 5, [&] { made.emplace(topology.build(1)); });
  results.add("build", 1e3 * taken, "ms");
  results.add("nodes", static_cast<double>(made->nodes()), "");
  results.add("edges", static_cast<double>(made->edges()), "");
}

template <class Split>
void measure_split(figures &results, sizes const &size, Split const &split) {
  std::vector<std::uint16_t> labels(size.samples);
  keyed_random random(1, purpose::user, 1, 0);
  for (std::uint16_t &label : labels) label = static_cast<std::uint16_t>(random.bits() % 10);
  std::vector<std::uint32_t> users(size.samples);
  for (std::uint32_t &user : users) user = random.below(1000);
  dataset const set = dataset("random", {}, 10, std::vector<std::uint8_t>(size.samples), labels)
                          .by_users(std::move(users));
  std::size_t const nodes = size.nodes_or(64);
  std::optional<partition> made;
  double const taken =
      least_seconds(size.quick ? 2 : 5, [&] { made.emplace(assigned(split, set, nodes, 1)); });
  std::size_t least = labels.size(), most = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    least = std::min(least, made->size(static_cast<node>(i)));
    most = std::max(most, made->size(static_cast<node>(i)));
  }
  results.add(
      "assign", 1e3 * taken,
      "ms of " + std::to_string(size.samples) + " samples to " + std::to_string(nodes) + " nodes");
  results.add("smallest", static_cast<double>(least), "samples of a node");
  results.add("largest", static_cast<double>(most), "samples of a node");
}

/// The category of a policy, or nothing.
std::string category_of(std::string const &name) {
  for (simulate::field const &f : simulate::schema().fields)
    for (simulate::kind const &k : std::get<simulate::policy>(f.form).kinds)
      if (k.name == name) return f.name;
  return {};
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (simulate::field const &f : simulate::schema().fields)
    for (simulate::kind const &k : std::get<simulate::policy>(f.form).kinds)
      names.push_back(k.name);
  return names;
}

/// The policy of a configuration, checked and with every default.
json completed(std::string const &category, json const &given) {
  for (simulate::field const &f : simulate::schema().fields)
    if (f.name == category) return simulate::complete({{f}}, {{category, given}}, "").at(category);
  return {};
}

void measure(figures &results, std::string const &category, json const &c, sizes const &size) {
  using namespace simulate;
  auto const chosen = [&](auto const &policy, auto measured) {
    std::visit([&](auto const &one) { measured(results, size, one); }, policy);
  };
  if (category == "exchange")
    measure_exchange(results, size, simulate::exchange_named(c));
  else if (category == "optimizer")
    measure_optimizer(results, size, chosen_from<offered_optimizers>(c));
  else if (category == "codec")
    chosen(chosen_from<offered_codecs>(c), [](auto &...of) { measure_codec(of...); });
  else if (category == "weights")
    chosen(chosen_from<offered_weights>(c), [](auto &...of) { measure_rule(of...); });
  else if (category == "topology")
    chosen(chosen_from<offered_topologies>(c), [](auto &...of) { measure_topology(of...); });
  else
    chosen(chosen_from<offered_splits>(c), [](auto &...of) { measure_split(of...); });
}

/// The policy and the sizes of the command line.
struct request {
  std::string name;
  json policy;
  sizes size;
  std::vector<char *> rest;  // for figures: --json FILE, --quick
};

request read(std::vector<char *> const &words) {
  request made;
  std::map<std::string, std::size_t *> const counts{
      {"nodes", &made.size.nodes}, {"degree", &made.size.degree}, {"samples", &made.size.samples}};
  std::vector<std::pair<std::string, json>> members;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const word = words[i];
    std::size_t const equals = word.find('=');
    if (i == 0 || word.starts_with("--")) {
      made.rest.push_back(words[i]);
      if (word == "--json" && i + 1 < words.size()) made.rest.push_back(words[++i]);
    } else if (equals == std::string::npos) {
      if (!made.name.empty())
        throw input_error("policy", "one name, then arguments member=value", "'" + word + "'");
      made.name = word;
    } else {
      json value = json::parse(word.substr(equals + 1), nullptr, false);
      if (value.is_discarded()) value = word.substr(equals + 1);
      members.emplace_back(word.substr(0, equals), value);
    }
  }
  std::string const category = category_of(made.name);
  made.policy["kind"] = made.name;
  for (auto const &[name, value] : members) {
    auto const count = counts.find(name);
    bool const of_policy = category == "topology" || count == counts.end();
    if (!of_policy && !value.is_number_unsigned())
      throw input_error(name, "a whole number", value.dump());
    if (of_policy)
      made.policy[name] = value;
    else
      *count->second = value.get<std::size_t>();
  }
  return made;
}

int report(std::vector<char *> const &words) {
  request asked = read(words);
  if (asked.rest.size() > 1 && std::string(asked.rest[1]) == "--list") {
    simulate::print_list(std::cout);
    return 0;
  }
  std::string const category = category_of(asked.name);
  if (category.empty()) {
    std::string names;
    for (std::string const &name : all_names()) names += (names.empty() ? "" : ", ") + name;
    throw input_error("policy", "one of " + names,
                      "'" + asked.name + "'" + simulate::did_you_mean(asked.name, all_names()));
  }
  arguments const given(static_cast<int>(asked.rest.size()), asked.rest.data());
  asked.size.quick = given.quick;
  json const c = completed(category, asked.policy);
  std::cout << category << ' ' << c.dump() << '\n';
  figures results(given);
  measure(results, category, c, asked.size);
  return 0;
}

}  // namespace

}  // namespace gossip::bench

int main(int argc, char **argv) {
  try {
    return gossip::bench::report({argv, argv + argc});
  } catch (simulate::mismatch const &m) {
    std::cerr << "policy: " << m.pointer << ": " << m.sentence << '\n';
  } catch (std::exception const &e) {
    std::cerr << e.what() << '\n';
  }
  return 2;
}
