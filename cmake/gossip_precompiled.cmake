# GOSSIP_PRECOMPILED: each target that links gossip::compiled precompiles the umbrella header, once for
# all its files. Each project says so for itself: an installation does not pass it on.
option(GOSSIP_PRECOMPILED "Targets that link gossip::compiled precompile gossip/gossip.hpp" OFF)
if(GOSSIP_PRECOMPILED AND TARGET gossip::compiled)
  get_target_property(target gossip::compiled ALIASED_TARGET)
  if(NOT target)
    set(target gossip::compiled)
  endif()
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_PRECOMPILE_HEADERS
    $<BUILD_INTERFACE:<gossip/gossip.hpp$<ANGLE-R>>)
endif()
