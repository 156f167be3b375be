# gossip::compiled: gossip::gossip, with functions that are no templates, and engines of hosts, in a
# static library. Programs that link it do not compile them. Where nvcc compiles there is none.
if(GOSSIP_CUDA)
  return()
endif()

set(gossip_unless_linked EXCLUDE_FROM_ALL)
if(GOSSIP_INSTALL_COMPILED)
  set(gossip_unless_linked "")
endif()
add_library(gossip_compiled STATIC ${gossip_unless_linked}
  src/clock.cpp
  src/core.cpp
  src/data.cpp
  src/engine.cpp
  src/fleet.cpp
  src/graph.cpp
  src/mixing.cpp
  src/observer.cpp
  src/plan.cpp
  src/simulator.cpp
  src/topology.cpp
  src/transport.cpp)
add_library(gossip::compiled ALIAS gossip_compiled)
set_target_properties(gossip_compiled PROPERTIES
  EXPORT_NAME compiled POSITION_INDEPENDENT_CODE ON)
target_link_libraries(gossip_compiled PUBLIC gossip)
target_compile_definitions(gossip_compiled PUBLIC GOSSIP_COMPILED)
if(GOSSIP_ARCH)
  target_compile_options(gossip_compiled PRIVATE -march=${GOSSIP_ARCH})
endif()

# A library and headers of two versions do not link.
set(gossip_version_tag version_${PROJECT_VERSION_MAJOR}_${PROJECT_VERSION_MINOR})
file(STRINGS include/gossip/core/inline.hpp gossip_version_line REGEX "struct ${gossip_version_tag};")
if(NOT gossip_version_line)
  message(FATAL_ERROR "include/gossip/core/inline.hpp: expected 'struct ${gossip_version_tag};', since "
    "the project has version ${PROJECT_VERSION}, found none")
endif()
