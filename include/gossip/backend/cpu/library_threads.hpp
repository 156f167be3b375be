// Functions of numeric libraries that hold their number of threads: present in some libraries only,
// hence weak, and null where the program is linked with none that has them.
#pragma once

extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));
char *openblas_get_corename(void) __attribute__((weak));
char *openblas_get_config(void) __attribute__((weak));
void MKL_Set_Num_Threads(int) __attribute__((weak));
int MKL_Get_Max_Threads(void) __attribute__((weak));
void MKL_Get_Version_String(char *, int) __attribute__((weak));
void bli_thread_set_num_threads(long) __attribute__((weak));
long bli_thread_get_num_threads(void) __attribute__((weak));
char const *bli_info_get_version_str(void) __attribute__((weak));
}

namespace gossip::detail {

/// omp_get_max_threads and omp_set_num_threads, by names of our own: the declarations of <omp.h>
/// differ between compilers.
int openmp_threads() __asm__("omp_get_max_threads") __attribute__((weak));
void set_openmp_threads(int) __asm__("omp_set_num_threads") __attribute__((weak));

/// Regions of OpenMP that begin on this thread have one thread while this object lives, where a
/// library of the program is built on OpenMP (OpenBLAS, oneDNN): a core already has its work.
class one_thread_region {
 public:
  one_thread_region() : before_(openmp_threads ? openmp_threads() : 0) {
    if (before_ > 1 && set_openmp_threads) set_openmp_threads(1);
  }
  ~one_thread_region() {
    if (before_ > 1 && set_openmp_threads) set_openmp_threads(before_);
  }
  one_thread_region(one_thread_region const &) = delete;
  one_thread_region &operator=(one_thread_region const &) = delete;

 private:
  int before_;
};

}  // namespace gossip::detail
