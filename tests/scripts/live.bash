# Common parts of the tests of gossip-live; sourced, not a test.
set -u
export OMP_NUM_THREADS=1

live=$GOSSIP_BIN/gossip-live
. "$(dirname "$0")/checks.bash"
require_program "$live" 'MPI and Boost.MPI'
if ! command -v mpirun >/dev/null; then
  echo "skipped: there is no mpirun here"
  exit 77
fi
mpirun=(mpirun)
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
  mpirun+=(--oversubscribe --bind-to none)
  [ "$(id -u)" -ne 0 ] || mpirun+=(--allow-run-as-root)
fi

# on <ranks> <argument of gossip-live>...: runs it for two minutes at most; its exit status in
# $status, what it wrote in $work/stdout, $work/stderr and $work/summary.json.
on() {
  local ranks=$1
  shift
  rm -f "$work/summary.json"
  status=0
  timeout -k 5 120 "${mpirun[@]}" -n "$ranks" "$live" --json "${summary:-$work/summary.json}" "$@" \
    >"$work/stdout" 2>"$work/stderr" || status=$?
}

# completes <ranks> <argument>...: a run that must succeed.
completes() {
  on "$@"
  [ "$status" -ne 124 ] || fault "still running after two minutes, deadlocked or too slow: $*"
  [ "$status" -eq 0 ] || fault "exit status $status: $*"$'\n'"$(cat "$work/stderr")"
  [ -s "$work/summary.json" ] || { fault "no summary: $*"; echo '{}' >"$work/summary.json"; }
}

# field <name>: a number or word of the summary, where the name stands once.
field() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$work/summary.json"; }

# holds <condition of awk>
holds() { awk "BEGIN { exit !($1) }"; }
