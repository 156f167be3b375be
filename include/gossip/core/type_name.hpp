// Names of types for people.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <typeinfo>

namespace gossip::detail {

/// A type as a program names it.
inline std::string type_name(std::type_info const &type) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> const name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : type.name();
}

}  // namespace gossip::detail
