// Usual instances of templates, compiled once for gossip::compiled.
#include <gossip/simulator/compiled_code.hpp>

namespace gossip {

template host_machine<float>::host_machine(cpu);
template host_machine<double>::host_machine(cpu);

template row_arithmetic<float> arithmetic(sgd const &, bool, std::size_t);
template row_arithmetic<float> arithmetic(adam const &, bool, std::size_t);
template row_arithmetic<float> arithmetic(adamw const &, bool, std::size_t);
template row_arithmetic<double> arithmetic(sgd const &, bool, std::size_t);
template row_arithmetic<double> arithmetic(adam const &, bool, std::size_t);
template row_arithmetic<double> arithmetic(adamw const &, bool, std::size_t);

template void network_mean(fleet<float, host_buffer> const &, host_machine<float> const &, float *);
template std::vector<double> squared_distances(fleet<float, host_buffer> const &,
                                               host_machine<float> const &, float const *,
                                               std::size_t, std::size_t);
template void network_mean(fleet<bf16, host_buffer> const &, host_machine<float> const &, float *);
template std::vector<double> squared_distances(fleet<bf16, host_buffer> const &,
                                               host_machine<float> const &, float const *,
                                               std::size_t, std::size_t);
template void network_mean(fleet<fp16, host_buffer> const &, host_machine<float> const &, float *);
template std::vector<double> squared_distances(fleet<fp16, host_buffer> const &,
                                               host_machine<float> const &, float const *,
                                               std::size_t, std::size_t);
template void network_mean(fleet<double, host_buffer> const &, host_machine<double> const &,
                           double *);
template std::vector<double> squared_distances(fleet<double, host_buffer> const &,
                                               host_machine<double> const &, double const *,
                                               std::size_t, std::size_t);

namespace detail {

template read_clock read(virtual_clock<constant_time> const &, std::size_t);
template read_clock read(virtual_clock<lognormal_time> const &, std::size_t);
template void add_facts(fact_list &, std::string const &, virtual_clock<constant_time> const &);
template void add_facts(fact_list &, std::string const &, virtual_clock<lognormal_time> const &);

}  // namespace detail

}  // namespace gossip
