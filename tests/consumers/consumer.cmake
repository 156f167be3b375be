# The program of all three projects, with a strict user's warnings: none of them may fire.
add_executable(consumer ${CMAKE_CURRENT_LIST_DIR}/main.cpp ${CMAKE_CURRENT_LIST_DIR}/elsewhere.cpp)
target_compile_options(consumer PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
  -Wshadow -Wold-style-cast -Wundef -Werror)
# quote link
# In each case:
target_link_libraries(consumer PRIVATE gossip::gossip)
# end quote
