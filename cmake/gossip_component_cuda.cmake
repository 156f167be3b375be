# gossip::cuda: what nvcc needs to compile the headers, and cuBLAS. Sets gossip_cuda_FOUND.
# A program is compiled wholly by nvcc or not at all: its Thrust and the host's are two versions.
if(NOT TARGET gossip::cuda)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CUDA" IN_LIST languages)
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
    endif()
  endif()
  find_package(CUDAToolkit QUIET)
  if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cublas)
    add_library(gossip_cuda INTERFACE IMPORTED GLOBAL)
    target_link_libraries(gossip_cuda INTERFACE gossip::gossip CUDA::cudart CUDA::cublas)
    # -std as an option: CMake 3.25 does not know this flag of nvcc 13.
    # -fmad=false: row programs round on the device as they do on the host.
    target_compile_options(gossip_cuda INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20
      --expt-relaxed-constexpr -fmad=false -Xcompiler=-ffp-contract=off>)
    add_library(gossip::cuda ALIAS gossip_cuda)
  endif()
endif()
gossip_component(cuda "nvcc with cuBLAS (CUDA Toolkit 12.4 or later; CUDACXX names the compiler)")
