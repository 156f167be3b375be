#!/usr/bin/env bash
# gossip-live says in one sentence what is wrong: the input (status 2), or which rank failed, and then
# ends all of them within seconds.
. "$(dirname "$0")/live.bash"

# refuses <ranks> <sentence> <argument>...
refuses() {
  local ranks=$1 sentence=$2
  shift 2
  on "$ranks" "$@"
  [ "$status" -eq 2 ] || fault "exit status $status, expected 2: $*"
  [ "$(grep -c '^gossip-live: ' "$work/stderr")" -eq 1 ] || fault "not one sentence: $*"
  grep -qxF "gossip-live: $sentence" "$work/stderr" ||
    fault "$*"$'\n'"  expected: $sentence"$'\n'"  got:      $(grep gossip-live "$work/stderr")"
  [ ! -s "$work/stdout" ] || fault "something on standard output: $*"
  [ ! -e "$work/summary.json" ] || fault "a summary of no run: $*"
}
refuses 2 "gossip-live: unknown argument '--methods'; --help lists them" --methods d_psgd
refuses 2 "--method: expected all_reduce, d_psgd or ad_psgd, got 'x'" --method x
refuses 2 "--model: expected lenet5, mlp or softmax_regression, got 'resnet18'" --model resnet18
refuses 2 "--batch: expected a whole number, got '-3'" --batch -3
refuses 2 "live: batch must be at least 1, got 0" --batch 0
refuses 2 "--rate: expected a value after the option, got nothing" --rate
refuses 2 "--rate: expected one value, got a second value, '0.2'" --rate 0.1 --rate=0.2
refuses 2 "--make-bipartite: expected no value, got '--make-bipartite=1'" --make-bipartite=1
refuses 2 "--slow: expected RANK=FACTOR, got '3'" --slow 3
refuses 2 "live: slow learner: expected a rank below 2, got 2" --slow 2=4
refuses 2 "live: slow-down: expected a factor of at least 1, got 0.5" --slow 1=0.5
refuses 2 "--simulate: expected a duration such as 10ms (a number and ns, us, ms, s, min or h), \
got \"fast\"" --simulate fast
summary=$work/none/s.json refuses 2 "$work/none/s.json: cannot be written: No such file or directory"
refuses 3 "live ad_psgd: expected a bipartite graph, such as a chain or an even ring, got a graph \
with an odd cycle through the edge of 1 and 2; --topology even_odd has no odd cycle, \
--make-bipartite removes edges" --topology ring
completes 3 --topology ring --make-bipartite --model softmax_regression --epochs 0.1

# One rank alone finds fault with its input: all end, and it is that rank's sentence.
status=0
timeout -k 5 60 "${mpirun[@]}" -n 1 "$live" --epochs 0.1 : -n 1 "$live" --epochs 0.1 \
  --data "$work/nowhere" >"$work/stdout" 2>"$work/stderr" || status=$?
[ "$status" -eq 2 ] || fault "data missing on one rank: exit status $status"
[ "$(grep '^gossip-live: ' "$work/stderr" | grep -c "$work/nowhere")" -eq 1 ] ||
  fault "data missing on one rank: $(cat "$work/stderr")"

# Arguments and data that are others on a rank are refused before anything is written.
same="ranks: expected identical runs on all ranks, got"

# differs <pattern of the sentence> <argument>...: those of rank 1.
differs() {
  local pattern=$1 status=0
  shift
  timeout -k 5 60 "${mpirun[@]}" -n 1 "$live" --epochs 0.1 --json "$work/differs.json" : -n 1 "$live" \
    --epochs 0.1 "$@" >"$work/stdout" 2>"$work/stderr" || status=$?
  [ "$status" -eq 2 ] || fault "$*: exit status $status"
  grep -qx "gossip-live: $same $pattern" "$work/stderr" || fault "$*: $(cat "$work/stderr")"
  [ "$(grep -c '^gossip-live: ' "$work/stderr")" -eq 1 ] || fault "not one sentence: $*"
  [ ! -s "$work/differs.json" ] || fault "$*: a summary of no run"
}
differs "rate 0.1 on rank 1 and 0.02 on rank 0" --rate 0.1
differs "method d_psgd on rank 1 and ad_psgd on rank 0" --method d_psgd
differs "slow 1=3 on rank 1 and none on rank 0" --slow 1=3
cp -r "$GOSSIP_SOURCE/samples/data/digits" "$work/digits"
python3 - "$work"/digits/t10k-labels* <<'end'
import gzip, sys
path = sys.argv[1]
opened = gzip.open if path.endswith(".gz") else open
with opened(path, "rb") as file:
    labels = bytearray(file.read())
labels[-1] = (labels[-1] + 1) % 10
with opened(path, "wb") as file:
    file.write(labels)
end
differs "content of file [0-9] [0-9a-f]* on rank 1 and [0-9a-f]* on rank 0" --data "$work/digits"

# A rank fails in the middle: the rate is beyond all numbers.
for method in d_psgd ad_psgd all_reduce; do
  start=$SECONDS
  status=0
  timeout -k 5 60 "${mpirun[@]}" -n 4 "$live" --method $method --epochs 1000000 --rate 1e30 \
    >"$work/stdout" 2>"$work/stderr" || status=$?
  took=$((SECONDS - start))
  echo "$method: status $status after $took s: $(grep '^gossip-live: rank' "$work/stderr" | head -n 1)"
  { [ "$status" -ne 0 ] && [ "$status" -ne 124 ]; } || fault "$method: exit status $status"
  [ "$took" -lt 30 ] || fault "$method: took $took s to end"
  grep -q '^gossip-live: rank [0-3]: .*step [0-9]*: ' "$work/stderr" ||
    fault "$method: $(cat "$work/stderr")"
done

# children <process>: those that it started.
children() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent {print $1}'; }

# One rank is killed.
timeout -k 5 60 "${mpirun[@]}" -n 3 "$live" --method d_psgd --epochs 1000000 >"$work/stdout" \
  2>"$work/stderr" &
run=$!
sleep 4
kill -KILL "$(children "$(children $run)" | tail -n 1)" || fault "no rank to kill"
start=$SECONDS
wait $run
status=$?
echo "killed: status $status after $((SECONDS - start)) s"
{ [ "$status" -ne 0 ] && [ "$status" -ne 124 ]; } || fault "killed rank: exit status $status"
[ $((SECONDS - start)) -lt 30 ] || fault "killed rank: took $((SECONDS - start)) s to end"
finish
