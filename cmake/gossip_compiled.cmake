# gossip::compiled: gossip::gossip, with functions that are no templates, runs of hosts, and models of
# the zoo, in a static library. Programs that link it do not compile them. Where nvcc compiles there
# is no such library.
if(GOSSIP_CUDA)
  return()
endif()

# gossip_compiled_library(<name> [<processor> <bytes>]...): a static library of src/, built where a
# program links it. Models are compiled for each of the processors, as in -march=, which has vector
# registers of these bytes (op/vector_bytes.hpp); without one by the flags of the rest.
function(gossip_compiled_library name)
  list(TRANSFORM gossip_compiled_sources PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE sources)
  list(TRANSFORM gossip_compiled_models PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE models)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC gossip)
  target_compile_definitions(${name} PUBLIC GOSSIP_COMPILED)
  if(NOT ARGN)
    target_sources(${name} PRIVATE ${models})
  endif()
  set(processors ${ARGN})
  while(processors)
    list(POP_FRONT processors processor bytes)
    add_library(${name}_${processor} OBJECT EXCLUDE_FROM_ALL ${models})
    set_target_properties(${name}_${processor} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${name}_${processor} PRIVATE gossip)
    target_compile_definitions(${name}_${processor} PRIVATE GOSSIP_COMPILED
      GOSSIP_VECTOR_BYTES=${bytes})
    target_compile_options(${name}_${processor} PRIVATE -march=${processor})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_${processor}>)
  endwhile()
endfunction()
set(gossip_compiled_sources backend.cpp clock.cpp core.cpp data.cpp engine.cpp fleet.cpp graph.cpp
  mixing.cpp observer.cpp plan.cpp simulator.cpp simulator_code.cpp simulator_runs.cpp topology.cpp
  transport.cpp)
set(gossip_compiled_models models.cpp deep_models.cpp)

# One processor for each size of vector registers, so that every program finds the kernels of its own
# -march.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-march=x86-64-v4 GOSSIP_KNOWS_X86_64)
if(GOSSIP_KNOWS_X86_64)
  gossip_compiled_library(gossip_compiled x86-64 16 x86-64-v3 32 x86-64-v4 64)
else()
  gossip_compiled_library(gossip_compiled)
endif()
add_library(gossip::compiled ALIAS gossip_compiled)
set_target_properties(gossip_compiled PROPERTIES EXPORT_NAME compiled)
include(${CMAKE_CURRENT_LIST_DIR}/gossip_precompiled.cmake)
if(GOSSIP_INSTALL_COMPILED)
  set_target_properties(gossip_compiled PROPERTIES EXCLUDE_FROM_ALL OFF)
endif()
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
