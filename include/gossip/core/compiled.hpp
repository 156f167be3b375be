// Compiler and flags of a program, as far as its speed or its bits depend on them: warnings as a
// run begins, and the names for a report.
#pragma once

#include <cstdio>
#include <string>

namespace gossip::detail {

// Internal linkage: files of one program may be compiled in different ways.

/// True where the compiler rounds x * y + z once, as it may without -ffp-contract=off.
[[maybe_unused]] static bool contracts_products() {
  double volatile factor = 1 + 0x1p-27, addend = -(1 + 0x1p-26);
  double const x = factor, z = addend;
  return x * x + z != 0;  // 2^-54, or 0 where the product is rounded first
}

/// Sentences on the standard error, once a file of the program. what: the program or the library
/// that the file is of.
[[maybe_unused]] static void warn_of_compilation(char const *what) {
  static bool said = false;
  if (said) return;
  said = true;
  std::string const beginning = "gossip: " + std::string(what) + " was compiled ";
#ifndef __OPTIMIZE__
  std::fputs((beginning + "without optimization and is some 30 times slower; expected -O3 "
                          "-march=native (CMake: -DCMAKE_BUILD_TYPE=Release)\n")
                 .c_str(),
             stderr);
#endif
  if (contracts_products())
    std::fputs((beginning + "with contracted products, so that its digests differ from the digests "
                            "of other programs; expected -ffp-contract=off, which the target "
                            "gossip::gossip sets\n")
                   .c_str(),
               stderr);
}
[[maybe_unused]] static void warn_of_program() {
  warn_of_compilation("this program");
}

#ifdef GOSSIP_COMPILED
/// Sentences on the flags of gossip::compiled, once a program.
void warn_of_library();
#endif

/// The compiler of this file: "g++ 12.2.0", "clang 19.1.7", "nvcc 13.0 and g++ 12.2.0".
[[maybe_unused]] static std::string compiler_of_program() {
#if defined(__clang__)
  std::string name = "clang " + std::to_string(__clang_major__) + '.' +
                     std::to_string(__clang_minor__) + '.' + std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  std::string name = "g++ " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__) +
                     '.' + std::to_string(__GNUC_PATCHLEVEL__);
#else
  std::string name = "unknown";
#endif
#ifdef __CUDACC_VER_MAJOR__
  name = "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + '.' +
         std::to_string(__CUDACC_VER_MINOR__) + " and " + name;
#endif
  return name;
}

/// The flags of this file by its macros, and its contraction by a product: "optimized, avx512f avx2
/// fma, products not contracted".
[[maybe_unused]] static std::string flags_of_program() {
#ifdef __OPTIMIZE__
  std::string flags = "optimized";
#else
  std::string flags = "not optimized";
#endif
#ifdef __FAST_MATH__
  flags += ", fast math";
#endif
  std::string instructions;
#ifdef __AVX512F__
  instructions += " avx512f";
#endif
#ifdef __AVX2__
  instructions += " avx2";
#endif
#ifdef __AVX__
  instructions += " avx";
#endif
#ifdef __FMA__
  instructions += " fma";
#endif
#ifdef __ARM_FEATURE_SVE
  instructions += " sve";
#endif
#ifdef __ARM_NEON
  instructions += " neon";
#endif
  if (!instructions.empty()) flags += ',' + instructions;
  return flags + (contracts_products() ? ", products contracted" : ", products not contracted");
}

/// Compiler, flags and warnings of a file of a program, for code that gossip::compiled, or another
/// file, has.
struct compilation {
  std::string compiler, flags;
  void (*warn)();
};
[[maybe_unused]] static compilation compilation_of_file() {
  return {compiler_of_program(), flags_of_program(), &warn_of_program};
}

}  // namespace gossip::detail
