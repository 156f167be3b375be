// The refusal of flags by which a compiler computes other numbers than those that are written.
#pragma once

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error \
    "gossip: expected a compiler that keeps to the arithmetic of IEEE 754, got -ffast-math or a part"
#endif
