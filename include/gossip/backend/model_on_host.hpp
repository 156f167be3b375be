// A model by its type behind the seam that engines of hosts see, and the models of the zoo that
// gossip::compiled has: others are compiled in the program that names them.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <gossip/model/gradient_worker.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/op/vector_bytes.hpp>

#ifdef GOSSIP_COMPILED
#include <gossip/backend/cpu.hpp>
#include <gossip/model/zoo.hpp>
#endif

namespace gossip {

/// The model with kernels of a backend of the host, in numbers of T and a precision of gradients.
/// VectorBytes: of the processor that the file is compiled for, on which bits of gradients depend.
template <class Backend, class T, std::size_t VectorBytes = op::vector_bytes, class Model,
          class Precision = full_precision>
std::shared_ptr<host_model<T> const> model_on_host(Model model, Precision precision = {}) {
  return std::make_shared<typed_model<Model, T, Backend, Precision>>(std::move(model),
                                                                     std::move(precision));
}

#ifdef GOSSIP_COMPILED

namespace detail {

/// Models of one size of registers. A program that takes models of two sizes from the library does
/// not link, since kernels of both sizes have the same names: one definition, of models_of_library,
/// is in the file of each size, and every file of models has the address of its own size.
template <std::size_t VectorBytes>
struct models_of_size {
  static char const here;
};

}  // namespace detail

extern template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5, full_precision);
extern template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5_classic,
                                                                            full_precision);
extern template std::shared_ptr<host_model<float> const> model_on_host<cpu>(lenet5_cifar10,
                                                                            full_precision);
extern template std::shared_ptr<host_model<float> const> model_on_host<cpu>(mlp, full_precision);
extern template std::shared_ptr<host_model<float> const> model_on_host<cpu>(softmax_regression,
                                                                            full_precision);
extern template std::shared_ptr<host_model<float> const> model_on_host<cpu>(resnet20,
                                                                            full_precision);

#endif

}  // namespace gossip
