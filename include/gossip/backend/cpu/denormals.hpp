// Denormals count as zero while a guard lives: they cost a hundred times a normal number and carry
// nothing, and all engines must treat them alike.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gossip {

/// Flushes denormals on this thread and restores what was before.
class flushed_denormals {
#if defined(__SSE__)
 public:
  flushed_denormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
  ~flushed_denormals() { _mm_setcsr(before_); }
  flushed_denormals(flushed_denormals const &) = delete;
  flushed_denormals &operator=(flushed_denormals const &) = delete;

 private:
  unsigned before_;
#else
 public:
  flushed_denormals() {}
#endif
};

}  // namespace gossip
