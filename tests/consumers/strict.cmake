# A second text, and a strict user's warnings: none of them may fire.
target_sources(simulation PRIVATE ${CMAKE_CURRENT_LIST_DIR}/elsewhere.cpp)
target_compile_options(simulation PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
  -Wshadow -Wold-style-cast -Wundef -Werror)
