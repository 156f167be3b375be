// The door to BLAS: one single-threaded matrix product, and the guard that keeps it so.
#pragma once

#include <cblas.h>

#include <mutex>
#include <string>
#include <vector>

#include <gossip/backend/cpu/addresses.hpp>
#include <gossip/backend/cpu/library_threads.hpp>
#include <gossip/core/error.hpp>
#include <gossip/op/gemm_shape.hpp>

namespace gossip::blas {

/// C = op(A) op(B) + beta C on the calling thread.
template <class T>
void gemm(gemm_shape s, matrix_operand<T const *> a, matrix_operand<T const *> b, T beta,
          matrix_operand<T *> c) {
  auto const call = [&](auto function) {
    auto const side = [](bool transpose) { return transpose ? CblasTrans : CblasNoTrans; };
    auto const size = [](std::size_t n) { return static_cast<int>(n); };
    function(CblasRowMajor, side(s.transpose_a), side(s.transpose_b), size(s.m), size(s.n),
             size(s.k), T{1}, a.at, size(a.row_stride), b.at, size(b.row_stride), beta, c.at,
             size(c.row_stride));
  };
  if constexpr (sizeof(T) == sizeof(float))
    call(cblas_sgemm);
  else
    call(cblas_dgemm);
}

/// Processor seconds of the whole process over those of this thread, during one product.
inline double busy_threads() {
  auto const seconds = [](clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  constexpr std::size_t n = 384;
  std::vector<float> a(n * n, 1.0f), c(n * n);
  double const process = seconds(CLOCK_PROCESS_CPUTIME_ID);
  double const thread = seconds(CLOCK_THREAD_CPUTIME_ID);
  gemm<float>({false, false, n, n, n}, {a.data(), n}, {a.data(), n}, 0.0f, {c.data(), n});
  return (seconds(CLOCK_PROCESS_CPUTIME_ID) - process) /
         (seconds(CLOCK_THREAD_CPUTIME_ID) - thread);
}

/// Measured once, since threads of other runs would be counted too.
inline bool uses_threads() {
  static bool const several = busy_threads() > 1.5;
  return several;
}

/// A guard that keeps BLAS at one thread while any guard of the process lives, and restores the
/// user's number of threads when the last guard ends. OpenMP's own number of threads stays, which
/// an OpenBLAS built on OpenMP sets too when told its number; that library follows OpenMP's number,
/// so the loops of the cpu backend keep it at 1 inside.
class single_thread {
 public:
  /// Throws gossip::error where the library cannot be told and uses more than one thread, and where
  /// a limit on addresses leaves the products of so many threads no room.
  explicit single_thread(std::size_t threads) {
    if (openblas_set_num_threads) require_addresses(threads);
    of_process &all = process();
    std::lock_guard const turn(all.lock);
    if (all.guards == 0) all.before = begin();
    ++all.guards;
  }
  ~single_thread() {
    of_process &all = process();
    std::lock_guard const turn(all.lock);
    if (--all.guards == 0) set(all.before);
  }
  single_thread(single_thread const &) = delete;
  single_thread &operator=(single_thread const &) = delete;

 private:
  struct of_process {
    std::mutex lock;
    std::size_t guards = 0;
    long before = 0;  // threads of BLAS, as the user had them; 0: it has no number
  };
  static of_process &process() {
    static of_process all;
    return all;
  }

  /// One thread from now on. The number before.
  static long begin() {
    long before = 0;
    if (openblas_set_num_threads && openblas_get_num_threads)
      before = openblas_get_num_threads();
    else if (MKL_Set_Num_Threads && MKL_Get_Max_Threads)
      before = MKL_Get_Max_Threads();
    else if (bli_thread_set_num_threads && bli_thread_get_num_threads)
      before = bli_thread_get_num_threads();
    else if (uses_threads())
      throw error(
          "BLAS: the library uses several threads and cannot be told not to; set its thread count "
          "to 1 in the environment");
    set(before > 0 ? 1 : 0);
    return before;
  }

  static void set(long threads) {
    if (threads < 1) return;
    int const of_openmp = detail::openmp_threads ? detail::openmp_threads() : 0;
    if (openblas_set_num_threads)
      openblas_set_num_threads(static_cast<int>(threads));
    else if (MKL_Set_Num_Threads)
      MKL_Set_Num_Threads(static_cast<int>(threads));
    else
      bli_thread_set_num_threads(threads);
    if (of_openmp > 0 && detail::set_openmp_threads) detail::set_openmp_threads(of_openmp);
  }
};

/// The kernel OpenBLAS chose for this processor, or "" with another library.
inline std::string kernel_name() {
  return openblas_get_corename ? openblas_get_corename() : "";
}

/// The library with its version, "OpenBLAS 0.3.21", or "unknown".
inline std::string library_name() {
  if (openblas_get_config) {
    std::string const all = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
    return all.substr(0, all.find(' ', all.find(' ') + 1));
  }
  if (MKL_Get_Version_String) {
    char text[256] = {};
    MKL_Get_Version_String(text, sizeof text - 1);
    std::string const all = text;
    return all.substr(0, all.find_last_not_of(' ') + 1);
  }
  if (bli_info_get_version_str) return std::string("BLIS ") + bli_info_get_version_str();
  return "unknown";
}

}  // namespace gossip::blas
