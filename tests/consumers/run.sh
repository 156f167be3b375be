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
  warned=$(tr -s ' \n' ' ' <"$work/log" | grep -c 'compiled without optimisation' || true)
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
for project in find_package add_subdirectory fetch_content; do
  quietly "$project: building" "$cmake" --build "$work/$project" --parallel "$(nproc)"
  quietly "$project: running" "$work/$project/simulation"
  echo "$project: configured, built, run"
done
