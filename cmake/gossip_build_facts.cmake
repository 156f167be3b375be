# cmake -D SOURCE=<tree> -D FLAGS=<text> -D OUT=<file.cpp> -P gossip_build_facts.cmake
# Writes a file that says how the driver is built: the flags, and the commit of the tree where it is
# a checkout of its own, with "+changes" where tracked files differ from it. The file stays as it is
# where nothing has changed, so that this may run at every build.
cmake_minimum_required(VERSION 3.22)
find_package(Git QUIET)
set(commit "")
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --show-toplevel
    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(tree "${SOURCE}" REALPATH)
  if(top AND top STREQUAL tree) # not a copy within somebody else's checkout
    execute_process(COMMAND ${GIT_EXECUTABLE} --no-optional-locks -C ${SOURCE}
      describe --always --exclude=* --abbrev=12 --dirty=+changes
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "// Written by CMake: how gossip-simulate is built.
namespace simulate {
extern char const *const build_flags;
extern char const *const build_commit;
char const *const build_flags = R\"(@FLAGS@)\";
char const *const build_commit = \"@commit@\";
}  // namespace simulate
" @ONLY)
