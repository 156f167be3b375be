// Instances of templates that gossip::compiled has beside models (backend/model_on_host.hpp): runs
// of hosts, arithmetic of optimizers, clocks, means and distances of rows. Others are compiled in
// the program that names them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/assembly.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/read_clock.hpp>
#include <gossip/simulator/run_types.hpp>
#include <gossip/transport/facts.hpp>
#include <gossip/transport/single_process.hpp>

#ifdef GOSSIP_COMPILED

namespace gossip {

extern template host_machine<float>::host_machine(cpu);
extern template host_machine<double>::host_machine(cpu);

extern template row_arithmetic<float> arithmetic(sgd const &, bool, std::size_t);
extern template row_arithmetic<float> arithmetic(adam const &, bool, std::size_t);
extern template row_arithmetic<float> arithmetic(adamw const &, bool, std::size_t);
extern template row_arithmetic<double> arithmetic(sgd const &, bool, std::size_t);
extern template row_arithmetic<double> arithmetic(adam const &, bool, std::size_t);
extern template row_arithmetic<double> arithmetic(adamw const &, bool, std::size_t);

extern template void network_mean(fleet<float, host_buffer> const &, host_machine<float> const &,
                                  float *);
extern template std::vector<double> squared_distances(fleet<float, host_buffer> const &,
                                                      host_machine<float> const &, float const *,
                                                      std::size_t, std::size_t);
extern template void network_mean(fleet<bf16, host_buffer> const &, host_machine<float> const &,
                                  float *);
extern template std::vector<double> squared_distances(fleet<bf16, host_buffer> const &,
                                                      host_machine<float> const &, float const *,
                                                      std::size_t, std::size_t);
extern template void network_mean(fleet<fp16, host_buffer> const &, host_machine<float> const &,
                                  float *);
extern template std::vector<double> squared_distances(fleet<fp16, host_buffer> const &,
                                                      host_machine<float> const &, float const *,
                                                      std::size_t, std::size_t);
extern template void network_mean(fleet<double, host_buffer> const &, host_machine<double> const &,
                                  double *);
extern template std::vector<double> squared_distances(fleet<double, host_buffer> const &,
                                                      host_machine<double> const &, double const *,
                                                      std::size_t, std::size_t);

namespace detail {

extern template read_clock read(virtual_clock<constant_time> const &, std::size_t);
extern template read_clock read(virtual_clock<lognormal_time> const &, std::size_t);
extern template void add_facts(fact_list &, std::string const &,
                               virtual_clock<constant_time> const &);
extern template void add_facts(fact_list &, std::string const &,
                               virtual_clock<lognormal_time> const &);

/// Types of a run in one process on the host.
template <class T, class Row>
using library_run = run_types<T, Row, on_host, single_process, true>;

extern template struct runs<library_run<float, float>>;
extern template struct runs<library_run<float, bf16>>;
extern template struct runs<library_run<float, fp16>>;
extern template struct runs<library_run<double, double>>;

extern template struct assembly<library_run<float, float>>;
extern template struct assembly<library_run<float, bf16>>;
extern template struct assembly<library_run<float, fp16>>;
extern template struct assembly<library_run<double, double>>;

}  // namespace detail

}  // namespace gossip

#endif
