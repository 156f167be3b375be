// Residual networks of the zoo, compiled once for gossip::compiled.
#include <memory>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/op/vector_bytes.hpp>

namespace gossip {

namespace detail {

[[maybe_unused, gnu::used]] static char const *const models_of_same_size =
    &models_of_size<op::vector_bytes>::here;

}  // namespace detail

template std::shared_ptr<host_model<float> const> model_on_host<cpu>(resnet20, full_precision);

}  // namespace gossip
