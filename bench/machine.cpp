// Limits of this machine: SGEMM and copies on all cores.
#include "figures.hpp"
#include "limits.hpp"

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  results.add("cores", static_cast<double>(gossip::cpu{}.workers()), "");
  results.add("sgemm", sgemm_rate() * 1e-9, "GFLOP/s");
  copier const copies;
  results.add("copy.plain", copies.plain() * 1e-9, "GB/s");
  results.add("copy.streaming", copies.streaming() * 1e-9, "GB/s");
  return 0;
}
