// Records as parts of a state, for a run and for observers that keep them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/named_state.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

void name_mark(state_visitor const &visit, progress_mark &mark);

void name_record(state_visitor const &visit, record &r);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/named_record.ipp>
#endif
