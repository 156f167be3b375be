// Residual networks as bench/resnets.cpp has them, with oneDNN's convolutions and with our own.
#include <gossip/backend/onednn.hpp>
#include <gossip/gossip.hpp>
#include <gossip/model/resnet.hpp>

#include "whole_run.hpp"

namespace {

using namespace gossip::bench;

template <class Backend>
void measure_both(setting const &all) {
  std::string const name = Backend::name;
  measure<gossip::resnet20, Backend>(all, "resnet20." + name,
                                     network_size{gossip::ring{.nodes = 8}, 32}, gossip::d_psgd{});
  measure<gossip::resnet18, Backend>(all, "resnet18." + name,
                                     network_size{gossip::ring{.nodes = 2}, 128}, gossip::d_psgd{});
}

}  // namespace

int main(int argc, char **argv) {
  arguments const given(argc, argv);
  figures results(given);
  gossip::dataset const images =
      gossip::synthetic{.samples = 2000, .shape = {3, 32, 32}, .classes = 10}.build();
  setting const all{given, results, images};
  measure_both<gossip::cpu>(all);
  measure_both<gossip::onednn>(all);
  return 0;
}
