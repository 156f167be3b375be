// Numbers that count on, without memory.
#pragma once

namespace thrust {

template <class T>
struct counting_iterator {
  T value;
  constexpr explicit counting_iterator(T start) : value(start) {}
};

}  // namespace thrust
