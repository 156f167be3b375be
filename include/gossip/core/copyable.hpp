// What every policy is: a value that can be copied.
#pragma once

#include <type_traits>

namespace gossip {

/// std::copyable without its common references and swaps, which are a thirtieth of what a compiler
/// allocates for the umbrella header.
template <class T>
concept copyable = std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T>;

}  // namespace gossip
