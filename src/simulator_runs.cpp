// Runs of hosts in one process, compiled once for gossip::compiled.
#include <gossip/simulator/compiled_code.hpp>
#include <gossip/simulator/runs.hpp>

namespace gossip::detail {

template run_pointer<library_run<float, float>> begin_run_of(run_parts<library_run<float, float>>,
                                                             execution);
template memory_need need_of<library_run<float, float>>(run_extent const &,
                                                        basic_any_model<float> const &, cpu const &,
                                                        execution);
template run_pointer<library_run<float, bf16>> begin_run_of(run_parts<library_run<float, bf16>>,
                                                            execution);
template memory_need need_of<library_run<float, bf16>>(run_extent const &,
                                                       basic_any_model<float> const &, cpu const &,
                                                       execution);
template run_pointer<library_run<float, fp16>> begin_run_of(run_parts<library_run<float, fp16>>,
                                                            execution);
template memory_need need_of<library_run<float, fp16>>(run_extent const &,
                                                       basic_any_model<float> const &, cpu const &,
                                                       execution);
template run_pointer<library_run<double, double>> begin_run_of(
    run_parts<library_run<double, double>>, execution);
template memory_need need_of<library_run<double, double>>(run_extent const &,
                                                          basic_any_model<double> const &,
                                                          cpu const &, execution);

}  // namespace gossip::detail
