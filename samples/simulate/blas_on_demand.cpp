// OpenBLAS, loaded where it is first called and not as the program starts, at one thread from the
// start. As it is loaded it takes 128 MB of addresses for each of its threads, and waits for them
// for ever where a limit (ulimit -v) leaves none (OpenMathLib/OpenBLAS, issue 5289): --help would
// never come.
#include <cblas.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include <gossip/backend/cpu/addresses.hpp>
#include <gossip/core/error.hpp>

namespace {

void *loaded() {
  gossip::blas::require_addresses(1);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  if (void *const library = dlopen(GOSSIP_BLAS_FILE, RTLD_NOW | RTLD_LOCAL)) return library;
  throw gossip::error(std::string("BLAS: cannot be loaded: ") + dlerror());
}

/// The library, where it has been loaded by the first that asked.
void *library() {
  static void *const found = loaded();
  return found;
}

/// A library that is built on OpenMP takes as many threads as a region of this thread would have.
void one_thread() {
  using setter = void (*)(int);
  static auto const set = reinterpret_cast<setter>(dlsym(library(), "omp_set_num_threads"));
  if (set) set(1);
}

/// The library's function of this name, which has the type of a declaration.
template <class Function>
Function *named(char const *name, Function *) {
  if (void *const found = dlsym(library(), name)) return reinterpret_cast<Function *>(found);
  throw gossip::error(std::string("BLAS: expected a function ") + name + ", got none in " +
                      GOSSIP_BLAS_FILE);
}

}  // namespace

extern "C" {

using order = enum CBLAS_ORDER;
using transpose = enum CBLAS_TRANSPOSE;

void cblas_sgemm(order const layout, transpose const of_a, transpose const of_b, blasint const m,
                 blasint const n, blasint const k, float const alpha, float const *a,
                 blasint const row_of_a, float const *b, blasint const row_of_b, float const beta,
                 float *c, blasint const row_of_c) {
  static auto const call = named("cblas_sgemm", &cblas_sgemm);
  one_thread();
  call(layout, of_a, of_b, m, n, k, alpha, a, row_of_a, b, row_of_b, beta, c, row_of_c);
}

void cblas_dgemm(order const layout, transpose const of_a, transpose const of_b, blasint const m,
                 blasint const n, blasint const k, double const alpha, double const *a,
                 blasint const row_of_a, double const *b, blasint const row_of_b, double const beta,
                 double *c, blasint const row_of_c) {
  static auto const call = named("cblas_dgemm", &cblas_dgemm);
  one_thread();
  call(layout, of_a, of_b, m, n, k, alpha, a, row_of_a, b, row_of_b, beta, c, row_of_c);
}

void openblas_set_num_threads(int threads) {
  static auto const call = named("openblas_set_num_threads", &openblas_set_num_threads);
  call(threads);
}

int openblas_get_num_threads(void) {
  static auto const call = named("openblas_get_num_threads", &openblas_get_num_threads);
  return call();
}

char *openblas_get_corename(void) {
  static auto const call = named("openblas_get_corename", &openblas_get_corename);
  return call();
}

char *openblas_get_config(void) {
  static auto const call = named("openblas_get_config", &openblas_get_config);
  return call();
}

}  // extern "C"
