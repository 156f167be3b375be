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

quietly "installing gossip" "$cmake" --install "$GOSSIP_BUILD" --prefix "$work/prefix"
for project in find_package add_subdirectory fetch_content; do
  quietly "$project: configuring" "$cmake" -S "$here/$project" -B "$work/$project" -G "$generator" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_CXX_FLAGS_RELEASE=-O0 \
    -DGOSSIP_SOURCE="$GOSSIP_SOURCE" -DFETCHCONTENT_FULLY_DISCONNECTED=ON
  expected=1 # the README's names a build type, the others are warned
  [ $project != find_package ] || expected=0
  # CMake breaks lines.
  warned=$(tr -s ' \n' ' ' <"$work/log" | grep -c 'compiled without optimisation' || true)
  [ "$warned" -eq $expected ] || {
    echo "$project: expected $expected warnings of no build type, got $warned"
    exit 1
  }
  [ $project != find_package ] || { # an empty type wins over the README's
    quietly "$project: configuring without a build type" "$cmake" -S "$here/$project" \
      -B "$work/no_type" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
      -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=
    tr -s ' \n' ' ' <"$work/log" | grep -q 'compiled without optimisation' || {
      echo "$project: configured without a build type and without a warning"
      exit 1
    }
  }
  quietly "$project: building" "$cmake" --build "$work/$project" --parallel "$(nproc)"
  quietly "$project: running" "$work/$project/simulation"
  echo "$project: configured, built, run"
done
