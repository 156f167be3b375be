// Models that are held for a simulator of other numbers, another backend or another precision.
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

template <class... Options>
using held_network =
    gossip::simulator<gossip::ring, gossip::any_model, gossip::sgd, gossip::d_psgd<>, Options...>;

// expect: an any_model is compiled for the numbers and the backend of its simulator
namespace any_model_of_other_numbers {
#ifdef GOSSIP_FAILS
std::size_t const size = sizeof(held_network<gossip::numbers<double>>);
#else
std::size_t const size = sizeof(held_network<>);
#endif
}  // namespace any_model_of_other_numbers

// expect: an any_model is compiled for the numbers and the backend of its simulator
namespace any_model_of_another_backend {
#ifdef GOSSIP_FAILS
std::size_t const size = sizeof(held_network<gossip::serial>);
#else
std::size_t const size = sizeof(held_network<gossip::cpu>);
#endif
}  // namespace any_model_of_another_backend

// expect: an any_model has a precision of its own, its second argument
namespace any_model_with_precision {
#ifdef GOSSIP_FAILS
std::size_t const size = sizeof(held_network<gossip::mixed_precision<gossip::bf16>>);
#else
gossip::any_model const held(gossip::quadratic<2>{});
#endif
}  // namespace any_model_with_precision
