#!/usr/bin/env bash
# compare_digests.sh COMMIT [--jobs N] [--only PATTERN]
# Runs gossip-simulate of this tree and of another commit on the same configurations and says where
# digest, virtual time, bytes or loss differ. Exit status: 0 nothing differs, 1 something does, 2
# the comparison cannot be made. No test: it compares two trees, and stores no number.
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
    --jobs | --only) [ -n "$value" ] || fail "$1: expected a value after it, got nothing" ;;
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
commit=$(git rev-parse --verify --quiet "$commit^{commit}") || fail "COMMIT: git knows no such commit"

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

# The flags that this tree is compiled with, for the other one: what its cache says.
flags_here() {
  grep -E '^(CMAKE_(CXX_COMPILER|CXX_COMPILER_LAUNCHER|CXX_FLAGS|CXX_FLAGS_RELEASE|BUILD_TYPE)|GOSSIP_[A-Z_]+):[A-Z]+=' \
    build/release/CMakeCache.txt | sed 's/^/-D/'
}

if [ ! -f build/release/CMakeCache.txt ] && command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi
here=("-DGOSSIP_SIMULATE_MODELS=$models")
if grep -qs '^GOSSIP_SIMULATE_MODELS:STRING=all$' build/release/CMakeCache.txt; then here=(); fi
timed "building this tree" build . ${here[@]+"${here[@]}"}

[ -e "$other/.git" ] || timed "checking out $commit" git worktree add --force --detach "$other" "$commit"
[ "$(git -C "$other" rev-parse HEAD)" = "$commit" ] || fail "$other: expected $commit, got another"
[ -z "$(git -C "$other" status --porcelain)" ] || fail "$other: expected no changes, got some"
mapfile -t flags < <(flags_here)
timed "building ${commit:0:12}" build "$other" "${flags[@]}" "-DGOSSIP_SIMULATE_MODELS=$models"

export PYTHONDONTWRITEBYTECODE=1
python3 tests/scripts/compare_digests.py --only "$only" --work build/compare/runs \
  "$other/build/release/bin/gossip-simulate" build/release/bin/gossip-simulate
