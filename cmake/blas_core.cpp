// Prints which processor the BLAS library takes this one for: "SkylakeX", "Zen", ... or "unknown".
// Debian's OpenBLAS does not know processors younger than itself, and then uses its slowest
// kernels;
// ./dev asks with this program and sets OPENBLAS_CORETYPE. Only OpenBLAS answers.
#include <dlfcn.h>

#include <cstdio>

#include <cblas.h>

auto *volatile product = &cblas_sgemm;  // used, so that the linker keeps the library

int main() {
  auto const core = reinterpret_cast<char *(*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  std::puts(product != nullptr && core != nullptr ? core() : "unknown");
}
