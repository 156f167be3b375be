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
if(sources)
  gossip_test(test_backend LABEL backend SOURCES ${sources} LIBRARIES gossip_test_main)
endif()

gossip_sources(sources */cuda*.cpp)
list(FILTER sources EXCLUDE REGEX "/transport/")
if(sources)
  gossip_test(test_gpu LABEL gpu SOURCES ${sources} LIBRARIES gossip_test_main_gpu)
  # engine/cuda_waits.cpp counts these calls, also those in headers of the toolkit.
  foreach(call IN ITEMS StreamSynchronize EventSynchronize DeviceSynchronize Memcpy Memset Malloc Free)
    target_link_options(test_gpu PRIVATE LINKER:--wrap=cuda${call})
  endforeach()
endif()

# Ranks with GPUs, by mpirun as in transport/.
if(TARGET gossip::mpi AND MPIEXEC_EXECUTABLE)
  gossip_sources(sources transport/cuda*.cpp)
  gossip_program(test_gpu_ranks SOURCES ${sources} LIBRARIES gossip_test_main_gpu gossip::mpi)
  gossip_register_ranks(test_gpu_ranks LABEL gpu RANKS 1 2 3)
else()
  set(why "skipped: MPI with Boost.MPI is not installed (libboost-mpi-dev libopenmpi-dev openmpi-bin)")
  gossip_register(test_gpu_ranks LABEL gpu COMMAND sh -c "echo '${why}'; exit 77")
endif()

add_subdirectory(headers)
