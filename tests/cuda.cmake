# Compiled with nvcc by the cuda preset: every public header once, the tests of backend/, and the
# tests that need a device (cuda*.cpp in any folder), which are skipped with a reason without one.
# Not oneDNN's, which nvcc cannot compile.

find_package(CUDAToolkit REQUIRED)
# The host's code of tests, as elsewhere; nvcc compiles the device's as it would.
string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
add_library(gossip_test_main_gpu OBJECT main.cpp)
target_compile_definitions(gossip_test_main_gpu PRIVATE GOSSIP_TESTS_NEED_A_GPU)
target_link_libraries(gossip_test_main_gpu PUBLIC Catch2::Catch2 CUDA::cudart PRIVATE gossip_own)
target_include_directories(gossip_test_main_gpu INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})

gossip_sources(sources backend/*.cpp)
list(FILTER sources EXCLUDE REGEX "/(cuda|onednn)[^/]*\\.cpp$")
gossip_program(test_backend SOURCES ${sources} LIBRARIES gossip_test_main)
gossip_register(test_backend LABEL backend COMMAND test_backend)

add_subdirectory(headers)
gossip_sources(sources */cuda*.cpp)
set(exchanges gossip-exchange-choice) # of samples/
if(NOT GOSSIP_SAMPLES)
  set(exchanges "")
  list(FILTER sources EXCLUDE REGEX "/cuda_exchanges\\.cpp$")
endif()
gossip_tests_with_devices(test_gpu LABEL gpu SOURCES ${sources}
  LIBRARIES gossip_test_main_gpu ${exchanges})
gossip_register(test_gpu LABEL gpu COMMAND test_gpu ~[ranks]~[.])
