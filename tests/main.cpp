// The main function of every test program, compiled once.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

#ifdef GOSSIP_TESTS_NEED_A_GPU
#include <cuda_runtime_api.h>

namespace {

/// Why the tests cannot run on this machine, or nothing. ctest takes exit status 77 for skipped.
std::string missing_gpu() {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return devices == 0 ? "no CUDA device on this machine" : "";
}

}  // namespace
#endif

int main(int argc, char *argv[]) {
#ifdef GOSSIP_TESTS_NEED_A_GPU
  if (std::string const reason = missing_gpu(); !reason.empty()) {
    gossip::test::skipped(reason);
    return 77;
  }
#endif
  return Catch::Session().run(argc, argv);
}
