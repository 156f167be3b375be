# Sources of the cuda_on_cpu preset: the tests that need a device (cuda*.cpp in any folder), by
# g++ and with the CUDA of cuda_stand_in/, which is this processor; and that stand-in's own tests.

gossip_sources(runtime cuda_stand_in/runtime/*.cpp)
add_library(gossip_cuda_stand_in OBJECT ${runtime})
target_link_libraries(gossip_cuda_stand_in PRIVATE gossip_strict)
target_compile_options(gossip_cuda_stand_in PRIVATE -O2) # of matrix products
target_compile_definitions(gossip_cuda_stand_in PUBLIC GOSSIP_CUDA_STAND_IN)
target_include_directories(gossip_cuda_stand_in BEFORE PUBLIC cuda_stand_in)

set_source_files_properties(main.cpp PROPERTIES COMPILE_OPTIONS -O0) # Catch2, which is long

gossip_sources(sources */cuda*.cpp)
list(FILTER sources EXCLUDE REGEX "/transport/")
gossip_sources(own cuda_stand_in/*.cpp)
gossip_program(test_cuda_on_cpu SOURCES ${sources} ${own}
  LIBRARIES gossip_test_main gossip_cuda_stand_in)
# Two texts of about the same compile time, a core each, beside the stand-in's own tests.
set(engines ${sources})
list(FILTER engines INCLUDE REGEX "/cuda_engine\\.cpp$")
list(REMOVE_ITEM sources ${engines})
gossip_one_text(test_cuda_on_cpu launches ${sources})
# engine/cuda_waits.cpp counts these calls.
foreach(call IN ITEMS StreamSynchronize EventSynchronize DeviceSynchronize Memcpy Memset Malloc Free)
  target_link_options(test_cuda_on_cpu PRIVATE LINKER:--wrap=cuda${call})
endforeach()

# Streams as late as CUDA allows; streams that are not late; and threads of a kernel out of order.
set(late CUDA_STAND_IN_STREAMS=late)
set(eager CUDA_STAND_IN_STREAMS=eager)
set(shuffled CUDA_STAND_IN_STREAMS=late CUDA_STAND_IN_THREADS=12345)
foreach(way IN ITEMS late eager shuffled)
  gossip_register(cuda_on_cpu_${way} LABEL cuda_on_cpu COMMAND test_cuda_on_cpu)
  set_property(TEST cuda_on_cpu_${way} APPEND PROPERTY ENVIRONMENT ${${way}})
endforeach()
gossip_register(cuda_on_cpu_full LABEL cuda_on_cpu COMMAND test_cuda_on_cpu [full_device])
set_property(TEST cuda_on_cpu_full APPEND PROPERTY ENVIRONMENT CUDA_STAND_IN_BYTES=1000000)

if(TARGET gossip::mpi AND MPIEXEC_EXECUTABLE)
  gossip_sources(sources transport/cuda*.cpp)
  gossip_program(cuda_on_cpu_ranks SOURCES ${sources}
    LIBRARIES gossip_test_main gossip_cuda_stand_in gossip::mpi)
  gossip_register_ranks(cuda_on_cpu_ranks LABEL cuda_on_cpu RANKS 1 2 3)
  foreach(ranks IN ITEMS 1 2 3) # MPI loads libraries that never free what they have
    set_property(TEST cuda_on_cpu_ranks_${ranks} APPEND PROPERTY ENVIRONMENT
      ASAN_OPTIONS=detect_leaks=0)
  endforeach()
else()
  set(why "skipped: MPI with Boost.MPI is not installed (libboost-mpi-dev libopenmpi-dev openmpi-bin)")
  gossip_register(cuda_on_cpu_ranks LABEL cuda_on_cpu COMMAND sh -c "echo '${why}'; exit 77")
endif()
