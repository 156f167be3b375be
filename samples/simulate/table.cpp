// The table of all fields and policies of a configuration.
#include "described.hpp"
#include "exchanges.hpp"
#include "job.hpp"
#include "schema.hpp"

namespace simulate {

namespace {

constexpr std::uint64_t most_nodes = 4294967295;
constexpr double endless = std::numeric_limits<double>::max();

field nodes_field() {
  return {"nodes", "nodes of the network", whole{1, most_nodes}, 64};
}

std::vector<field> graph_file_fields() {
  return {{"path", "the file, gzipped or not", text{}},
          {"allow_disconnected", "take a graph in pieces as it is", yes_or_no{}, false},
          {"largest_component", "keep the largest piece only", yes_or_no{}, false}};
}

policy topologies() {
  return {{{"ring", "every node with the one before and the one after", {nodes_field()}},
           {"torus",
            "a grid whose borders are joined",
            {{"rows", "of the grid", whole{3, most_nodes}, 8},
             {"columns", "of the grid", whole{3, most_nodes}, 8}}},
           {"complete", "every node with every other", {nodes_field()}},
           {"star", "node 0 with every other", {nodes_field()}},
           {"random_regular",
            "random, connected, every node of the same degree",
            {nodes_field(), {"degree", "neighbors of a node", whole{0, most_nodes}, 8}}},
           {"erdos_renyi",
            "random, every pair joined with the same probability",
            {nodes_field(),
             {"allow_disconnected", "take a graph in pieces as it is", yes_or_no{}, false},
             {"probability", "of an edge", number{0, 1}, 0.15}}},
           {"edge_list",
            "two node numbers a line, as SNAP publishes graphs; a Matrix Market file is known by "
            "its content",
            graph_file_fields()},
           {"matrix_market", "a sparse matrix, an edge an entry", graph_file_fields()}}};
}

field split_field() {
  return {"split", "which samples belong to which node",
          policy{{{"iid", "random parts of equal size", {}},
                  {"dirichlet",
                   "classes in Dirichlet proportions",
                   {{"alpha", "small: few classes a node", number{1e-6, 1e6}, 0.5},
                    {"minimum", "samples of a node; 0: the smallest are filled up", whole{}, 0}}},
                  {"shards",
                   "sorted by class, cut in shards, dealt out",
                   {{"per_node", "shards of a node", whole{1, most_nodes}, 2}}}}},
          "iid"};
}

field augmentation_field() {
  return {"augmentation", "how samples are varied in training",
          policy{{{"none", "not at all", {}},
                  {"crop_and_flip",
                   "padded, cropped at a random place, half of them mirrored",
                   {{"padding", "pixels of zeros on each side", whole{0, 1'000'000}, 4},
                    {"flip", "mirror half of them", yes_or_no{}, true}}}}},
          "none"};
}

policy data_sets() {
  constexpr std::uint64_t most_samples = 10'000'000;
  return {{{"digits",
            "8,000 + 2,000 handwritten digits that come with gossip",
            {{"path", "their folder; \"\": where gossip has them", text{}, ""},
             split_field(),
             augmentation_field()}},
           {"mnist",
            "60,000 + 10,000 handwritten digits",
            {{"path", "a folder with the four IDX files, gzipped or not", text{}},
             split_field(),
             augmentation_field()}},
           {"cifar10",
            "50,000 + 10,000 colour photographs, 32 x 32",
            {{"path", "a folder of binary batches, gzipped or not", text{}},
             split_field(),
             augmentation_field()}},
           {"synthetic",
            "images of the model's size made from a seed: a prototype a class plus noise",
            {{"samples", "for training", whole{1, most_samples}, 8000},
             {"test_samples", "for evaluation", whole{1, most_samples}, 2000},
             {"classes", "", whole{1, 10}, 10},
             {"noise", "standard deviation, the prototypes' is 1", number{0, 1e6}, 4.0},
             {"seed", "of the samples", whole{}, 1},
             split_field(),
             augmentation_field()}}}};
}

/// Of a model with batch normalisation.
std::vector<field> statistics_fields() {
  return {
      {"statistics",
       "of batch normalisation: exchanged like parameters, a node's own, or its own and measured "
       "anew for every evaluation",
       choice{{"mixed", "own", "reestimated"}}, "mixed"}};
}

policy known_models() {
  return {
      {{"lenet5", "convolutional network for 28 x 28, 431,080 parameters", {}},
       {"lenet5_classic", "as of 1998, 61,706 parameters", {}},
       {"mlp", "multilayer perceptron 784-100-10, 79,510 parameters", {}},
       {"softmax_regression", "of 28 x 28, 7,850 parameters", {}},
       {"resnet20", "residual network for 3 x 32 x 32, 269,722 parameters", statistics_fields()},
       {"resnet18", "residual network for 3 x 32 x 32, 11,173,962 parameters", statistics_fields()},
       {"vgg11", "convolutional network for 3 x 32 x 32, 9,231,114 parameters",
        statistics_fields()},
       {"vgg16", "convolutional network for 3 x 32 x 32, 14,728,266 parameters",
        statistics_fields()},
       {"quadratic",
        "16 times a_i (x - b_i)^2 / 2, its own data: the optimum is known",
        {{"curvature", "a_i of node i, repeated", numbers{{0, 1e6, true}, 1}, {1.0}},
         {"optimum", "b_i of node i, repeated", numbers{{-1e6, 1e6}, 1}, {0.0, 1.0}},
         {"noise", "standard deviation of a gradient's error", number{0, 1e6}, 0.0},
         {"start", "where every node begins", number{-1e6, 1e6}, 0.0}}}},
      true};
}

/// Which models have which is a matter of the build.
policy precisions() {
  constexpr double smallest = 0x1p-14, largest = 0x1p24;
  return {{{"fp32", "as parameters are kept", {}},
           {"fp16",
            "of 16 bits with a scaled loss: lenet5 and resnet20",
            {{"loss_scale", "at first; a power of two", number{smallest, largest}, 65536.0},
             {"growth_interval", "good steps that double a node's scale", whole{1}, 2000}}},
           {"bf16", "of 16 bits: lenet5 and resnet20", {}}}};
}

/// The same; those that are not built in say so.
policy all_models() {
  policy all = known_models();
  for (kind &k : all.kinds)
    if (!model_named(k.name)) k.meaning += "; not in this build";
  return all;
}

std::vector<kind> plain_schedules() {
  return {{"constant", "the rate throughout", {}},
          {"step",
           "multiplied by gamma at each of these epochs",
           {{"at", "epochs", numbers{{0, endless}}, json::array()},
            {"gamma", "factor", number{0, 1, true}, 0.1}}},
          {"cosine",
           "half a cosine down to a last factor",
           {{"epochs", "its length; 0: the whole run", number{0, endless}, 0.0},
            {"last", "factor at the end", number{0, 1}, 0.0}}}};
}

field schedule_field() {
  std::vector<kind> all = plain_schedules();
  all.push_back({"warm_up",
                 "linear from a first factor to 1, times another schedule",
                 {{"epochs", "its length; 0: a tenth of the run", number{0, endless}, 0.0},
                  {"first", "factor at the beginning", number{0, 1}, 0.0},
                  {"then", "constant, step or cosine, from the first epoch on",
                   policy{plain_schedules()}, "cosine"}}});
  return {"schedule", "factor on the rate, by epoch", policy{std::move(all)}, "warm_up"};
}

field rate_field(double fallback) {
  return {"rate", "learning rate", number{0, 1e6}, fallback};
}

field decay_field(char const *meaning, double fallback) {
  return {"weight_decay", meaning, number{0, 1e6}, fallback};
}

std::vector<field> adam_fields(char const *decay_meaning, double decay) {
  return {rate_field(1e-3),
          {"first_decay", "of the mean of gradients", number{0, 1, false, true}, 0.9},
          {"second_decay", "of the mean of their squares", number{0, 1, false, true}, 0.999},
          {"epsilon", "beside the root in the divisor", number{0, 1e6, true}, 1e-8},
          decay_field(decay_meaning, decay),
          schedule_field()};
}

policy optimizers() {
  return {{{"sgd",
            "stochastic gradient descent",
            {rate_field(0.03),
             {"momentum", "0: none", number{0, 1, false, true}, 0.9},
             {"nesterov", "look ahead; needs a momentum", yes_or_no{}, false},
             decay_field("belongs to the gradient", 1e-3),
             schedule_field()}},
           {"adam", "Kingma and Ba 2015", adam_fields("belongs to the gradient", 0.0)},
           {"adamw", "Loshchilov and Hutter 2019", adam_fields("belongs to the step", 0.01)}}};
}

template <class... Exchanges>
policy described_by(policy_list<Exchanges...>) {
  return {{kind_described<Exchanges>()...}};
}

group clock_fields() {
  field const mean{"mean", "of a training", duration{true}, "10ms"};
  return {{{"compute", "how long a training takes",
            policy{{{"constant", "always the mean", {mean}},
                    {"lognormal",
                     "with the jitter of real machines",
                     {mean, {"cv", "standard deviation over mean", number{0, 1000}, 0.1}}}}},
            "lognormal"},
           {"link", "how long a message takes",
            group{{{"latency", "of every message", duration{}, "25us"},
                   {"bandwidth", "of every link", bandwidth{}, "2.8GB/s"}}}},
           {"slow", "nodes that differ",
            list{{{"node", "which", whole{0, most_nodes - 1}},
                  {"factor", "its trainings take so many times as long", number{0, 1e9, true}}}},
            json::array()}}};
}

either period_form() {
  return {{{"epochs", "passes of all nodes together over the training set", number{0, 1e12, true}},
           {"rounds", "iterations of every node", whole{1, 1'000'000'000'000}}}};
}

group evaluation_fields() {
  std::vector<field> const sizes{{"nodes", "how many are evaluated; 0: all", whole{}, 0},
                                 {"samples", "on how many test samples; 0: all", whole{}, 0}};
  return {{{"every", "how often", period_form(), {{"epochs", 4.0}}},
           {"nodes", "how many are evaluated; 0: all", whole{}, 16},
           {"samples", "on how many test samples; 0: all", whole{}, 1000},
           {"at_end", "the same for the last evaluation", group{sizes}}}};
}

group table() {
  return {
      {{"seed", "of everything random", whole{}, 1},
       {"topology", "who may talk to whom", policy{topologies()}, "random_regular"},
       {"data", "what there is to learn", policy{data_sets()}, "digits"},
       {"model", "what a node trains", policy{all_models()}, "lenet5"},
       {"precision", "of numbers while a gradient is computed", policy{precisions()}, "fp32"},
       {"optimizer", "how a gradient becomes a step", policy{optimizers()}, "sgd"},
       {"exchange", "what nodes do with each other's models", described_by(offered_exchanges{}),
        "ad_psgd"},
       {"batch", "samples a node and training", whole{1, 1'000'000}, 16},
       {"clock", "the simulated machines and their network", clock_fields()},
       {"stop", "when the run ends, rounded up to whole rounds", period_form(), {{"epochs", 32.0}}},
       {"evaluate", "accuracy on the test set, consensus distance", evaluation_fields()},
       {"threads", "of this machine; 0: one a core", whole{0, 1024}, 0},
       {"engine", "reference: one operation at a time, slow, the same result",
        choice{{"levelled", "reference"}}, "levelled"}}};
}

}  // namespace

group const &schema() {
  static group const all = table();
  return all;
}

}  // namespace simulate
