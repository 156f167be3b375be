# Common parts of the tests of gossip-simulate; sourced, not a test.
set -u

simulate=$GOSSIP_BIN/gossip-simulate
. "$(dirname "$0")/checks.bash"
require_program "$simulate"

# expect <status> <sentence> <argument>...: the sentence is all of standard error; nothing else is
# printed.
expect() {
  local status=$1 sentence=$2 got=0
  shift 2
  "$simulate" "$@" >"$work/stdout" 2>"$work/stderr" || got=$?
  [ "$got" -eq "$status" ] || fault "exit status $got, expected $status: $*"
  [ "$(cat "$work/stderr")" = "$sentence" ] ||
    fault "$*"$'\n'"  expected: $sentence"$'\n'"  got:      $(cat "$work/stderr")"
  [ ! -s "$work/stdout" ] || fault "something on standard output: $*"
}

# A network that trains in no time.
tiny=(--quiet --set /topology='{"kind":"complete","nodes":4}' --set /stop='{"rounds":3}'
  --set /evaluate='{"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}')

# digest <argument>...: of a run.
digest() {
  "$simulate" "$@" 2>"$work/stderr" | awk '$1 == "digest" {print $2}'
}

# check_numbers <name> <digest of float> <argument>...: other numbers have another digest, the same
# for any threads and engine.
check_numbers() {
  local name=$1 full=$2 found
  shift 2
  found=$(OMP_NUM_THREADS=1 digest "$@")
  [ ${#found} -eq 16 ] || fault "$name: no digest: $(cat "$work/stderr")"
  [ "$found" != "$full" ] || fault "$name: the digest is that of numbers in 32 bits"
  [ "$(OMP_NUM_THREADS=3 digest "$@" --set /engine=reference)" = "$found" ] ||
    fault "$name: threads or engine change the digest"
}

# The exchanges that the driver lists, but for those that are named.
exchanges_but() {
  "$simulate" --list | awk -v left_out=" $* " '/^[a-z]/ {inside = $1 == "exchange"}
    inside && /^  [a-z]/ && index(left_out, " " $1 " ") == 0 {print $1}'
}
