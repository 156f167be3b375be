# Any BLAS with <cblas.h>: CBLAS::CBLAS.
# A library that the user names (-DCBLAS_LIBRARY=..., -DCBLAS_INCLUDE_DIR=...) comes first, then the
# OpenMP build of OpenBLAS (the threads of the other build wait actively as they begin), then others.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  foreach(module IN ITEMS openblas blis mkl-dynamic-lp64-gomp cblas)
    pkg_check_modules(CBLAS_PC_${module} QUIET ${module})
    list(APPEND cblas_include_paths ${CBLAS_PC_${module}_INCLUDE_DIRS})
    list(APPEND cblas_library_paths ${CBLAS_PC_${module}_LIBRARY_DIRS})
  endforeach()
endif()

find_library(CBLAS_LIBRARY NAMES openblaso openblas blis-mt blis mkl_rt cblas blas
  HINTS ENV OPENBLAS_HOME ENV MKLROOT PATHS ${cblas_library_paths}
  PATH_SUFFIXES openblas-openmp lib)
get_filename_component(cblas_folder "${CBLAS_LIBRARY}" DIRECTORY)
get_filename_component(cblas_build "${cblas_folder}" NAME) # Debian: openblas-openmp, also of cblas.h
find_path(CBLAS_INCLUDE_DIR NAMES cblas.h
  HINTS ENV OPENBLAS_HOME ${cblas_folder}/../include PATHS ${cblas_include_paths}
  PATH_SUFFIXES ${cblas_build} openblas include)

if(CBLAS_LIBRARY AND CBLAS_INCLUDE_DIR)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${CBLAS_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${CBLAS_LIBRARY})
  check_cxx_source_compiles("#include <cblas.h>
    int main() { float a = 1; cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1,
      1.0f, &a, 1, &a, 1, 0.0f, &a, 1); }" CBLAS_WORKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CBLAS
  REQUIRED_VARS CBLAS_LIBRARY CBLAS_INCLUDE_DIR CBLAS_WORKS
  REASON_FAILURE_MESSAGE "cblas.h: '${CBLAS_INCLUDE_DIR}', library: '${CBLAS_LIBRARY}'.")
if(CBLAS_FOUND AND NOT TARGET CBLAS::CBLAS)
  add_library(CBLAS::CBLAS UNKNOWN IMPORTED)
  set_target_properties(CBLAS::CBLAS PROPERTIES IMPORTED_LOCATION ${CBLAS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CBLAS_INCLUDE_DIR})
endif()
mark_as_advanced(CBLAS_LIBRARY CBLAS_INCLUDE_DIR)
