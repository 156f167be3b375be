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
    k.fields.push_back(seed_field("seed of the split; left out or null: the seed of the run"));
  return policy_field("split", "division of the training samples among the nodes", splits, "iid");
}

field topology_field() {
  policy topologies = described_by(offered_topologies());
  for (kind &k : topologies.kinds)
    if (is_random(k.name))
      k.fields.push_back(seed_field("seed of the graph; left out or null: the seed of the run"));
  return policy_field("topology", "communication graph: which nodes exchange with which",
                      topologies, "random_regular");
}

field augmentation_field() {
  return policy_field("augmentation", "augmentation of the training samples",
                      described_by(offered_augmentations()), "none");
}

/// A data set: its own fields, then those of all.
kind data_set(char const *name, char const *meaning, std::vector<field> fields) {
  fields.push_back(split_field());
  fields.push_back(
      {"flipped_nodes",
       "number of nodes, the highest-numbered ones, that train on labels classes - 1 - y",
       whole{0, 100'000'000}, 0});
  fields.push_back(augmentation_field());
  return {name, meaning, std::move(fields)};
}

policy data_sets() {
  constexpr std::uint64_t most_samples = 10'000'000;
  return {
      {data_set(
           "digits",
           "8,000 training and 2,000 test images of handwritten digits, which come with gossip",
           {{"path", "folder of the images; \"\": the folder of this installation", text{}, ""}}),
       data_set("mnist", "60,000 training and 10,000 test images of handwritten digits",
                {{"path", "folder with the four IDX files, gzipped or not", text{}}}),
       data_set("cifar10", "50,000 training and 10,000 test photographs in color, 32 x 32",
                {{"path", "folder with the binary batches, gzipped or not", text{}}}),
       data_set(
           "numpy",
           "arrays x_train, y_train, x_test and y_test, as numpy.savez or numpy.save writes them",
           {{"path", "an .npz file, or a folder of .npy files", text{}},
            {"channels", "position of the channels in arrays of four dimensions",
             choice{{"first", "last"}}, "first"}}),
       data_set("csv", "tables of numbers, one sample per line",
                {{"path", "file of the training samples, gzipped or not", text{}},
                 {"test_path", "file of the test samples, gzipped or not", text{}},
                 {"label", "column of the labels", choice{{"first", "last"}}, "last"}}),
       data_set("leaf", "samples of users in JSON files, as LEAF publishes FEMNIST",
                {{"path", "folder with JSON files in train/ and test/", text{}}}),
       data_set("synthetic",
                "images of the model's size, made from a seed: one prototype per class plus noise",
                {{"samples", "number of training samples", whole{1, most_samples}, 8000},
                 {"test_samples", "number of test samples", whole{1, most_samples}, 2000},
                 {"classes", "number of classes", whole{1, 10}, 10},
                 {"noise", "standard deviation of the noise; that of the prototypes is 1",
                  number{0, 1e6}, 4.0},
                 {"seed", "seed of the samples", whole{}, 1}})}};
}

/// Of a model with batch normalisation.
std::vector<field> statistics_fields() {
  return {field_of(described_statistics, gossip::run_settings{})};
}

policy known_models() {
  return {{{"lenet5", "convolutional network for 28 x 28 images, 431,080 parameters", {}},
           {"lenet5_classic", "LeNet-5 of 1998 for 28 x 28 images, 61,706 parameters", {}},
           {"lenet5_cifar10", "LeNet-5 for 3 x 32 x 32 images, 62,006 parameters", {}},
           {"mlp", "multilayer perceptron 784-100-10, 79,510 parameters", {}},
           {"softmax_regression", "softmax regression on 28 x 28 images, 7,850 parameters", {}},
           {"resnet20", "residual network for 3 x 32 x 32 images, 269,722 parameters",
            statistics_fields()},
           {"resnet18", "residual network for 3 x 32 x 32 images, 11,173,962 parameters",
            statistics_fields()},
           {"vgg11", "convolutional network for 3 x 32 x 32 images, 9,231,114 parameters",
            statistics_fields()},
           {"vgg16", "convolutional network for 3 x 32 x 32 images, 14,728,266 parameters",
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
                                          "factor on the learning rate, by epoch; with epochs 0, a "
                                          "cosine lasts the whole run and a warm-up a tenth of it");
  chosen_optimizer const fallback{.base = {}, .schedule = {std::get<warm_up>(offered_schedules())}};
  for (kind &k : all.kinds) k.fields.push_back(field_of(schedule, fallback));
  return all;
}

group clock_fields() {
  return {fields_of(gossip::virtual_clock<chosen_compute_time>{})};
}

either period_form() {
  return {{{"epochs", "number of passes over the training set by all nodes together",
            number{0, 1e12, true}},
           {"rounds", "number of iterations of every node", whole{1, 1'000'000'000'000}}}};
}

/// The driver always evaluates the averaged model.
std::vector<field> sample_fields(gossip::accuracy::sample const &fallback) {
  std::vector<field> all = fields_of(fallback);
  std::erase_if(all, [](field const &f) { return f.name == "averaged_model"; });
  return all;
}

group evaluation_fields() {
  group all{{{"every",
              "period of evaluations, which begin at the start; the end is evaluated too",
              period_form(),
              {{"epochs", 4.0}}}}};
  for (field &f : sample_fields({.nodes = 16, .samples = 1000})) all.fields.push_back(std::move(f));
  all.fields.push_back({"held_out",
                        "number of samples, the last ones of the training set, that are held out "
                        "and replace the test set; for tuning",
                        whole{}, 0});
  all.fields.push_back({"each_node",
                        "write accuracy and loss of each evaluated node to nodes.jsonl and the "
                        "network to graph.json",
                        yes_or_no{}, false});
  all.fields.push_back(
      {"at_end", "nodes and samples of the last evaluation", group{sample_fields({})}});
  return all;
}

group table() {
  return {
      {{"name", "name of the run, for tables", text{}, ""},
       {"seed", "seed of all random draws that have no seed of their own", whole{}, 1},
       topology_field(),
       {"data", "data set", policy{data_sets()}, "digits"},
       {"model", "model that each node trains", policy{all_models()}, "lenet5"},
       {"start",
        "safetensors file with the initial model of all nodes; \"\": the default initial weights "
        "of the model",
        text{}, ""},
       policy_field(
           "precision",
           "precision of the computation of gradients; 16 bits for lenet5 and resnet20 only",
           described_by(offered_precisions()), "fp32"),
       policy_field("storage", "format of all rows in memory: models, optimizers' and exchanges'",
                    described_by(offered_storage()), "float"),
       policy_field("optimizer", "optimizer of each node", optimizers(), "sgd"),
       policy_field("exchange",
                    "decentralized algorithm: how nodes exchange and combine their models",
                    described_exchanges(), "ad_psgd"),
       {"batch", "number of samples in a batch, per node and training", whole{1, 1'000'000}, 16},
       {"clock", "simulated times of machines and network", clock_fields()},
       {"stop", "length of the run, rounded up to whole rounds", period_form(), {{"epochs", 32.0}}},
       {"evaluate", "evaluations: accuracy and loss on the test set, consensus distance",
        evaluation_fields()},
       {"checkpoint",
        "period of checkpoints, from which --resume goes on; left out: none are written",
        either{{{"epochs", "number of passes over the training set by all nodes together",
                 number{0, 1e12, true}},
                {"rounds", "number of iterations of every node", whole{1, 1'000'000'000'000}},
                {"time", "time between checkpoints, at least a second", duration{true}}}},
        nullptr, true},
       {"threads", "number of threads; 0: one per core", whole{0, 1024}, 0},
       field_of(described_engine, gossip::run_settings{})}};
}

}  // namespace

group const &schema() {
  static group const all = table();
  return all;
}

}  // namespace simulate
