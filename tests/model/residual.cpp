// Residual blocks of every form: gradients against central differences, and the plan of their
// memory.
#include <gossip/model/layer/residual.hpp>

#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/batch_norm.hpp>
#include <gossip/model/layer/conv2d.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/layer/relu.hpp>
#include <gossip/model/sequential.hpp>

#include <cstddef>

#include "training.hpp"

using gossip::branch;
using gossip::conv2d;
using gossip::dense;
using gossip::residual;
using namespace gossip::test;

namespace {

template <class... Layers>
using network = gossip::sequential<gossip::input<2, 6, 6>, Layers...>;

template <class Model>
void check() {
  for (std::size_t const batch : {3, 17}) {
    check_central_differences<gossip::serial>(Model{}, batch, 300);
    check_central_differences<gossip::cpu>(Model{}, batch, 300);
  }
}

}  // namespace

TEST_CASE("a block around which the input goes unchanged", "[model]") {
  check<network<conv2d<3, 2>, residual<branch<conv2d<3, 1>, gossip::relu, conv2d<3, 1>>>,
                dense<4>>>();
}

TEST_CASE("a block that begins with the sample", "[model]") {
  check<network<residual<branch<conv2d<2, 1>>>, dense<4>>>();
}

TEST_CASE("a relu behind a block is done in its sum", "[model]") {
  check<network<residual<branch<conv2d<3, 3>>, branch<conv2d<3, 3>>>, gossip::relu, dense<4>>>();
  check<network<conv2d<2, 1>, residual<branch<conv2d<2, 1>>>, gossip::relu, dense<4>>>();
}

TEST_CASE("a shortcut of layers", "[model]") {
  check<network<conv2d<2, 1>,
                residual<branch<conv2d<5, 2>, gossip::batch_norm>, branch<conv2d<5, 2>>>,
                gossip::relu, dense<4>>>();
}

TEST_CASE("a shortcut without parameters subsamples and adds channels", "[model]") {
  check<network<conv2d<2, 1>, residual<branch<conv2d<5, 4>>, branch<gossip::subsample<5, 2>>>,
                dense<4>>>();
  check<network<conv2d<2, 2>, residual<branch<conv2d<2, 3>>, branch<gossip::subsample<2, 2>>>,
                dense<4>>>();
}

TEST_CASE("blocks behind and in one another", "[model]") {
  check<network<
      conv2d<3, 2>, residual<branch<conv2d<3, 1>>>, residual<branch<gossip::relu, conv2d<3, 1>>>,
      residual<branch<residual<branch<gossip::relu, conv2d<3, 1>>>, conv2d<3, 1>>>,
      residual<branch<conv2d<3, 1>, residual<branch<conv2d<3, 1>>, branch<conv2d<3, 1>>>>>,
      dense<4>>>();
}

TEST_CASE("group normalisation and dropout's gradients are central differences", "[model]") {
  check<network<conv2d<6, 3>, gossip::group_norm<3>, gossip::relu, dense<4>>>();
  check<network<gossip::group_norm<1>, conv2d<4, 3>, gossip::dropout<30>, dense<6>,
                gossip::dropout<50>, dense<4>>>();
}

// quote block
template <std::size_t Filters>
using filters = gossip::conv2d<Filters, 3,
                               gossip::convolution_options{
                                   .padding = 1, .bias = false, .begin = gossip::start::he}>;

template <std::size_t Filters>
using block = gossip::residual<gossip::branch<filters<Filters>, gossip::group_norm<2>, gossip::relu,
                                              filters<Filters>, gossip::group_norm<2>>>;

using small_resnet =
    gossip::sequential<gossip::input<3, 8, 8>, filters<4>, gossip::group_norm<2>, gossip::relu,
                       block<4>, gossip::relu, gossip::global_avg_pool, gossip::dropout<20>,
                       gossip::dense<10>>;
// end quote

TEST_CASE("a small residual network with group normalisation and dropout", "[model]") {
  check_central_differences<gossip::serial>(small_resnet{}, 3, 300);
}

TEST_CASE("a gradient's memory is used again behind a block", "[model]") {
  using shallow = network<conv2d<4, 1>, residual<branch<conv2d<4, 1>>>, dense<4>>;
  using deep = network<conv2d<4, 1>, residual<branch<conv2d<4, 1>>>, residual<branch<conv2d<4, 1>>>,
                       residual<branch<conv2d<4, 1>>>, dense<4>>;
  // Two more blocks of two values each: nothing but what forward keeps is added.
  std::size_t const values = 4 * 36 * gossip::lane_group * sizeof(float);
  CHECK(deep::workspace_bytes<float>(16) - shallow::workspace_bytes<float>(16) == 4 * values);
}
