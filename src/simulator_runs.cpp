// Runs of hosts in one process, compiled once for gossip::compiled.
#include <gossip/simulator/compiled_code.hpp>
#include <gossip/simulator/runs.hpp>

namespace gossip::detail {

template struct runs<library_run<float, float>>;
template struct runs<library_run<float, bf16>>;
template struct runs<library_run<float, fp16>>;
template struct runs<library_run<double, double>>;

template struct assembly<library_run<float, float>>;
template struct assembly<library_run<float, bf16>>;
template struct assembly<library_run<float, fp16>>;
template struct assembly<library_run<double, double>>;

}  // namespace gossip::detail
