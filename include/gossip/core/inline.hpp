// Functions that are no templates and longer than a few lines: their definitions are in files
// detail/<name>.ipp, behind GOSSIP_INLINE. Headers include these files and the functions are
// inline; in programs that link gossip::compiled (GOSSIP_COMPILED) headers declare the functions
// alone.
#pragma once

#ifndef GOSSIP_COMPILED

#define GOSSIP_INLINE inline

#elif defined(__CUDACC__)

#error "gossip: gossip::compiled is for host compilers; link gossip::gossip to texts of nvcc"

#else

#define GOSSIP_INLINE

namespace gossip::detail {

struct version_0_2;
struct usual_containers;
struct checked_containers;

#ifdef _GLIBCXX_DEBUG
using containers_of_file = checked_containers;
#else
using containers_of_file = usual_containers;
#endif

/// What must be alike where a file of a program and gossip::compiled were compiled: the version,
/// and containers (_GLIBCXX_DEBUG). -ffast-math is refused in any file, and a file with contracted
/// products says so as it runs.
template <class Version, class Containers>
struct compiled_with {
  static char const here;  // the library has the one of its own; a file with another does not link
};

using compiled_as_this_file = compiled_with<version_0_2, containers_of_file>;

#if __has_cpp_attribute(gnu::retain)
[[gnu::retain]]  // from a linker that drops sections
#endif
[[maybe_unused, gnu::used]] static char const *const library_compiled_as_this_file =
    &compiled_as_this_file::here;

}  // namespace gossip::detail

#endif
