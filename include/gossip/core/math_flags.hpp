// The refusal of flags by which a compiler computes other numbers than those that are written.
#pragma once

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "gossip: -ffast-math and its parts change results; expected arithmetic as it is written"
#endif
