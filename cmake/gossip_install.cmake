# cmake --install: the headers, and a package for find_package(gossip CONFIG [COMPONENTS ...]).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(gossip_package ${CMAKE_INSTALL_LIBDIR}/cmake/gossip)
install(DIRECTORY include/gossip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.ipp")
install(TARGETS gossip EXPORT gossip)
set(gossip_architectures ARCH_INDEPENDENT)
if(GOSSIP_INSTALL_COMPILED)
  if(GOSSIP_CUDA)
    message(FATAL_ERROR "GOSSIP_INSTALL_COMPILED: expected a build without GOSSIP_CUDA, since nvcc "
      "compiles headers alone")
  endif()
  install(TARGETS gossip_compiled EXPORT gossip ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set(gossip_architectures "")
endif()
install(EXPORT gossip NAMESPACE gossip:: FILE gossipTargets.cmake DESTINATION ${gossip_package})

configure_package_config_file(cmake/gossipConfig.cmake.in gossipConfig.cmake
  INSTALL_DESTINATION ${gossip_package})
write_basic_package_version_file(gossipConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ${gossip_architectures})
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/gossipConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/gossipConfigVersion.cmake
  cmake/FindCBLAS.cmake cmake/FindThrustHeaders.cmake
  cmake/gossip_component.cmake cmake/gossip_component_graph.cmake cmake/gossip_component_metis.cmake
  cmake/gossip_component_mpi.cmake cmake/gossip_component_onednn.cmake
  cmake/gossip_component_cuda.cmake cmake/gossip_precompiled.cmake
  cmake/gossip_build_type_warning.cmake
  DESTINATION ${gossip_package})
# pkg-config --cflags --libs gossip, for those without CMake. Folders of the system are not named.
set(gossip_pc_includes "")
foreach(folder IN LISTS CBLAS_INCLUDE_DIR THRUST_INCLUDE_DIR)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(APPEND gossip_pc_includes " -isystem ${folder}")
  endif()
endforeach()
set(gossip_pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH gossip_pc_prefix /${gossip_pc_folder} /) # wherever the tree is moved
configure_file(cmake/gossip.pc.in gossip.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gossip.pc DESTINATION ${gossip_pc_folder})
if(GOSSIP_INSTALL_COMPILED)
  configure_file(cmake/gossip-compiled.pc.in gossip-compiled.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gossip-compiled.pc DESTINATION ${gossip_pc_folder})
endif()

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
