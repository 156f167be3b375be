# Sources of the cuda_on_cpu preset: the tests that need a device (cuda*.cpp in any folder), by
# g++ and with the CUDA of cuda_stand_in/, which is this processor; and that stand-in's own tests.

gossip_sources(runtime cuda_stand_in/runtime/*.cpp)
add_library(gossip_cuda_stand_in OBJECT ${runtime})
target_link_libraries(gossip_cuda_stand_in PRIVATE gossip_strict)
target_compile_options(gossip_cuda_stand_in PRIVATE -O2) # of matrix products
target_compile_definitions(gossip_cuda_stand_in PUBLIC GOSSIP_CUDA_STAND_IN)
target_include_directories(gossip_cuda_stand_in BEFORE PUBLIC cuda_stand_in)

# Not that of all exchanges, whose planners take minutes to compile with a sanitizer: check_exchange
# runs each on a device that is the host.
gossip_sources(sources */cuda*.cpp)
list(FILTER sources EXCLUDE REGEX "/cuda_exchanges\\.cpp$")
gossip_sources(own cuda_stand_in/*.cpp)
gossip_tests_with_devices(test_cuda_on_cpu LABEL cuda_on_cpu SOURCES ${sources} ${own}
  LIBRARIES gossip_test_main gossip_cuda_stand_in
  ENVIRONMENT ASAN_OPTIONS=detect_leaks=0) # MPI loads libraries that never free what they have

# Streams as late as CUDA allows; streams that are not late; and threads of a kernel out of order.
set(late CUDA_STAND_IN_STREAMS=late)
set(eager CUDA_STAND_IN_STREAMS=eager)
set(shuffled CUDA_STAND_IN_STREAMS=late CUDA_STAND_IN_THREADS=12345)
foreach(way IN ITEMS late eager shuffled)
  gossip_register(cuda_on_cpu_${way} LABEL cuda_on_cpu COMMAND test_cuda_on_cpu ~[ranks]~[.])
  set_property(TEST cuda_on_cpu_${way} APPEND PROPERTY ENVIRONMENT ${${way}})
endforeach()
gossip_register(cuda_on_cpu_full LABEL cuda_on_cpu COMMAND test_cuda_on_cpu [full_device])
set_property(TEST cuda_on_cpu_full APPEND PROPERTY ENVIRONMENT CUDA_STAND_IN_BYTES=1000000)
gossip_register(cuda_on_cpu_mutants LABEL cuda_on_cpu
  COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda_stand_in/mutants.sh --check)
