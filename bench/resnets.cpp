// Residual networks in D-PSGD: eight ResNet-20s on a ring, batch 32, and two ResNet-18s, batch 128,
// each batch shared by all cores.
#include <gossip/gossip.hpp>
#include <gossip/model/resnet.hpp>

#include "whole_run.hpp"

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  gossip::dataset const images =
      gossip::synthetic{.samples = 2000, .shape = {3, 32, 32}, .classes = 10}.build();
  setting const all{given, results, images};
  measure<gossip::resnet20>(all, "resnet20.d_psgd", network_size{gossip::ring{.nodes = 8}, 32},
                            gossip::d_psgd{});
  measure<gossip::resnet18>(all, "resnet18.d_psgd", network_size{gossip::ring{.nodes = 2}, 128},
                            gossip::d_psgd{});
  return 0;
}
