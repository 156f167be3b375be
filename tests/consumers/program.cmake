# The program of projects that have gossip's sources.
add_executable(simulation ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
target_link_libraries(simulation PRIVATE gossip::gossip)
include(${CMAKE_CURRENT_LIST_DIR}/strict.cmake)
