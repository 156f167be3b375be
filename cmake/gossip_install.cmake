# cmake --install: the headers, and a package for find_package(gossip CONFIG [COMPONENTS ...]).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(gossip_package ${CMAKE_INSTALL_LIBDIR}/cmake/gossip)
install(DIRECTORY include/gossip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")
install(TARGETS gossip EXPORT gossip)
install(EXPORT gossip NAMESPACE gossip:: FILE gossipTargets.cmake DESTINATION ${gossip_package})

configure_package_config_file(cmake/gossipConfig.cmake.in gossipConfig.cmake
  INSTALL_DESTINATION ${gossip_package})
write_basic_package_version_file(gossipConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/gossipConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/gossipConfigVersion.cmake
  cmake/FindCBLAS.cmake cmake/FindThrustHeaders.cmake
  cmake/gossip_component_graph.cmake cmake/gossip_component_metis.cmake
  cmake/gossip_component_mpi.cmake cmake/gossip_component_onednn.cmake
  cmake/gossip_component_cuda.cmake cmake/gossip_build_type_warning.cmake
  DESTINATION ${gossip_package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
