# The target gossip::gossip: include path, C++20, and what the headers call.
# Nothing here sets a warning or a processor: those are the user's choice.

foreach(package IN ITEMS Threads TBB ZLIB CBLAS ThrustHeaders nlohmann_json)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "gossip needs ${package}, and it was not found. On Debian and Ubuntu "
      "'./dev deps' installs all that is needed: g++ libthrust-dev libtbb-dev libopenblas-openmp-dev "
      "zlib1g-dev nlohmann-json3-dev. ${${package}_NOT_FOUND_MESSAGE}")
  endif()
endforeach()

if(NOT PROJECT_IS_TOP_LEVEL)
  include(gossip_build_type_warning)
endif()

add_library(gossip INTERFACE)
add_library(gossip::gossip ALIAS gossip)

# Inside another project the headers count as a system's, so that its warnings stay its own.
set(gossip_include_kind "")
if(NOT PROJECT_IS_TOP_LEVEL)
  set(gossip_include_kind SYSTEM)
endif()
target_include_directories(gossip ${gossip_include_kind} INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)

# CMake 3.25 does not know the C++20 flag of nvcc 13: it is passed as an option (component cuda).
target_compile_features(gossip INTERFACE cxx_std_20)

# One operation in one loop or in two must give the same bits: no fused multiply-add but std::fma.
target_compile_options(gossip INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_definitions(gossip INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_TBB>)
target_link_libraries(gossip INTERFACE Threads::Threads TBB::tbb ZLIB::ZLIB CBLAS::CBLAS
  ThrustHeaders::ThrustHeaders nlohmann_json::nlohmann_json)

# Components, each a target of its own: gossip::graph, gossip::metis, gossip::mpi, gossip::onednn,
# gossip::cuda.
include(gossip_component)
include(gossip_component_graph)
include(gossip_component_metis)
include(gossip_component_mpi)
include(gossip_component_onednn)
if(GOSSIP_CUDA)
  include(gossip_component_cuda)
endif()
