# Thrust for the host compiler: ThrustHeaders::ThrustHeaders. Debian's libthrust-dev, a CUDA toolkit
# or any folder named by -DTHRUST_INCLUDE_DIR. nvcc brings its own and is told of none.

find_path(THRUST_INCLUDE_DIR thrust/version.h)
find_path(THRUST_INCLUDE_DIR thrust/version.h
  PATHS ENV CUDA_PATH /usr/local/cuda /opt/cuda
  PATH_SUFFIXES include include/cccl targets/x86_64-linux/include/cccl)
if(THRUST_INCLUDE_DIR)
  file(STRINGS ${THRUST_INCLUDE_DIR}/thrust/version.h thrust_version
    REGEX "^#define THRUST_VERSION [0-9]+")
  string(REGEX REPLACE "[^0-9]" "" thrust_version "${thrust_version}")
  if(thrust_version)
    math(EXPR thrust_major "${thrust_version} / 100000")
    math(EXPR thrust_minor "${thrust_version} / 100 % 1000")
    set(ThrustHeaders_VERSION ${thrust_major}.${thrust_minor})
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ThrustHeaders REQUIRED_VARS THRUST_INCLUDE_DIR
  VERSION_VAR ThrustHeaders_VERSION)
if(ThrustHeaders_FOUND AND NOT TARGET ThrustHeaders::ThrustHeaders)
  add_library(ThrustHeaders::ThrustHeaders INTERFACE IMPORTED)
  set_target_properties(ThrustHeaders::ThrustHeaders PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES $<$<COMPILE_LANGUAGE:CXX>:${THRUST_INCLUDE_DIR}>)
endif()
mark_as_advanced(THRUST_INCLUDE_DIR)
