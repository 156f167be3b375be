// Ownership of memory: the device's, the host's with pages locked, or nobody's known here.
#pragma once

#include <cstddef>

namespace stand_in {

enum class owner { device, pinned };

/// Whether all of the range lies in one allocation of that owner.
bool owns(owner who, void const *begin, std::size_t bytes);

/// Whether any of the range lies in an allocation of that owner.
bool touches(owner who, void const *begin, std::size_t bytes);

/// While one lives the device works. Otherwise, if streams are late, the address sanitizer reports
/// any use of its memory by the host.
class device_turn {
 public:
  device_turn();
  ~device_turn();
  device_turn(device_turn const &) = delete;
  device_turn &operator=(device_turn const &) = delete;
};

}  // namespace stand_in
