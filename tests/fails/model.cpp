// Models that are refused.
#include <gossip/backend/serial.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class Model>
constexpr bool accepted =
    gossip::requirements<archetypes::topology, Model, archetypes::optimizer,
                         archetypes::exchange_in_rounds, archetypes::compute_time, gossip::serial,
                         float>::hold;

// expect: gossip::sequential: a loss stands behind the last layer
namespace loss_before_a_layer {
#ifdef GOSSIP_FAILS
using mine = gossip::sequential<gossip::input<1, 1, 4>, gossip::mean_square, gossip::dense<2>>;
#else
using mine = gossip::sequential<gossip::input<1, 1, 4>, gossip::dense<2>, gossip::mean_square>;
#endif
auto const count = mine::parameters;
}  // namespace loss_before_a_layer

// expect: gossip::simulator: the model has a check that cannot be called as void check() const
namespace model_check_not_const {
struct mine : archetypes::model {
#ifdef GOSSIP_FAILS
  void check() {}
#else
  void check() const {}
#endif
};
static_assert(accepted<mine>);
}  // namespace model_check_not_const

// expect: gossip::simulator: the model must declare static constexpr bool learns_from_samples
namespace model_without_kind {
#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t parameters = 1;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T>, std::uint64_t) const {}
};
#else
using mine = archetypes::model;
#endif
static_assert(accepted<mine>);
}  // namespace model_without_kind

// expect: gossip::simulator: the model must declare static constexpr size_t parameters
namespace model_without_size {
#ifdef GOSSIP_FAILS
struct mine {
  static constexpr bool learns_from_samples = false;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T>, std::uint64_t) const {}
};
#else
using mine = archetypes::model;
#endif
static_assert(accepted<mine>);
}  // namespace model_without_size

// expect: gossip::simulator: the model must have initialise(span<T> row, uint64_t seed) const
namespace model_without_start {
#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = false;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
};
#else
using mine = archetypes::model;
#endif
static_assert(accepted<mine>);
}  // namespace model_without_start

// expect: gossip::simulator: the model must have workspace_bytes<T>(size_t batch)
namespace model_without_workspace {
#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = false;
  template <class T>
  void initialise(std::span<T>, std::uint64_t) const {}
};
#else
using mine = archetypes::model;
#endif
static_assert(accepted<mine>);
}  // namespace model_without_workspace

// expect: gossip::quadratic: it is computed on the host, which cannot read a GPU's memory
namespace quadratic_on_a_gpu {
struct host_worker {};
struct gpu_worker {
  static constexpr bool on_gpu = true;
};

#ifdef GOSSIP_FAILS
using worker = gpu_worker;
#else
using worker = host_worker;
#endif
void run(worker &one, gossip::training_task<float, gossip::no_samples> const &task) {
  gossip::quadratic<3>{}.gradient(one, task);
}
}  // namespace quadratic_on_a_gpu

// expect: gossip::sequential: a model needs at least one layer.
namespace sequential_without_layers {
#ifdef GOSSIP_FAILS
using model = gossip::sequential<gossip::input<1, 4, 4>>;
#else
using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<2>>;
#endif
auto const count = model::parameters;
}  // namespace sequential_without_layers
