// The arithmetic that results depend on: as it is written, by IEEE 754. Compilers that are told so
// sum in another order, multiply by reciprocals or take all numbers for finite. core/math_flags.hpp
// refuses what macros say; for the rest each file of a program has a check for the start of a run.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>

namespace gossip::detail {

// Internal linkage: files of one program may be compiled in different ways.

/// The rule of arithmetic that this file's code breaks, or null. Numbers are volatile, so that they
/// are computed as the program runs.
[[maybe_unused]] static char const *broken_arithmetic() {
  double volatile one = 1, small = 0x1p-60, divisor = 49, point = 3.7;
  double volatile infinite = std::numeric_limits<double>::infinity();
  double volatile none = std::numeric_limits<double>::quiet_NaN();
  double const x = one, y = small, d = divisor;
  if ((x + y) - x != 0) return "sums in the order in which they are written";
  double terms[32], sum = 0;  // 1, then 31 times half of the last place of 1, which change nothing
  for (std::size_t k = 0; k < 32; ++k) terms[k] = k == 0 ? one : small * 0x1p7;
  for (double const term : terms) sum += term;
  if (sum != x) return "sums in the order in which they are written";
  double quotients[16];
  for (std::size_t k = 0; k < 16; ++k) terms[k] = d * static_cast<double>(k + 1);
  for (std::size_t k = 0; k < 16; ++k) quotients[k] = terms[k] / d;
  for (std::size_t k = 0; k < 16; ++k)
    if (quotients[k] != static_cast<double>(k + 1)) return "quotients that are divisions";
  if (!std::isnan(none) || std::isfinite(infinite) || std::isfinite(none))
    return "numbers that may be infinite or NaN";
  constexpr double exp_there = elementary::exp(3.7), log_there = elementary::log(3.7);
  if (!(std::abs(elementary::exp(point) / exp_there - 1) < 1e-14) ||
      !(std::abs(elementary::log(point) / log_there - 1) < 1e-14))
    return "products and sums as they are written";
  return nullptr;
}

/// A file of a program, by its name, and its check.
struct compiled_file {
  char const *name;
  char const *(*broken)();
};

#if defined(__ELF__) && !defined(__CUDACC__)
// The linker puts those of all files one behind another; nothing is done before main.
[[gnu::section("gossip_files"), gnu::used]] static constexpr compiled_file this_file{
    __BASE_FILE__, &broken_arithmetic};
extern "C" compiled_file const __start_gossip_files[], __stop_gossip_files[];
#endif

[[noreturn]] inline void refuse_arithmetic(char const *file, char const *broken) {
  throw input_error(
      std::string("compilation of ") + file, broken,
      "code that computes otherwise; compile without -ffast-math and its parts "
      "(-funsafe-math-optimizations, -fassociative-math, -freciprocal-math, -ffinite-math-only)");
}

/// Throws input_error for the first file of the program whose arithmetic is not as it is written.
inline void require_arithmetic() {
#if defined(__ELF__) && !defined(__CUDACC__)
  for (compiled_file const *file = __start_gossip_files; file != __stop_gossip_files; ++file)
    if (char const *const broken = file->broken()) refuse_arithmetic(file->name, broken);
#else
  if (char const *const broken = broken_arithmetic()) refuse_arithmetic(__FILE__, broken);
#endif
}

}  // namespace gossip::detail
