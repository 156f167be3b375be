# Warns a project that is configured without optimisation, which CMake does where nobody names a
# build type.
get_property(gossip_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT gossip_configurations AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CXX_FLAGS MATCHES "-O[1-9sfz]")
  message(WARNING "gossip: no build type is set, so that programs are compiled without optimization "
    "and are some 30 times slower; configure with -DCMAKE_BUILD_TYPE=Release "
    "-DCMAKE_CXX_FLAGS=-march=native")
endif()
