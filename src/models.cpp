// Models of the zoo, compiled once for gossip::compiled.
#include <memory>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/model/zoo.hpp>

namespace gossip {

template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5, full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5_classic,
                                                                     full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5_cifar10,
                                                                     full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(mlp, full_precision);
template std::shared_ptr<host_model<float> const> model_on_host<cpu>(softmax_regression,
                                                                     full_precision);

}  // namespace gossip
