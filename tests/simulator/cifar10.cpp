// CIFAR-10 from its files to an accuracy: photographs, augmented, learned by a small network.
#include <gossip/gossip.hpp>

#include "../catch.hpp"

TEST_CASE("a network of nodes learns from augmented photographs", "[simulator]") {
  auto const path = gossip::test::data("cifar-10");
  if (!path) return;
  std::string const folder = path->string();
  // quote cifar
  auto const [photographs, test] = gossip::cifar10(folder);
  auto const train = photographs.augmented({.padding = 4, .flip = true});

  using small_network = gossip::sequential<gossip::input<3, 32, 32>, gossip::conv2d<16, 5>,
                                           gossip::max_pool<4>, gossip::relu, gossip::dense<10>>;
  gossip::simulator network{gossip::ring{.nodes = 4}, small_network{},
                            gossip::sgd{.rate = 0.02, .momentum = 0.9}, gossip::d_psgd{}};
  auto const report = network.run({.seed = 1, .batch = 32, .stop = gossip::rounds{60}},
                                  gossip::split(train, gossip::iid{}),
                                  gossip::every(gossip::rounds{60}, gossip::accuracy{test}));
  // end quote
  CHECK(report.last.accuracy->mean > 0.3);  // 0.1 by chance
}

TEST_CASE("augmented batches do not depend on the engine, and are others than plain ones",
          "[simulator]") {
  auto const plain =
      gossip::synthetic{.samples = 200, .shape = {3, 8, 8}, .classes = 4, .noise = 0.5}.build();
  auto const varied = plain.augmented({.padding = 2});
  using tiny = gossip::sequential<gossip::input<3, 8, 8>, gossip::conv2d<4, 3>, gossip::relu,
                                  gossip::dense<4>>;
  auto const digest = [&](gossip::dataset const &train, gossip::execution engine) {
    gossip::simulator network{gossip::ring{.nodes = 5}, tiny{}, gossip::sgd{.rate = 0.05},
                              gossip::ad_psgd{}, gossip::with_reference{}};
    // Batches of 70 take two chunks.
    return network
        .run({.seed = 1, .batch = 70, .stop = gossip::rounds{6}, .engine = engine},
             gossip::split(train, gossip::iid{}))
        .digest;
  };
  auto const expected = digest(varied, gossip::execution::reference);
  CHECK(digest(varied, gossip::execution::levelled) == expected);
  CHECK(digest(plain, gossip::execution::levelled) != expected);
}
