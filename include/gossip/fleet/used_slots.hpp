// Slots of rows that an operation uses, as bits of sets.
#pragma once

#include <cstdint>

#include <gossip/core/node.hpp>

namespace gossip {

/// Slots of an owner's rows that are read, and slots that are written.
struct used_slots {
  std::uint32_t read = 0, written = 0;

  constexpr std::uint32_t slots() const { return read | written; }
  constexpr used_slots &operator|=(used_slots const &more) {
    read |= more.read;
    written |= more.written;
    return *this;
  }
  friend constexpr bool operator==(used_slots const &, used_slots const &) = default;
};

/// Slots that are changed in place: read and written.
constexpr used_slots changed_slots(std::uint32_t slots) {
  return {slots, slots};
}

/// An owner of rows, and the slots that are used of its rows.
struct owner_use {
  node owner;
  used_slots used;
};

}  // namespace gossip
