// Runs of hosts in one process, compiled once for gossip::compiled.
#include <gossip/simulator/compiled_code.hpp>

namespace gossip::detail {

template run_pointer<host_run<levelled_engine<float>>> begin_run_of(
    run_parts<host_run<levelled_engine<float>>>);
template run_pointer<host_run<levelled_engine<float, bf16>>> begin_run_of(
    run_parts<host_run<levelled_engine<float, bf16>>>);
template run_pointer<host_run<levelled_engine<float, fp16>>> begin_run_of(
    run_parts<host_run<levelled_engine<float, fp16>>>);
template run_pointer<host_run<levelled_engine<double>>> begin_run_of(
    run_parts<host_run<levelled_engine<double>>>);
template run_pointer<host_run<reference_engine<float, float>>> begin_run_of(
    run_parts<host_run<reference_engine<float, float>>>);
template run_pointer<host_run<reference_engine<float, bf16>>> begin_run_of(
    run_parts<host_run<reference_engine<float, bf16>>>);
template run_pointer<host_run<reference_engine<float, fp16>>> begin_run_of(
    run_parts<host_run<reference_engine<float, fp16>>>);
template run_pointer<host_run<reference_engine<double, double>>> begin_run_of(
    run_parts<host_run<reference_engine<double, double>>>);

}  // namespace gossip::detail
