# Common to scripts that are tests: a folder of their own, faults, the verdict; sourced, not a test.
work=$GOSSIP_BUILD/scripts/$(basename "$0" .sh)
rm -rf "$work"
mkdir -p "$work"
failures=0

# require_program <path> [<what it needs>]: the test is skipped where it is not built.
require_program() {
  [ -x "$1" ] && return
  echo "skipped: $1 is not built${2:+; it needs $2}"
  exit 77
}

fault() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
  echo "all as it should be"
  exit 0
}
