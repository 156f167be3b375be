// Models of the zoo, compiled once for gossip::compiled.
#include <memory>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/op/vector_bytes.hpp>

namespace gossip {

#ifdef GOSSIP_VECTOR_BYTES
static_assert(
    op::vector_bytes == GOSSIP_VECTOR_BYTES,
    "gossip::compiled: a flag beside -march changes the size of vector registers; expected "
    "CMAKE_CXX_FLAGS without -mavx2, -mfma and -mavx512f");
#endif

namespace detail {

template <>
char const models_of_size<op::vector_bytes>::here = 0;

extern char const *const models_of_library;
char const *const models_of_library = &models_of_size<op::vector_bytes>::here;

}  // namespace detail

template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5, full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5_classic,
                                                                     full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5_cifar10,
                                                                     full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(mlp, full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(softmax_regression,
                                                                     full_precision);

}  // namespace gossip
