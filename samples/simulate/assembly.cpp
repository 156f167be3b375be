#include "assembly.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/data/cifar10.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/data/synthetic.hpp>

#include "described.hpp"
#include "exchanges.hpp"
#include "values.hpp"

namespace simulate {

namespace {

period period_of(json const &c) {
  if (c.contains("epochs")) return gossip::epochs{number_at(c, "epochs")};
  return gossip::rounds{c.at("rounds").get<std::uint64_t>()};
}

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

/// The shape of samples; that of synthetic ones follows the model's.
gossip::sample_shape shape_of(json const &data, model const &m) {
  std::string const kind = kind_of(data);
  if (kind == "synthetic") return m.sample;
  if (kind == "cifar10") return gossip::cifar10_shape;
  return {.channels = 1, .height = 28, .width = 28};
}

void check_fit(json const &data, model const &m) {
  auto const text = [](gossip::sample_shape s) {
    return std::to_string(s.channels) + "x" + std::to_string(s.height) + "x" +
           std::to_string(s.width);
  };
  gossip::sample_shape const shape = shape_of(data, m);
  if (m.learns_from_samples && shape != m.sample)
    throw gossip::input_error(kind_of(data), "a model for samples of " + text(shape),
                              std::string(m.name) + " for " + text(m.sample));
}

std::optional<gossip::crop_and_flip> augmentation_of(json const &c) {
  if (kind_of(c) == "none") return std::nullopt;
  return gossip::crop_and_flip{.padding = size_at(c, "padding"), .flip = flag_at(c, "flip")};
}

gossip::synthetic synthetic_of(json const &data, model const &m) {
  return {.samples = size_at(data, "samples") + size_at(data, "test_samples"),
          .shape = m.sample,
          .classes = size_at(data, "classes"),
          .noise = number_at(data, "noise"),
          .seed = data.at("seed").get<std::uint64_t>()};
}

/// A field of the models that have statistics; the others have nothing that could be mixed.
gossip::statistics statistics_of(json const &m) {
  using gossip::statistics;
  if (!m.contains("statistics")) return statistics::mixed;
  std::string const kept = text_at(m, "statistics");
  if (kept == "reestimated") return statistics::reestimated;
  return kept == "own" ? statistics::own : statistics::mixed;
}

chosen_precision precision_of(json const &c) {
  std::string const kind = kind_of(c);
  if (kind == "fp16")
    return gossip::mixed_precision<gossip::fp16>{
        .loss_scale = number_at(c, "loss_scale"),
        .growth_interval = c.at("growth_interval").get<std::uint64_t>()};
  if (kind == "bf16") return gossip::mixed_precision<gossip::bf16>{};
  return gossip::full_precision{};
}

/// The precisions that a model is built in with.
std::string precisions_of(std::string const &name) {
  std::string text;
  for (model const *m : models())
    if (name == m->name) text += (text.empty() ? "" : " or ") + std::string(m->precision);
  return text + ", with which " + name + " is built in";
}

chosen_split split_of(json const &c) {
  std::string const kind = kind_of(c);
  if (kind == "dirichlet")
    return {gossip::dirichlet{.alpha = number_at(c, "alpha"), .minimum = size_at(c, "minimum")}};
  if (kind == "shards") return {gossip::shards{.per_node = size_at(c, "per_node")}};
  return {gossip::iid{}};
}

chosen_schedule schedule_of(json const &c) {
  std::string const kind = kind_of(c);
  if (kind == "warm_up") {
    chosen_schedule all = schedule_of(c.at("then"));
    all.before =
        gossip::warm_up<>{.epochs = number_at(c, "epochs"), .first = number_at(c, "first")};
    return all;
  }
  if (kind == "step")
    return {gossip::step_decay{c.at("at").get<std::vector<double>>(), number_at(c, "gamma")}};
  if (kind == "cosine") return {gossip::cosine_decay{number_at(c, "epochs"), number_at(c, "last")}};
  return {gossip::constant_rate{}};
}

template <class Adam>
Adam adam_of(json const &c) {
  return {.rate = number_at(c, "rate"),
          .first_decay = number_at(c, "first_decay"),
          .second_decay = number_at(c, "second_decay"),
          .epsilon = number_at(c, "epsilon"),
          .weight_decay = number_at(c, "weight_decay")};
}

chosen_optimizer optimizer_of(json const &c) {
  std::string const kind = kind_of(c);
  chosen_schedule const schedule = schedule_of(c.at("schedule"));
  if (kind == "adam") return {adam_of<gossip::adam>(c), schedule};
  if (kind == "adamw") return {adam_of<gossip::adamw>(c), schedule};
  return {gossip::sgd{.rate = number_at(c, "rate"),
                      .momentum = number_at(c, "momentum"),
                      .nesterov = flag_at(c, "nesterov"),
                      .weight_decay = number_at(c, "weight_decay")},
          schedule};
}

template <class... Exchanges>
gossip::any_exchange exchange_among(policy_list<Exchanges...>, json const &c) {
  std::optional<gossip::any_exchange> made;
  auto const make = [&]<class X>(std::type_identity<X>) {
    if (kind_of(c) == X::name) made = policy_described<X>(c);
  };
  (make(std::type_identity<Exchanges>{}), ...);
  return *made;
}

gossip::virtual_clock<gossip::any_compute_time> clock_of(json const &c) {
  json const &compute = c.at("compute"), &link = c.at("link");
  auto const mean = gossip::parse_duration(text_at(compute, "mean"));
  gossip::any_compute_time time = gossip::constant_time{.mean = mean};
  if (kind_of(compute) == "lognormal")
    time = gossip::lognormal_time{.mean = mean, .cv = number_at(compute, "cv")};
  std::vector<gossip::slow_node> slow;
  for (json const &one : c.at("slow"))
    slow.push_back({one.at("node").get<gossip::node>(), number_at(one, "factor")});
  return {.compute = time,
          .network = {.latency = gossip::parse_duration(text_at(link, "latency")),
                      .bandwidth = gossip::parse_bandwidth(text_at(link, "bandwidth"))},
          .slow = slow};
}

}  // namespace

gossip::sample_outline training_of(configuration const &c) {
  if (!c.complete().contains("data")) return {};
  json const &data = c["/data"];
  std::string const kind = kind_of(data);
  if (kind == "synthetic") return {size_at(data, "samples"), 4};
  if (kind == "mnist") return {gossip::mnist_sizes(text_at(data, "path")).first, 1};
  if (kind == "cifar10") return {gossip::cifar10_sizes(text_at(data, "path")).first, 1};
  return {8000, 1};
}

data_pair data_of(configuration const &c) {
  json const &data = c["/data"];
  std::string const kind = kind_of(data);
  data_pair sets = [&]() -> data_pair {
    if (kind == "cifar10") return gossip::cifar10(text_at(data, "path"));
    if (kind == "mnist") return gossip::mnist(text_at(data, "path"));
    if (kind == "digits") return gossip::digits(folder_of_digits(text_at(data, "path")));
    gossip::dataset const all = synthetic_of(data, model_of(c)).build();
    std::size_t const training = size_at(data, "samples");
    return {all.first(training).named("synthetic train"),
            all.take(training, size_at(data, "test_samples")).named("synthetic test")};
  }();
  if (auto const how = augmentation_of(data.at("augmentation")))
    sets.first = sets.first.augmented(*how);
  return sets;
}

model const &model_of(configuration const &c) {
  std::string const name = kind_of(c["/model"]), precision = kind_of(c["/precision"]);
  if (model const *m = model_named(name, precision)) return *m;
  if (model_named(name)) throw gossip::input_error("precision", precisions_of(name), precision);
  throw gossip::input_error(name + ": " + name +
                            " is not built into this gossip-simulate; ./dev build builds all "
                            "models in, cmake with -DGOSSIP_SIMULATE_MODELS=" +
                            name + " this one");
}

job job_of(configuration const &c) {
  job j;
  j.optimizer = optimizer_of(c["/optimizer"]);
  j.exchange = exchange_among(offered_exchanges{}, c["/exchange"]);
  j.clock = clock_of(c["/clock"]);
  j.settings.seed = c["/seed"].get<std::uint64_t>();
  j.settings.batch = c["/batch"].get<std::size_t>();
  j.settings.stop = period_of(c["/stop"]);
  j.settings.engine =
      c["/engine"] == "reference" ? gossip::execution::reference : gossip::execution::levelled;
  j.settings.statistics = statistics_of(c["/model"]);
  j.precision = precision_of(c["/precision"]);
  j.threads = c["/threads"].get<std::size_t>();
  j.every = period_of(c["/evaluate/every"]);
  j.training = training_of(c);
  if (c.complete().contains("data")) {
    json const &data = c["/data"];
    check_fit(data, model_of(c));
    j.split = split_of(data.at("split"));
    if (auto const how = augmentation_of(data.at("augmentation")))
      how->check(shape_of(data, model_of(c)));
  }
  if (json const &m = c["/model"]; kind_of(m) == "quadratic")
    j.quadratic = {m.at("curvature").get<std::vector<double>>(),
                   m.at("optimum").get<std::vector<double>>(), number_at(m, "noise"),
                   number_at(m, "start")};
  return j;
}

void stretch_schedule(job &j, std::size_t nodes, bool learns_from_samples) {
  double const n = static_cast<double>(nodes);
  double const a_round = learns_from_samples ? n * static_cast<double>(j.settings.batch) /
                                                   static_cast<double>(j.training.samples)
                                             : 1.0;
  double length = 0;
  if (auto const *stop = std::get_if<gossip::rounds>(&j.settings.stop))
    length = static_cast<double>(stop->count) * a_round;
  else
    length = std::get<gossip::epochs>(j.settings.stop).count;
  chosen_schedule &schedule = j.optimizer.schedule;
  auto *const cosine = std::get_if<gossip::cosine_decay>(&schedule.main);
  if (cosine && cosine->epochs == 0) cosine->epochs = length;
  if (schedule.before && schedule.before->epochs == 0) schedule.before->epochs = length / 10;
}

watcher watcher_of(configuration const &c) {
  watcher w;
  auto const sizes = [](json const &of) {
    return gossip::accuracy::sample{.nodes = size_at(of, "nodes"),
                                    .samples = size_at(of, "samples")};
  };
  w.on_the_way = sizes(c["/evaluate"]);
  w.at_end = sizes(c["/evaluate/at_end"]);
  return w;
}

}  // namespace simulate
