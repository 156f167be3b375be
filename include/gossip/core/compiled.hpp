// Warnings of how a program is compiled, where that decides over its speed or its bits, as a run
// begins.
#pragma once

#include <cstdio>

namespace gossip::detail {

// Internal linkage: files of one program may be compiled in different ways.

/// True where the compiler rounds x * y + z once, as it may without -ffp-contract=off.
[[maybe_unused]] static bool contracts_products() {
  double volatile factor = 1 + 0x1p-27, addend = -(1 + 0x1p-26);
  double const x = factor, z = addend;
  return x * x + z != 0;  // 2^-54, or 0 where the product is rounded first
}

/// Sentences on the standard error, once a file of the program.
[[maybe_unused]] static void warn_of_compilation() {
  static bool said = false;
  if (said) return;
  said = true;
#ifndef __OPTIMIZE__
  std::fputs(
      "gossip: this program was compiled without optimisation and is some 30 times slower; "
      "expected -O3 -march=native (CMake: -DCMAKE_BUILD_TYPE=Release)\n",
      stderr);
#endif
  if (contracts_products())
    std::fputs(
        "gossip: this program was compiled with contracted products, so that its digests are not "
        "those of other programs; expected -ffp-contract=off, which the target gossip::gossip "
        "has\n",
        stderr);
}

}  // namespace gossip::detail
