// A value that cannot be copied, by which contracts find functions that write to a copy.
#pragma once

namespace gossip::detail {

/// In the place of a value that a policy writes through an argument. A function that takes the
/// argument by value takes a temporary number there, and no pinned one; one that takes a reference
/// of any type takes both.
struct pinned {
  pinned() = default;
  pinned(pinned const &) = delete;
  pinned &operator=(pinned const &) = delete;
};

}  // namespace gossip::detail
