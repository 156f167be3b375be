// The table of all fields and policies of a configuration.
#include <utility>
#include <vector>

#include "described.hpp"
#include "exchange_choice.hpp"
#include "job.hpp"
#include "schema.hpp"
#include "topologies.hpp"

namespace simulate {

namespace {

/// null: that of the run.
field seed_field(char const *meaning) {
  return {"seed", meaning, whole{}, nullptr, true};
}

field split_field() {
  policy splits = described_by(offered_splits());
  for (kind &k : splits.kinds)
    k.fields.push_back(seed_field("of the split; left out or null: the run's"));
  return policy_field("split", "which samples belong to which node", splits, "iid");
}

field topology_field() {
  policy topologies = described_by(offered_topologies());
  for (kind &k : topologies.kinds)
    if (is_random(k.name))
      k.fields.push_back(seed_field("of the graph; left out or null: the run's"));
  return policy_field("topology", "who may talk to whom", topologies, "random_regular");
}

field augmentation_field() {
  return policy_field("augmentation", "how samples are varied in training",
                      described_by(offered_augmentations()), "none");
}

/// A data set: its own fields, then those of all.
kind data_set(char const *name, char const *meaning, std::vector<field> fields) {
  fields.push_back(split_field());
  fields.push_back({"flipped_nodes", "so many, the last ones, train on labels classes - 1 - y",
                    whole{0, 100'000'000}, 0});
  fields.push_back(augmentation_field());
  return {name, meaning, std::move(fields)};
}

policy data_sets() {
  constexpr std::uint64_t most_samples = 10'000'000;
  return {{data_set("digits", "8,000 + 2,000 handwritten digits that come with gossip",
                    {{"path", "their folder; \"\": where gossip has them", text{}, ""}}),
           data_set("mnist", "60,000 + 10,000 handwritten digits",
                    {{"path", "a folder with the four IDX files, gzipped or not", text{}}}),
           data_set("cifar10", "50,000 + 10,000 colour photographs, 32 x 32",
                    {{"path", "a folder of binary batches, gzipped or not", text{}}}),
           data_set("numpy", "arrays x_train, y_train, x_test and y_test that Python has saved",
                    {{"path", "an .npz file, or a folder of .npy files", text{}},
                     {"channels", "their place in arrays of four dimensions",
                      choice{{"first", "last"}}, "first"}}),
           data_set("csv", "tables of numbers, a sample a line",
                    {{"path", "of training samples, gzipped or not", text{}},
                     {"test_path", "of test samples", text{}},
                     {"label", "the column of labels", choice{{"first", "last"}}, "last"}}),
           data_set("leaf", "samples of users, as LEAF publishes FEMNIST",
                    {{"path", "a folder with train/ and test/ of JSON files", text{}}}),
           data_set("synthetic",
                    "images of the model's size made from a seed: a prototype a class plus noise",
                    {{"samples", "for training", whole{1, most_samples}, 8000},
                     {"test_samples", "for evaluation", whole{1, most_samples}, 2000},
                     {"classes", "", whole{1, 10}, 10},
                     {"noise", "standard deviation, the prototypes' is 1", number{0, 1e6}, 4.0},
                     {"seed", "of the samples", whole{}, 1}})}};
}

/// Of a model with batch normalisation.
std::vector<field> statistics_fields() {
  return {field_of(described_statistics, gossip::run_settings{})};
}

policy known_models() {
  return {
      {{"lenet5", "convolutional network for 28 x 28, 431,080 parameters", {}},
       {"lenet5_classic", "as of 1998, 61,706 parameters", {}},
       {"lenet5_cifar10", "the same for 3 x 32 x 32, 62,006 parameters", {}},
       {"mlp", "multilayer perceptron 784-100-10, 79,510 parameters", {}},
       {"softmax_regression", "of 28 x 28, 7,850 parameters", {}},
       {"resnet20", "residual network for 3 x 32 x 32, 269,722 parameters", statistics_fields()},
       {"resnet18", "residual network for 3 x 32 x 32, 11,173,962 parameters", statistics_fields()},
       {"vgg11", "convolutional network for 3 x 32 x 32, 9,231,114 parameters",
        statistics_fields()},
       {"vgg16", "convolutional network for 3 x 32 x 32, 14,728,266 parameters",
        statistics_fields()},
       {quadratic_model::name, quadratic_model::meaning,
        fields_of(quadratic_model{.optimum = {0.0, 1.0}})}},
      true};
}

/// The same; those that are not built in say so.
policy all_models() {
  policy all = known_models();
  for (kind &k : all.kinds)
    if (!model_named(k.name)) k.meaning += "; not in this build";
  return all;
}

policy optimizers() {
  policy all = described_by(offered_optimizers());
  auto const schedule = gossip::described("schedule", &chosen_optimizer::schedule,
                                          "factor on the rate, by epoch; of 0 epochs, a cosine is "
                                          "as long as the run, a warm-up a tenth");
  chosen_optimizer const fallback{.base = {}, .schedule = {std::get<warm_up>(offered_schedules())}};
  for (kind &k : all.kinds) k.fields.push_back(field_of(schedule, fallback));
  return all;
}

group clock_fields() {
  return {fields_of(gossip::virtual_clock<chosen_compute_time>{})};
}

either period_form() {
  return {{{"epochs", "passes of all nodes together over the training set", number{0, 1e12, true}},
           {"rounds", "iterations of every node", whole{1, 1'000'000'000'000}}}};
}

/// The driver always evaluates the averaged model.
std::vector<field> sample_fields(gossip::accuracy::sample const &fallback) {
  std::vector<field> all = fields_of(fallback);
  std::erase_if(all, [](field const &f) { return f.name == "averaged_model"; });
  return all;
}

group evaluation_fields() {
  group all{{{"every",
              "how often, from the start on; and at the end",
              period_form(),
              {{"epochs", 4.0}}}}};
  for (field &f : sample_fields({.nodes = 16, .samples = 1000})) all.fields.push_back(std::move(f));
  all.fields.push_back({"held_out",
                        "the last samples of the training set that are kept from training and take "
                        "the place of the test set; for tuning",
                        whole{}, 0});
  all.fields.push_back({"each_node",
                        "write accuracy and loss of each node that is evaluated to nodes.jsonl, "
                        "and the network to graph.json",
                        yes_or_no{}, false});
  all.fields.push_back({"at_end", "the same for the last evaluation", group{sample_fields({})}});
  return all;
}

group table() {
  return {
      {{"name", "of the run, for tables", text{}, ""},
       {"seed", "of everything random that has no seed of its own", whole{}, 1},
       topology_field(),
       {"data", "what there is to learn", policy{data_sets()}, "digits"},
       {"model", "what a node trains", policy{all_models()}, "lenet5"},
       {"start",
        "a safetensors file with the model that all nodes begin with; \"\": the model's own",
        text{}, ""},
       policy_field("precision",
                    "of numbers while a gradient is computed; 16 bits for lenet5 and resnet20",
                    described_by(offered_precisions()), "fp32"),
       policy_field("optimizer", "how a gradient becomes a step", optimizers(), "sgd"),
       policy_field("exchange", "what nodes do with each other's models", described_exchanges(),
                    "ad_psgd"),
       {"batch", "samples a node and training", whole{1, 1'000'000}, 16},
       {"clock", "the simulated machines and their network", clock_fields()},
       {"stop", "when the run ends, rounded up to whole rounds", period_form(), {{"epochs", 32.0}}},
       {"evaluate", "accuracy on the test set, consensus distance", evaluation_fields()},
       {"threads", "threads at work in a loop; 0: one a core", whole{0, 1024}, 0},
       field_of(described_engine, gossip::run_settings{})}};
}

}  // namespace

group const &schema() {
  static group const all = table();
  return all;
}

}  // namespace simulate
