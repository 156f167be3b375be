# gossip_component(<name> [<what is missing>...]): sets gossip_<name>_FOUND, and where the target
# gossip::<name> is not there gossip_<name>_NOT_FOUND_MESSAGE with what it lacks.
macro(gossip_component name)
  if(TARGET gossip::${name})
    set(gossip_${name}_FOUND TRUE)
  else()
    set(gossip_${name}_FOUND FALSE)
    string(JOIN " and " gossip_missing ${ARGN})
    set(gossip_${name}_NOT_FOUND_MESSAGE "component ${name} of gossip: expected ${gossip_missing}, found none")
  endif()
endmacro()
