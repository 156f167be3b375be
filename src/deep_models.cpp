// Residual networks of the zoo, compiled once for gossip::compiled.
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

[[maybe_unused, gnu::used]] static char const *const models_of_same_size =
    &models_of_size<op::vector_bytes>::here;

}  // namespace detail

template std::shared_ptr<host_model<float> const> model_on_host<cpu>(resnet20, full_precision);

}  // namespace gossip
