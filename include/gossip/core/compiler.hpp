// What g++ and clang spell differently.
#pragma once

/// Before a loop: no iteration reads what another writes, though the compiler cannot know it. clang
/// looks at run time: told so, it warns of every loop that it cannot vectorise for other reasons.
#if defined(__clang__)
#define GOSSIP_INDEPENDENT_ITERATIONS
#else
#define GOSSIP_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

/// A function that is compiled as if nothing were known of its callers and arguments.
#if defined(__clang__)
#define GOSSIP_COMPILED_ALONE [[gnu::noinline]]
#else
#define GOSSIP_COMPILED_ALONE [[gnu::noipa]]
#endif
