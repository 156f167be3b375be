# GOSSIP_PRECOMPILED: each target that links gossip::compiled precompiles the umbrella header, once for
# all its files. Each project says so for itself: an installation does not pass it on.
if(NOT DEFINED GOSSIP_PRECOMPILED)
  option(GOSSIP_PRECOMPILED "Targets that link gossip::compiled precompile gossip/gossip.hpp" OFF)
endif()
if(GOSSIP_PRECOMPILED AND TARGET gossip::compiled)
  get_target_property(gossip_precompiled_target gossip::compiled ALIASED_TARGET)
  if(NOT gossip_precompiled_target)
    set(gossip_precompiled_target gossip::compiled)
  endif()
  set_property(TARGET ${gossip_precompiled_target} APPEND PROPERTY INTERFACE_PRECOMPILE_HEADERS
    $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:<gossip/gossip.hpp$<ANGLE-R>>>)
  unset(gossip_precompiled_target)
endif()
