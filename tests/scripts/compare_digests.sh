#!/usr/bin/env bash
# compare_digests.sh COMMIT [--jobs N] [--only PATTERN]
# Runs gossip-simulate of this tree and of another commit on the same configurations, and a program
# of the library for what the driver has no field for (compare/precisions.cpp). Says where digest,
# virtual time, bytes, iterations or loss differ. No test of ctest, and no number is stored.
# Exit status: 0 nothing differs, 1 something does, 2 the comparison cannot be made.
#   COMMIT   what git calls it; checked out and built in build/compare/<commit>, kept for next time
#   --jobs   compilers at once, one a core without it
#   --only   runs whose name matches this regular expression
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
  printf 'compare_digests: %s\n' "$*" >&2
  exit 2
}

commit='' jobs=$(nproc) only=.
while [ $# -gt 0 ]; do
  value=${2-}
  case $1 in
    --jobs | --only) [ -n "$value" ] || fail "$1: expected a value after the option, got nothing" ;;
    -*) fail "expected COMMIT, --jobs or --only, got '$1'" ;;
    *) commit=$1 ;;
  esac
  case $1 in
    --jobs) jobs=$value ;;
    --only) only=$value ;;
  esac
  case $1 in -*) shift ;; esac
  shift
done
[ -n "$commit" ] || fail "COMMIT: expected a commit to compare with, got nothing"
name=$commit
commit=$(git rev-parse --verify --quiet "$name^{commit}") ||
  fail "COMMIT: expected a commit that git knows, got $name"

models='resnet20;resnet20_bf16;lenet5_bf16;lenet5_fp16'  # beside those that are always built in
other=build/compare/${commit:0:12}

# timed <what it does> <command>...: its output only if it fails, its time always.
timed() {
  local what=$1 begin=$SECONDS log
  shift
  log=$(mktemp)
  printf '== %s\n' "$what"
  if ! "$@" >"$log" 2>&1; then
    tail -40 "$log" >&2
    rm -f "$log"
    fail "$what: failed"
  fi
  rm -f "$log"
  printf '== %s: %d s\n' "$what" $((SECONDS - begin))
}

# build <source tree> [argument of cmake...]
build() {
  local tree=$1
  shift
  (cd "$tree" && cmake --preset release "$@" &&
    cmake --build build/release --parallel "$jobs" --target gossip-simulate)
}

# build_precisions <source tree>: a user's program; that tree's own where it has one.
build_precisions() {
  local to=$1/build/compare_precisions from=$1/tests/scripts/compare native=''
  [ -d "$from" ] || from=tests/scripts/compare
  grep -q '^GOSSIP_NATIVE:BOOL=ON$' build/release/CMakeCache.txt && native=-march=native
  cmake -S "$from" -B "$to" -DGOSSIP_TREE="$(realpath "$1")" \
    -DGOSSIP_NATIVE_FLAG=$native "${compiler[@]}" &&
    cmake --build "$to" --parallel "$jobs" --target precisions
}

# given_here <pattern>: options for cmake, what the cache of this tree has for such variables.
given_here() {
  grep -E "^($1):[A-Z]+=" build/release/CMakeCache.txt | sed 's/^/-D/'
}

if [ ! -f build/release/CMakeCache.txt ] && command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi
here=("-DGOSSIP_SIMULATE_MODELS=$models")
if grep -qs '^GOSSIP_SIMULATE_MODELS:STRING=all$' build/release/CMakeCache.txt; then here=(); fi
timed "building this tree" build . ${here[@]+"${here[@]}"}

[ -e "$other/.git" ] ||
  timed "checking out $commit" git worktree add --force --detach "$other" "$commit"
there=$(git -C "$other" rev-parse HEAD)
[ "$there" = "$commit" ] || fail "$other: expected $commit, got $there"
[ -z "$(git -C "$other" status --porcelain)" ] || fail "$other: expected no changes, got some"
same='BUILD_TYPE|CXX_COMPILER|CXX_COMPILER_LAUNCHER|CXX_FLAGS|CXX_FLAGS_RELEASE'
mapfile -t compiler < <(given_here "CMAKE_($same)")
mapfile -t options < <(given_here 'GOSSIP_[A-Z_]+')
timed "building ${commit:0:12}" build "$other" "${compiler[@]}" "${options[@]}" \
  "-DGOSSIP_SIMULATE_MODELS=$models"
timed "building precisions of this tree" build_precisions .
timed "building precisions of ${commit:0:12}" build_precisions "$other"

export PYTHONDONTWRITEBYTECODE=1
python3 tests/scripts/compare_digests.py --only "$only" --work build/compare/runs \
  --precisions {"$other",.}/build/compare_precisions/precisions \
  {"$other",.}/build/release/bin/gossip-simulate
