// How gossip-simulate is built, as CMake knows it; see cmake/gossip_build_facts.cmake.
#pragma once

namespace simulate {

/// What the driver is compiled with, warnings left out: "-O3 -DNDEBUG -march=native ...".
extern char const *const build_flags;

/// Of the library's tree, or "" where that is no checkout.
extern char const *const build_commit;

}  // namespace simulate
