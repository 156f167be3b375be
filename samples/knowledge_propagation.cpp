// How knowledge spreads in a network: one class of digits is known to a few nodes, and all gossip.
// Y. Tian, Z. Al-Ars, M. Kitsak, "MPI-based decentralized learning framework for large-scale
// networks" (poster and talk), has the question and the networks; docs/propagation.md the answers.
#include <exception>
#include <iostream>

#include <gossip/core/error.hpp>

#include "knowledge_propagation/output.hpp"

int main(int argc, char **argv) {
  using namespace propagation;
  try {
    arguments const a = parse({argv + 1, static_cast<std::size_t>(argc - 1)});
    if (a.help) {
      std::cout << help_text;
      return 0;
    }
    network const net = build_network(a);
    training const done = train(a, net);
    analysis const found = analyse(a, net, done);
    if (!a.out.empty()) write_all(a, net, done, found);
    std::cout << story(a, net, done, found);
    return 0;
  } catch (gossip::input_error const &e) {
    std::cerr << "knowledge_propagation: " << e.what() << '\n';
    return 2;
  } catch (std::exception const &e) {
    std::cerr << "knowledge_propagation: " << e.what() << '\n';
    return 1;
  }
}
