#include "arguments.hpp"

#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/observer/report.hpp>

#include "../command_line/options.hpp"

namespace live_sample {

constinit char const *const help_text =
    R"(mpirun -n RANKS gossip-live [--option VALUE]...

Trains in real time: every rank is a learner with its share of the data.

  --method M             all_reduce, d_psgd or ad_psgd (default ad_psgd)
  --topology T           communication graph: ring, chain, star, complete or even_odd (every even
                         rank is joined with every odd rank); default ring; all_reduce uses none
  --make-bipartite       removes the edges that keep the graph from being bipartite (ad_psgd)
  --model M              lenet5, mlp or softmax_regression (default lenet5)
  --optimizer O          sgd, adam or adamw (default sgd)
  --rate R               learning rate (default 0.02)
  --momentum B           momentum of sgd (default 0.9)
  --weight-decay D       coefficient of weight decay (default 0)
  --batch B              number of samples per learner and gradient (default 32)
  --epochs E             number of passes over the training set, by all learners (default 2)
  --exchanges N          ends ad_psgd after N averages, or after the epochs, whichever is first
  --slow RANK=FACTOR     multiplies the duration of this learner's gradients; may be repeated
  --simulate MEAN[,CV]   replaces each gradient by a sleep of log-normal duration, such as 20ms,0.1
  --patience TIME        interval between checks for messages while a learner is idle (default 50us)
  --data FOLDER          folder of the digits; default: the digits that come with the repository
  --test-samples N       number of samples on which every model is tested at the end (default 2000)
  --seed S               seed of all random draws (default 1)
  --json FILE            writes a summary to FILE, completely or not at all
  --run FOLDER           writes all measurements to FOLDER, completely or not at all: every
                         gradient, wait and exchange, the summary, and the job as a configuration of
                         gossip-simulate, which --clock-from FOLDER turns into a prediction
  --help                 prints this text

Exit status: 0 done, 1 the run failed, 2 the input was wrong.
)";

namespace {

template <class Number>
Number number(std::string const &name, std::string const &text, std::string const &expected) {
  Number value{};
  auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = code == std::errc{} && end == text.data() + text.size() && !text.empty();
  if constexpr (std::is_floating_point_v<Number>) good = good && std::isfinite(value);
  if (!good) throw gossip::input_error(name, expected, "'" + text + "'");
  return value;
}

double real(std::string const &name, std::string const &text) {
  return number<double>(name, text, "a number");
}
std::uint64_t whole(std::string const &name, std::string const &text) {
  return number<std::uint64_t>(name, text, "a whole number");
}

gossip::slow_node slow_learner(std::string const &name, std::string const &text) {
  std::size_t const equals = text.find('=');
  if (equals == std::string::npos) throw gossip::input_error(name, "RANK=FACTOR", "'" + text + "'");
  return {.which = number<gossip::node>(name, text.substr(0, equals), "a rank before '='"),
          .factor = real(name, text.substr(equals + 1))};
}

gossip::lognormal_time simulated(std::string const &name, std::string const &text) {
  std::size_t const comma = text.find(',');
  gossip::lognormal_time time{.mean = gossip::parse_duration(text.substr(0, comma), name)};
  if (comma != std::string::npos) time.cv = real(name, text.substr(comma + 1));
  time.prepare();
  return time;
}

std::chrono::microseconds patience(std::string const &name, std::string const &text) {
  auto const time =
      std::chrono::duration_cast<std::chrono::microseconds>(gossip::parse_duration(text, name));
  if (time.count() < 1 || time > std::chrono::seconds(1))
    throw gossip::input_error(name, "a time from 1us to 1s", "'" + text + "'");
  return time;
}

}  // namespace

arguments parse(std::span<char const *const> words) {
  arguments a;
  using text = std::string const &;
  std::map<std::string, std::function<void(text, text)>> const takes{
      {"--method", [&](text, text v) { a.method = v; }},
      {"--topology", [&](text, text v) { a.topology = v; }},
      {"--model", [&](text, text v) { a.model = v; }},
      {"--optimizer", [&](text, text v) { a.optimizer = v; }},
      {"--rate", [&](text n, text v) { a.rate = real(n, v); }},
      {"--momentum", [&](text n, text v) { a.momentum = real(n, v); }},
      {"--weight-decay", [&](text n, text v) { a.weight_decay = real(n, v); }},
      {"--batch", [&](text n, text v) { a.options.batch = whole(n, v); }},
      {"--epochs", [&](text n, text v) { a.options.epochs = real(n, v); }},
      {"--exchanges", [&](text n, text v) { a.options.exchanges = whole(n, v); }},
      {"--simulate", [&](text n, text v) { a.options.simulated = simulated(n, v); }},
      {"--patience", [&](text n, text v) { a.options.patience = patience(n, v); }},
      {"--data", [&](text, text v) { a.data = v; }},
      {"--test-samples", [&](text n, text v) { a.options.test_samples = whole(n, v); }},
      {"--seed", [&](text n, text v) { a.options.seed = whole(n, v); }},
      {"--json", [&](text, text v) { a.json = v; }},
      {"--run", [&](text n, text v) {
         if (v.empty()) throw gossip::input_error(n, "a path", "nothing");
         a.run = v;
         a.options.record = true;
       }}};
  command_line::options given(words);
  while (given.next()) {
    if (given.name() == "--help" || given.name() == "-h") {
      given.refuse_value();
      a.help = true;
    } else if (given.name() == "--make-bipartite") {
      given.refuse_value();
      a.make_bipartite = true;
    } else if (given.name() == "--slow") {
      a.options.slow.push_back(slow_learner("--slow", given.repeated_value()));
    } else if (auto const found = takes.find(given.name()); found != takes.end()) {
      found->second(given.name(), given.value());
    } else {
      throw gossip::input_error("gossip-live: unknown argument '" + given.word() +
                                "'; --help lists them");
    }
  }
  return a;
}

gossip::fact_list facts_of(arguments const &given) {
  gossip::live::options const &o = given.options;
  auto const word = [](double value) { return gossip::detail::shortest(value); };
  auto const yes = [](bool value) -> std::string { return value ? "yes" : "no"; };
  std::string slow;
  for (gossip::slow_node const &one : o.slow)
    slow += (slow.empty() ? "" : " ") + std::to_string(one.which) + '=' + word(one.factor);
  std::string const simulated =
      o.simulated ? gossip::exact_duration(o.simulated->mean) + ',' + word(o.simulated->cv)
                  : "none";
  return {{"version", gossip::version},
          {"help", yes(given.help)},
          {"method", given.method},
          {"topology", given.topology},
          {"make-bipartite", yes(given.make_bipartite)},
          {"model", given.model},
          {"optimizer", given.optimizer},
          {"rate", word(given.rate)},
          {"momentum", word(given.momentum)},
          {"weight-decay", word(given.weight_decay)},
          {"batch", std::to_string(o.batch)},
          {"epochs", word(o.epochs)},
          {"exchanges", std::to_string(o.exchanges)},
          {"slow", slow.empty() ? "none" : slow},
          {"simulate", simulated},
          {"patience", std::to_string(o.patience.count()) + "us"},
          {"test-samples", std::to_string(o.test_samples)},
          {"seed", std::to_string(o.seed)},
          {"record", yes(o.record)}};
}

}  // namespace live_sample
