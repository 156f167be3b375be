// Backends, numbers and formats that cannot be combined.
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/simulator/requirements.hpp>

#include <string>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

// expect: gossip::simulator: the backend must be serial, cpu, onednn or cuda
namespace backend_without_loops {
struct idle {
  struct worker {};
};

template <class Backend>
using demands =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                         archetypes::exchange_in_rounds, archetypes::compute_time, Backend, float>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<idle>::hold;
#else
constexpr bool met = demands<gossip::serial>::hold;
#endif
}  // namespace backend_without_loops

// expect: the optimizer keeps squares of gradients
namespace fp16_rows_of_adam {
template <class Row>
using demands = gossip::requirements<archetypes::topology, archetypes::model, gossip::adam,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     gossip::serial, float, gossip::full_precision, Row>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
}  // namespace fp16_rows_of_adam

// expect: on a device gradients in fp16 need rows in float
namespace fp16_gradients_for_narrow_rows_of_a_device {
struct device : gossip::serial {
  static constexpr bool on_device = true;
};
struct model : archetypes::model {
  static constexpr bool scales_loss = true;
};
template <class Format>
using demands = gossip::requirements<archetypes::topology, model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     device, float, gossip::mixed_precision<Format>, gossip::bf16>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
}  // namespace fp16_gradients_for_narrow_rows_of_a_device

// expect: fp16 needs a model that multiplies its gradient by the task's loss_scale
namespace fp16_without_loss_scale {
template <class Format>
using demands = gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     gossip::serial, float, gossip::mixed_precision<Format>>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
}  // namespace fp16_without_loss_scale

// expect: gossip::host_buffer: T must be trivial.
namespace host_buffer_of_strings {
#ifdef GOSSIP_FAILS
gossip::host_buffer<std::string> const made;
#else
gossip::host_buffer<float> const made;
#endif
}  // namespace host_buffer_of_strings

// expect: gossip::simulator: numbers must be float or double
namespace numbers_of_integers {
template <class Number>
using demands = gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     gossip::serial, Number>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<int>::hold;
#else
constexpr bool met = demands<double>::hold;
#endif
}  // namespace numbers_of_integers

// expect: gossip::simulator: an exchange with rows of its own needs gradients that cannot overflow
namespace rows_under_fp16 {
struct scaled : archetypes::model {
  static constexpr bool scales_loss = true;
};

template <class Format>
using demands = gossip::requirements<archetypes::topology, scaled, archetypes::optimizer,
                                     gossip::gradient_tracking<>, archetypes::compute_time,
                                     gossip::serial, float, gossip::mixed_precision<Format>>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
}  // namespace rows_under_fp16
