// The whole-row functions of the library by number.
#pragma once

#include <gossip/op/absmax_rounding.hpp>
#include <gossip/op/cosine_top_k.hpp>
#include <gossip/op/factors.hpp>
#include <gossip/op/mean_sign.hpp>
#include <gossip/op/normal_noise.hpp>
#include <gossip/op/orthogonalise.hpp>
#include <gossip/op/random_columns.hpp>
#include <gossip/op/stochastic_levels.hpp>
#include <gossip/op/tensor_variance.hpp>
#include <gossip/op/top_k.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip {

/// The library's whole-row functions, which every plan may name.
using library_whole_rows =
    whole_row_functions<op::top_k, op::top_k_of_chunks, op::absmax_rounding, op::mean_sign,
                        op::random_columns, op::stochastic_levels, op::orthogonalise,
                        op::add_tensor_variances, op::scale_tensor_variances, op::normal_noise,
                        op::first_factors, op::multiply_factors, op::add_factors, op::cosine_top_k>;

}  // namespace gossip
