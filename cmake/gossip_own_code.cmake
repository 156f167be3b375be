# Compile options of samples, tests and benchmarks; none of them reaches users.

# gossip::native: gossip for this very processor.
add_library(gossip_native INTERFACE)
add_library(gossip::native ALIAS gossip_native)
target_link_libraries(gossip_native INTERFACE gossip::gossip)
if(GOSSIP_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native GOSSIP_KNOWS_MARCH_NATIVE)
  if(GOSSIP_KNOWS_MARCH_NATIVE)
    target_compile_options(gossip_native INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
  endif()
endif()

# gossip_strict: every warning an error, the sanitizers asked for, nvcc where it compiles.
# Not an error: what GCC finds only after inlining, which at -O3 is wrong about its own library
# (GCC 12: memcmp in std::vector's comparison, memcpy in std::string's operator+).
add_library(gossip_strict INTERFACE)
target_link_libraries(gossip_strict INTERFACE gossip::gossip)
target_compile_options(gossip_strict INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  $<$<AND:$<BOOL:${GOSSIP_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=array-bounds -Wno-error=maybe-uninitialized
    -Wno-error=restrict -Wno-error=stringop-overflow -Wno-error=stringop-overread>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Wall,-Wextra>
  $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=1675>) # '#pragma GCC' is for the host compiler behind it
if(GOSSIP_SANITIZE)
  target_compile_options(gossip_strict INTERFACE -fsanitize=${GOSSIP_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gossip_strict INTERFACE -fsanitize=${GOSSIP_SANITIZE})
endif()
if(GOSSIP_CUDA)
  target_link_libraries(gossip_strict INTERFACE gossip::cuda)
endif()

# gossip_own: both.
add_library(gossip_own INTERFACE)
target_link_libraries(gossip_own INTERFACE gossip::native gossip_strict)

# gossip_own_compiled: gossip::compiled with these options, which own programs link; but for programs
# with devices, which are header-only as users' are.
if(GOSSIP_CUDA OR GOSSIP_CUDA_ON_CPU)
  set(gossip_form gossip_own)
else()
  gossip_compiled_library(gossip_own_compiled)
  target_link_libraries(gossip_own_compiled PUBLIC gossip_own)
  set(gossip_form gossip_own_compiled)
endif()

# gossip_program(<name> [HEADER_ONLY] SOURCES <file>... [LIBRARIES <target>...])
# A program of own code. In the cuda preset its sources become one unity file for nvcc, which takes
# seconds for the standard library's and Thrust's headers, however little follows them.
function(gossip_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER_ONLY" "" "SOURCES;LIBRARIES")
  set(form ${gossip_form})
  if(arg_HEADER_ONLY)
    set(form gossip_own)
  endif()
  if(GOSSIP_CUDA)
    gossip_unity(${name} 1 unity ${arg_SOURCES})
    add_executable(${name} ${unity})
  else()
    add_executable(${name} ${arg_SOURCES})
  endif()
  target_link_libraries(${name} PRIVATE ${form} ${arg_LIBRARIES})
endfunction()

# gossip_unity(<name> <groups> <out> <file>...): writes .cu files that include the files, in groups.
function(gossip_unity name groups out)
  set(written "")
  math(EXPR last "${groups} - 1")
  foreach(group RANGE ${last})
    set(text "// Written by CMake: one group of files for nvcc.\n")
    set(index 0)
    foreach(file IN LISTS ARGN)
      math(EXPR mine "${index} % ${groups}")
      if(mine EQUAL group)
        string(APPEND text "#include \"${file}\"\n")
      endif()
      math(EXPR index "${index} + 1")
    endforeach()
    set(path ${CMAKE_CURRENT_BINARY_DIR}/${name}_${group}.cu)
    file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
    list(APPEND written ${path})
  endforeach()
  set(${out} ${written} PARENT_SCOPE)
endfunction()

# gossip_sources(<out> <pattern>...): the files there are now; new ones are seen at the next build.
macro(gossip_sources out)
  file(GLOB ${out} CONFIGURE_DEPENDS ${ARGN})
endmacro()

# gossip-blas-core: what ./dev asks before it chooses the BLAS library's kernels.
if(PROJECT_IS_TOP_LEVEL)
  add_executable(gossip-blas-core ${PROJECT_SOURCE_DIR}/cmake/blas_core.cpp)
  target_link_libraries(gossip-blas-core PRIVATE CBLAS::CBLAS ${CMAKE_DL_LIBS})
endif()
