// The training that an error is about, in words, and the refusal of its loss.
#pragma once

#include <string>

#include <gossip/plan/operation.hpp>

namespace gossip {

/// The node, and the batch or step number, of a training or of a step that is its own operation.
std::string training_place(operation const &o);

/// Throws row_fault for a training whose loss is no number, or whose gradient all-reduce cannot
/// add.
[[noreturn]] void refuse_loss(operation const &o, double loss);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/detail/training_place.ipp>
#endif
