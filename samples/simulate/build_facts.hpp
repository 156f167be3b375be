// Build facts of gossip-simulate, as CMake knows them; see cmake/gossip_build_facts.cmake.
#pragma once

namespace simulate {

/// The driver's compiler options, warnings left out: "-O3 -DNDEBUG -march=native ...".
extern char const *const build_flags;

/// Of the library's tree, or "" where that is no checkout.
extern char const *const build_commit;

}  // namespace simulate
