#!/usr/bin/env bash
# run.sh <cmake> <generator> <compiler>: installs gossip below the build tree, then configures,
# builds and runs each project of this folder. Needs $GOSSIP_SOURCE and $GOSSIP_BUILD; no network.
set -eu

cmake=$1 generator=$2 compiler=$3
here=$GOSSIP_SOURCE/tests/consumers
work=$GOSSIP_BUILD/consumers
rm -rf "$work"
mkdir -p "$work"

# quietly <what> <command>...: shows the output only of what failed.
quietly() {
  local what=$1
  shift
  if ! "$@" >"$work/log" 2>&1; then
    echo "$what failed: $*"
    cat "$work/log"
    exit 1
  fi
}

# configured <project> <folder> <number of warnings of no build type> <argument of CMake>...
configured() {
  local project=$1 folder=$2 expected=$3 warned
  shift 3
  quietly "$project: configuring" "$cmake" -S "$here/$project" -B "$work/$folder" -G "$generator" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DGOSSIP_SOURCE="$GOSSIP_SOURCE" -DFETCHCONTENT_FULLY_DISCONNECTED=ON "$@"
  # CMake breaks lines.
  warned=$(tr -s ' \n' ' ' <"$work/log" | grep -c 'compiled without optimization' || true)
  [ "$warned" -eq "$expected" ] || {
    echo "$project $*: expected $expected warnings of no build type, got $warned"
    exit 1
  }
}

quietly "installing gossip" "$cmake" --install "$GOSSIP_BUILD" --prefix "$work/prefix"
# The README's project names a build type, here without optimisation; an empty one wins over it.
configured find_package find_package 0 -DCMAKE_CXX_FLAGS_RELEASE=-O0
configured find_package no_type 1 -DCMAKE_BUILD_TYPE=
configured add_subdirectory add_subdirectory 1
configured fetch_content fetch_content 1
# told <component, or nothing> <argument of CMake>...: what find_package says, in one line.
told() {
  local component=$1 folder=$work/told
  shift
  rm -rf "$folder"
  mkdir "$folder"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(told LANGUAGES CXX)' \
    "find_package(gossip CONFIG REQUIRED ${component:+COMPONENTS $component})" >"$folder/CMakeLists.txt"
  "$cmake" -S "$folder" -B "$folder/build" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" "$@" 2>&1 | tr -s ' \n' ' '
}
# refused <sentence> <component> <argument of CMake>...
refused() {
  local sentence=$1 words
  shift
  words=$(told "$@")
  [[ $words == *"$sentence"* ]] && return
  echo "component $*: expected '$sentence', got $words"
  exit 1
}
refused 'component teleport of gossip: expected compiled, graph, metis, mpi, onednn or cuda' teleport
refused 'component mpi of gossip: expected Boost.MPI and Boost.Serialization' mpi \
  -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
refused 'component graph of gossip: expected Boost 1.71 or later with Boost.Graph' graph \
  -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
refused 'component metis of gossip: expected METIS' metis -DMETIS_LIBRARY=
# Nothing is said of packages that nobody asked for.
words=$(told '')
case ${words,,} in
  *' mpi'* | *mpi-* | *openmpi* | *metis* | *boost* | *onednn* | *cuda* | *'not found'*)
    echo "find_package without components speaks of others: $words"
    exit 1
    ;;
esac
# The companion library, of an installation of its own: asked of one without it, and with it.
refused 'component compiled of gossip: expected an installation with -DGOSSIP_INSTALL_COMPILED=ON' \
  compiled
quietly "companion: configuring the library" "$cmake" -S "$GOSSIP_SOURCE" -B "$work/library" \
  -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DGOSSIP_TESTS=OFF \
  -DGOSSIP_SAMPLES=OFF -DGOSSIP_BENCH=OFF -DGOSSIP_INSTALL_COMPILED=ON
quietly "companion: building the library" "$cmake" --build "$work/library" --parallel "$(nproc)"
quietly "companion: installing" "$cmake" --install "$work/library" --prefix "$work/with_library"
configured companion companion 0 -DCMAKE_PREFIX_PATH="$work/with_library" \
  -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DGOSSIP_PRECOMPILED=ON
quietly "companion: building" "$cmake" --build "$work/companion" --parallel "$(nproc)"
with_library=$("$work/companion/simulation" 2>"$work/log") || with_library+=" (status $?): $(cat "$work/log")"
if ! grep -q '^gossip: gossip::compiled was compiled without optimization' "$work/log"; then
  echo "companion: expected a warning of a library without optimization, got"
  cat "$work/log"
  exit 1
fi
header_only=$("$work/companion/header_only" 2>"$work/log") || header_only+=" (status $?): $(cat "$work/log")"
if [ "$with_library" != "$header_only" ] || [[ $with_library != *gradients* ]]; then
  echo "companion: expected one output with the library and without, got"
  echo "$with_library"
  echo "and"
  echo "$header_only"
  exit 1
fi
quietly "companion: running for any processor" "$work/companion/any_processor"
for program in simulation header_only; do
  headers=$(find "$work/companion/CMakeFiles/$program.dir" -name 'cmake_pch.hxx' | wc -l)
  [ "$headers" -eq "$([ $program = simulation ] && echo 1 || echo 0)" ] || {
    echo "companion: $program has $headers precompiled headers; expected 1 with the library, 0 without"
    exit 1
  }
done
if "$cmake" --build "$work/companion" --target other_containers >"$work/log" 2>&1 ||
  ! grep -q 'compiled_with<gossip::detail::version_0_2, gossip::detail::checked_containers>' "$work/log"; then
  echo "companion: expected that checked containers do not link, got"
  cat "$work/log"
  exit 1
fi
echo "companion: library and program built, run"
# Without CMake.
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig:$work/prefix/lib64/pkgconfig:$work/prefix/lib/$("$compiler" -print-multiarch 2>/dev/null)/pkgconfig
  read -ra words <<<"$(pkg-config --cflags --libs gossip)"
  quietly "pkg-config: building" "$compiler" "$here"/{find_package/main,elsewhere}.cpp "${words[@]}" -o "$work/by_pkg_config"
  quietly "pkg-config: running" "$work/by_pkg_config"
  read -ra words <<<"$(PKG_CONFIG_PATH=${PKG_CONFIG_PATH//"$work/prefix"/"$work/with_library"} \
    pkg-config --cflags --libs gossip-compiled)"
  quietly "pkg-config, library: building" "$compiler" "$here"/{find_package/main,elsewhere}.cpp "${words[@]}" -o "$work/by_pkg_config"
  quietly "pkg-config, library: running" "$work/by_pkg_config"
  echo "pkg-config: built, run"
fi
for project in find_package add_subdirectory fetch_content; do
  quietly "$project: building" "$cmake" --build "$work/$project" --parallel "$(nproc)"
  quietly "$project: running" "$work/$project/simulation"
  echo "$project: configured, built, run"
done
