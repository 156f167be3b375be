// The processor that a program runs on, as the system names it.
#pragma once

#include <string>

namespace gossip {

/// The first processor of a file such as /proc/cpuinfo: "AMD EPYC (family 26, model 2)" of an x86
/// one, for virtual machines may leave the generation out of the name; of ARM "implementer 0x41,
/// part 0xd40"; "unknown" where neither is told.
std::string processor_of(char const *path);

/// That of this machine.
inline std::string processor_name() {
  return processor_of("/proc/cpuinfo");
}

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/processor.ipp>
#endif
