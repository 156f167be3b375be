#include "arguments.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>

#include <gossip/core/error.hpp>

#include "../command_line/options.hpp"

namespace propagation {

constinit char const *const help_text =
    R"(knowledge_propagation [--option VALUE]...

Nodes learn digits by buffered gossip, in ticks; only a few nodes, the seeds, have samples of one
class. Measures when each node has learned this class.

  --graph G          random_regular, or a file: edge list, Matrix Market, GraphML, gzipped or not
  --nodes N          number of nodes of random_regular (default 1000)
  --degree D         degree of random_regular (default 8)
  --seeds S          nodes with samples of the class: hub:K, the K nodes of the largest degree;
                     periphery:K, of the smallest degree; random:K; or node numbers such as 3,17
                     (default random:4)
  --class C          the class, 0 to 9 (default 9)
  --share P          fraction of the class among the samples of a seed (default 1); 0: no node has
                     samples of the class
  --samples N        number of samples of a node (default 100); two nodes may share samples
  --ticks T          approximate length of the run in ticks (default 1000); a node trains every 8 to
                     12 ticks
  --observe T        number of ticks between observations (default 10)
  --model M          softmax_regression or lenet5 (default softmax_regression)
  --rate R           learning rate (default 0.002)
  --momentum B       momentum (default 0)
  --batch B          number of samples per training (default 32)
  --keep P           weight of a node's own model in an average (default 0.5)
  --threshold A      accuracy on the class at which a node counts as having learned it (default 0.5)
  --maps T,T,...     ticks at which a map is drawn (default: four ticks, each twice the previous)
  --test-samples N   number of test samples per class (default 100)
  --data FOLDER      folder of MNIST; default: the digits that come with the repository
  --seed N           seed of all random draws (default 1)
  --out FOLDER       writes tables, charts, maps and the files for gossip-report to FOLDER
  --configuration F  reads options from a file with a line name = value per option; # begins a
                     comment
  --help             prints this text

Exit status: 0 done, 1 the run failed, 2 the input was wrong.
)";

namespace {

using text = std::string const &;

template <class Number>
Number number(text name, text value, Number least, Number most) {
  Number n{};
  auto const [end, code] = std::from_chars(value.data(), value.data() + value.size(), n);
  bool good = code == std::errc{} && end == value.data() + value.size() && !value.empty();
  if constexpr (std::is_floating_point_v<Number>) good = good && std::isfinite(n);
  if (!good || n < least || n > most) {
    std::string const kind = std::is_floating_point_v<Number> ? "a number" : "a whole number";
    auto const word = [](Number limit) {
      std::string const digits = std::to_string(limit);
      return std::is_floating_point_v<Number> ? digits.substr(0, digits.find('.') + 2) : digits;
    };
    throw gossip::input_error(name, kind + " from " + word(least) + " to " + word(most),
                              "'" + value + "'");
  }
  return n;
}

std::size_t count(text name, text value, std::size_t most = 1'000'000'000) {
  return number<std::size_t>(name, value, 1, most);
}
double part(text name, text value) {
  return number<double>(name, value, 0, 1);
}

std::vector<std::size_t> list(text name, text value) {
  std::vector<std::size_t> all;
  for (std::size_t first = 0; first <= value.size();) {
    std::size_t const end = std::min(value.find(',', first), value.size());
    all.push_back(number<std::size_t>(name, value.substr(first, end - first), 0, 1'000'000'000));
    first = end + 1;
  }
  return all;
}

using setters = std::map<std::string, std::function<void(text, text)>>;

setters setters_of(arguments &a) {
  return {
      {"graph", [&](text, text v) { a.graph = v; }},
      {"nodes", [&](text n, text v) { a.nodes = count(n, v); }},
      {"degree", [&](text n, text v) { a.degree = count(n, v); }},
      {"seeds", [&](text, text v) { a.seeds = v; }},
      {"class", [&](text n, text v) { a.rare = number<std::size_t>(n, v, 0, 9); }},
      {"share", [&](text n, text v) { a.share = part(n, v); }},
      {"samples", [&](text n, text v) { a.samples = count(n, v); }},
      {"ticks", [&](text n, text v) { a.ticks = count(n, v); }},
      {"observe", [&](text n, text v) { a.observe = count(n, v); }},
      {"model", [&](text, text v) { a.model = v; }},
      {"rate", [&](text n, text v) { a.rate = number<double>(n, v, 0, 100); }},
      {"momentum", [&](text n, text v) { a.momentum = part(n, v); }},
      {"batch", [&](text n, text v) { a.batch = count(n, v, 1 << 20); }},
      {"keep", [&](text n, text v) { a.keep = part(n, v); }},
      {"threshold", [&](text n, text v) { a.threshold = part(n, v); }},
      {"maps", [&](text n, text v) { a.maps = list(n, v); }},
      {"test-samples", [&](text n, text v) { a.test_samples = count(n, v); }},
      {"data", [&](text, text v) { a.data = v; }},
      {"seed", [&](text n, text v) { a.seed = number<std::uint64_t>(n, v, 0, ~std::uint64_t{0}); }},
      {"out", [&](text, text v) { a.out = v; }}};
}

std::string trimmed(text line) {
  std::size_t const first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

void read_configuration(text path, setters const &takes) {
  std::ifstream file(path);
  if (!file) throw gossip::input_error("--configuration", "a readable file", path);
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    std::string const content = trimmed(line.substr(0, line.find('#')));
    if (content.empty()) continue;
    std::string const where = path + ":" + std::to_string(number);
    std::size_t const equals = content.find('=');
    auto const known = takes.find(trimmed(content.substr(0, equals)));
    if (equals == std::string::npos || known == takes.end())
      throw gossip::input_error(where, "name = value with the name of an option",
                                "'" + content + "'");
    known->second(where, trimmed(content.substr(equals + 1)));
  }
}

}  // namespace

arguments parse(std::span<char const *const> words) {
  arguments a;
  setters const takes = setters_of(a);
  command_line::options given(words);
  while (given.next()) {
    std::string const &name = given.name();
    if (name == "--help" || name == "-h") {
      given.refuse_value();
      a.help = true;
      return a;
    }
    auto const known = takes.find(name.starts_with("--") ? name.substr(2) : "");
    if (name == "--configuration")
      read_configuration(given.path(), takes);
    else if (known != takes.end())
      known->second(name, given.value());
    else
      throw gossip::input_error("knowledge_propagation", "an option that --help lists",
                                "'" + given.word() + "'");
  }
  if (a.model != "softmax_regression" && a.model != "lenet5")
    throw gossip::input_error("--model", "softmax_regression or lenet5", "'" + a.model + "'");
  for (std::size_t const tick : a.maps)
    if (tick > a.ticks)
      throw gossip::input_error("--maps",
                                "ticks of at most " + std::to_string(a.ticks) + " of --ticks",
                                std::to_string(tick));
  if (a.maps.empty())
    for (std::size_t const parts : {8, 4, 2, 1}) a.maps.push_back(a.ticks / parts);
  return a;
}

}  // namespace propagation
