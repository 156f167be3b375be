// Functions that are no templates and longer than a few lines: their definitions are in files
// detail/<name>.ipp, behind GOSSIP_INLINE. Headers include these files and the functions are
// inline; in programs that link gossip::compiled (GOSSIP_COMPILED) headers declare the functions
// alone.
#pragma once

#ifndef GOSSIP_COMPILED

#define GOSSIP_INLINE inline

#elif defined(__CUDACC__)

#error "gossip: gossip::compiled is for host compilers; with nvcc link gossip::gossip"

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

/// The properties in which a file of a program and gossip::compiled must agree: the version of
/// gossip, and the layout of containers (_GLIBCXX_DEBUG). Other properties that bits depend on are
/// told by each file: -ffast-math does not compile, and a file with contracted products says so as
/// the program starts.
template <class Version, class Containers>
struct compiled_with {
  static char const here;  // defined in the library, for the library's own properties alone
};

using compiled_as_this_file = compiled_with<version_0_2, containers_of_file>;

#if __has_cpp_attribute(gnu::retain)
[[gnu::retain]]  // from a linker that drops sections
#endif
[[maybe_unused, gnu::used]] static char const *const library_compiled_as_this_file =
    &compiled_as_this_file::here;

}  // namespace gossip::detail

#endif
