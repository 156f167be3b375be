#include "assembly.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gossip/data/synthetic.hpp>
#include <gossip/model/read_safetensors.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/simulator/run_plan.hpp>

#include "described.hpp"
#include "exchange_choice.hpp"
#include "file_data.hpp"
#include "values.hpp"

namespace simulate {

namespace {

period period_of(json const &c) {
  if (c.contains("epochs")) return gossip::epochs{number_at(c, "epochs")};
  return gossip::rounds{c.at("rounds").get<std::uint64_t>()};
}

/// The shape of samples, which is the model's where they are computed.
gossip::sample_shape shape_of(json const &data, model const &m) {
  return is_read_from_files(kind_of(data)) ? file_data(data, m).first.shape() : m.sample;
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
  auto const made = chosen_from<offered_augmentations>(c);
  if (auto const *crop = std::get_if<gossip::crop_and_flip>(&made)) return *crop;
  return std::nullopt;
}

gossip::synthetic synthetic_of(json const &data, model const &m) {
  return {.samples = size_at(data, "samples") + size_at(data, "test_samples"),
          .shape = m.sample,
          .classes = size_at(data, "classes"),
          .noise = number_at(data, "noise"),
          .seed = data.at("seed").get<std::uint64_t>()};
}

/// A field of the models that have statistics; the others have nothing that could be mixed.
gossip::statistics_mode statistics_of(json const &m) {
  if (!m.contains("statistics")) return gossip::statistics_mode::mixed;
  return value_of(described_statistics, m.at("statistics"));
}

/// The precisions that a model is built in with.
std::string precisions_of(std::string const &name) {
  std::string text;
  for (model const *m : models())
    if (name == m->name) text += (text.empty() ? "" : " or ") + std::string(m->precision);
  return text + ", with which " + name + " is built in";
}

chosen_optimizer optimizer_of(json const &c) {
  return {{chosen_from<offered_optimizers>(c)}, {chosen_from<offered_schedules>(c.at("schedule"))}};
}

/// Throws input_error where the optimizer keeps squares, which fp16 has no place for.
chosen_storage storage_of(json const &c, chosen_optimizer const &optimizer) {
  chosen_storage const chosen = chosen_from<offered_storage>(c);
  bool const squares =
      std::visit([]<class O>(O const &) { return gossip::keeps_squares<O>; }, optimizer.base.kind);
  if (squares && std::holds_alternative<stored_as<gossip::fp16>>(chosen))
    throw gossip::input_error(
        "storage",
        "float or bf16 for an optimizer that keeps squares of gradients, most "
        "of which are below the numbers of fp16",
        "fp16");
  return chosen;
}

gossip::virtual_clock<gossip::any_compute_time> clock_of(json const &c) {
  auto const read = policy_described<gossip::virtual_clock<chosen_compute_time>>(c);
  return converted(read, [](chosen_compute_time const &chosen) {
    return std::visit([](auto const &time) { return gossip::any_compute_time(time); }, chosen.kind);
  });
}

}  // namespace

gossip::sample_outline training_of(configuration const &c) {
  if (!c.complete().contains("data")) return {};
  json const &data = c["/data"];
  gossip::sample_outline all{0, sizeof(float)};
  if (is_read_from_files(kind_of(data))) {
    gossip::dataset const train = file_data(data, model_of(c)).first;
    all = {train.size(), train.stored_as_bytes() ? std::size_t{1} : sizeof(float)};
  } else {
    all.samples = size_at(data, "samples");
  }
  std::size_t const held_out = size_at(c["/evaluate"], "held_out");
  if (held_out >= all.samples)
    throw gossip::input_error(
        "held_out",
        "fewer than the " + std::to_string(all.samples) + " samples of the training set",
        std::to_string(held_out));
  all.samples -= held_out;
  return all;
}

data_pair data_of(configuration const &c) {
  json const &data = c["/data"];
  data_pair sets = [&]() -> data_pair {
    if (is_read_from_files(kind_of(data))) return file_data(data, model_of(c));
    gossip::dataset const all = synthetic_of(data, model_of(c)).build();
    std::size_t const training = size_at(data, "samples");
    return {all.first(training).named("synthetic train"),
            all.take(training, size_at(data, "test_samples")).named("synthetic test")};
  }();
  std::size_t const held_out = size_at(c["/evaluate"], "held_out");
  if (held_out > 0) {
    std::size_t const kept = sets.first.size() - held_out;
    sets.second = sets.first.take(kept, held_out);
    sets.first = sets.first.take(0, kept);
  }
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
  j.exchange = exchange_named(c["/exchange"]);
  j.clock = clock_of(c["/clock"]);
  j.settings.seed = c["/seed"].get<std::uint64_t>();
  j.settings.topology_seed = own_seed(c["/topology"]);  // of the graph, which is built already
  j.settings.batch = c["/batch"].get<std::size_t>();
  j.settings.stop = period_of(c["/stop"]);
  j.settings.copy_of_state = !c["/checkpoint"].is_null();
  j.settings.engine = value_of(described_engine, c["/engine"]);
  j.settings.statistics = statistics_of(c["/model"]);
  j.precision = chosen_from<offered_precisions>(c["/precision"]);
  j.storage = storage_of(c["/storage"], j.optimizer);
  j.threads = c["/threads"].get<std::size_t>();
  j.every = period_of(c["/evaluate/every"]);
  j.training = training_of(c);
  if (c.complete().contains("data")) {
    json const &data = c["/data"];
    check_fit(data, model_of(c));
    j.split = {chosen_from<offered_splits>(data.at("split")), nullptr};
    j.flipped_nodes = size_at(data, "flipped_nodes");
    j.settings.split_seed = own_seed(data.at("split"));
    if (auto const how = augmentation_of(data.at("augmentation")))
      how->check(shape_of(data, model_of(c)));
  }
  if (std::string const file = text_at(c.complete(), "start"); !file.empty())
    j.settings.start = gossip::read_safetensors<double>(file, model_of(c).tensors());
  if (json const &m = c["/model"]; kind_of(m) == quadratic_model::name)
    j.quadratic = policy_described<quadratic_model>(m);
  return j;
}

namespace {

/// As the stop says.
std::uint64_t asked_trainings(job const &j, std::size_t nodes, bool learns_from_samples) {
  gossip::epoch_length epoch{1, nodes};
  if (learns_from_samples) epoch = {j.settings.batch, j.training.samples};
  return gossip::detail::total_iterations(j.settings, epoch, nodes);
}

}  // namespace

std::uint64_t trainings_of(job const &j, std::size_t nodes, bool learns_from_samples) {
  return gossip::detail::whole_rounds(asked_trainings(j, nodes, learns_from_samples),
                                      j.exchange.outline(), nodes);
}

void scale_schedule(job &j, std::size_t nodes, bool learns_from_samples) {
  double const n = static_cast<double>(nodes);
  double const a_round = learns_from_samples ? n * static_cast<double>(j.settings.batch) /
                                                   static_cast<double>(j.training.samples)
                                             : 1.0;
  double length = 0;
  if (auto const *stop = std::get_if<gossip::rounds>(&j.settings.stop))
    length = static_cast<double>(stop->count) * a_round;
  else
    length = std::get<gossip::epochs>(j.settings.stop).count;
  // A run that is rounded up to whole rounds of clients has the schedule of its own length.
  length *= static_cast<double>(trainings_of(j, nodes, learns_from_samples)) /
            static_cast<double>(asked_trainings(j, nodes, learns_from_samples));
  j.rate_follows_length = j.optimizer.schedule.scale(length);
}

watcher watcher_of(configuration const &c) {
  watcher w;
  w.on_the_way = policy_described<gossip::accuracy::sample>(c["/evaluate"]);
  w.at_end = policy_described<gossip::accuracy::sample>(c["/evaluate/at_end"]);
  return w;
}

}  // namespace simulate
