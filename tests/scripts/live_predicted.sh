#!/usr/bin/env bash
# gossip-simulate predicts a live run from what was measured in it: time an epoch, staleness and
# waiting, for three methods, with a slow learner and without. Learners sleep, so that no core is
# what they wait for.
. "$(dirname "$0")/live.bash"
simulate=$GOSSIP_BIN/gossip-simulate
require_program "$simulate"

# refused <sentence> <argument>...: a dry run that says so.
refused() {
  local sentence=$1 got=0
  shift
  "$simulate" --dry-run "$@" >"$work/stdout" 2>"$work/stderr" || got=$?
  [ "$got" -eq 2 ] || fault "exit status $got: $*"
  [ "$(cat "$work/stderr")" = "$sentence" ] ||
    fault "$*"$'\n'"  expected: $sentence"$'\n'"  got:      $(cat "$work/stderr")"
}

# predicted <folder> <argument>...: a dry run of the same job on the clock of that folder.
predicted() {
  local run=$1
  shift
  "$simulate" --dry-run --config "$run/configuration.json" --clock-from "$run" "$@" \
    --out "$work/plan" --overwrite >"$work/stdout" 2>"$work/stderr" ||
    fault "no prediction of $run: $(cat "$work/stderr")"
}

# held <name> <least> <most> [<folder>]: the prediction of the time of an epoch, over what was
# measured, there or in another folder, is between them; of the same run staleness and the share of
# the time that learners wait are near.
held() {
  python3 - "$work/plan/plan.json" "$@" <<'END' || fault "$1"
import json, sys
name, least, most = sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
live = json.load(open(sys.argv[1]))["live_run"]
print(name.ljust(18), "  ".join(
    f"{key} {live[key]['measured']:.3f} {live[key]['predicted']:.3f}"
    for key in ("epoch_seconds", "staleness", "waiting")))
time = live["epoch_seconds"]
if len(sys.argv) > 5:
    time["measured"] = json.load(open(sys.argv[5] + "/summary.json"))["seconds_per_epoch"]
    print(" ", sys.argv[5].split("/")[-1], f"took {time['measured']:.3f}")
if not least < time["predicted"] / time["measured"] < most:
    sys.exit(f"time of an epoch: not from {least} to {most}")
if len(sys.argv) > 5 or most > 2:
    sys.exit()  # another clock
if abs(live["staleness"]["predicted"] - live["staleness"]["measured"]) > 0.3:
    sys.exit("staleness")
if abs(live["waiting"]["predicted"] - live["waiting"]["measured"]) > 0.1:
    sys.exit("waiting")
END
}

for job in "2 all_reduce" "2 d_psgd" "2 ad_psgd" "4 d_psgd" "4 ad_psgd"; do
  for slow in 1 3; do
    read -r ranks method <<<"$job"
    rounds=16
    [ "$method" != ad_psgd ] || rounds=40
    run=$work/$method-$ranks-$slow
    completes "$ranks" --method "$method" --model softmax_regression --simulate 25ms,0.2 \
      --slow "0=$slow" --epochs "$(awk "BEGIN { print $rounds * $ranks * 32 / 8000 }")" --run "$run"
    predicted "$run"
    held "$method, $ranks, $slow times" 0.9 1.1
  done
done

# With a node three times as slow the clock of a run is far from that run, and near the one whose
# learner was so slow.
for method in d_psgd ad_psgd all_reduce; do
  run=$work/$method-2-1
  predicted "$run" --set /clock/slow='[{"node": 0, "factor": 3}]'
  held "$method, foretold" 0.75 1.35 "$work/$method-2-3"
  held "$method, another" 1.25 3.6
done

# The graph, where it has no name, comes with the folder; who would be overwritten is asked.
completes 3 --method ad_psgd --topology complete --make-bipartite --model softmax_regression \
  --simulate 2ms --epochs 0.2 --run "$work/cut"
[ "$(cat "$work/cut/network.txt")" = $'0 1\n0 2' ] || fault "network.txt"
predicted "$work/cut"
grep -q '^the live run' "$work/stdout" || fault "nothing side by side"
on 2 --simulate 2ms --run "$work/cut"
[ "$status" -eq 2 ] || fault "exit status $status where the folder is there"
grep -qxF "gossip-live: --run $work/cut: expected a path that does not exist, got a folder" \
  "$work/stderr" || fault "$(cat "$work/stderr")"

# What cannot be a clock is refused.
refused "--clock-from $work: expected a folder that gossip-live --run has written, got no computing.csv" \
  --clock-from "$work"
refused "--clock-from $run: expected a run of 3 learners, one per node, got 2" \
  --clock-from "$run" --set /topology='{"kind": "chain", "nodes": 3}'
damaged=$work/damaged
cp -r "$run" "$damaged"
sed -i '3s/.*/0,1,soon/' "$damaged/computing.csv"
refused "$damaged/computing.csv:3: expected 3 numbers between commas, got '0,1,soon'" \
  --clock-from "$damaged"
cp "$run/computing.csv" "$damaged"
sed -i '5s/^0,/7,/' "$damaged/exchanges.csv"
refused "$damaged/exchanges.csv:5: expected nodes below 2, got '$(sed -n 5p "$damaged/exchanges.csv")'" \
  --clock-from "$damaged"
cp "$run/exchanges.csv" "$damaged"
echo '{}' >"$damaged/summary.json"
refused "$damaged/summary.json: expected the summary of a live run, got a damaged summary: key 'method' not found" \
  --clock-from "$damaged"
finish
