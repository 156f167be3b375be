#!/usr/bin/env bash
# Sweeps: every run has the digest that it has alone, the table has every number of every run, a run
# that fails is a row, and bad input is refused before anything is trained.
. "$(dirname "$0")/driver.bash"
base=("${tiny[@]}" --set /model=softmax_regression)

# summary <folder> <key>: of a run.
summary() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1/summary.json" "$2"; }

# Two exchanges, two rates and three seeds; each run equals its solo run.
"$simulate" "${base[@]}" --sweep /exchange=d_psgd,ad_psgd --sweep /optimizer/rate=0.1,0.03 \
  --sweep /seed=1..3 --out "$work/sweep" >"$work/stdout" 2>"$work/stderr" ||
  fault "a sweep: $(cat "$work/stderr")"
[ "$(ls -d "$work"/sweep/*/ | wc -l)" -eq 12 ] || fault "not 12 folders: $(ls "$work/sweep")"
[ -d "$work/sweep/01-exchange=d_psgd,rate=0.1,seed=1" ] || fault "names: $(ls "$work/sweep")"
for folder in "$work"/sweep/*/; do
  solo=$(digest --quiet --config "$folder/config.json")
  [ ${#solo} -eq 16 ] && [ "$(summary "$folder" digest)" = "$solo" ] ||
    fault "$folder: digest $(summary "$folder" digest), alone $solo"
done
[ "$(cat "$work"/sweep/*/summary.json | grep '"digest"' | sort -u | wc -l)" -eq 12 ] ||
  fault "runs of a sweep share digests"

# One run at a time with all threads has the same bits, and a folder that repeats the sweep.
"$simulate" --quiet --config "$work/sweep/sweep.json" --set /threads=2 --out "$work/again" \
  >"$work/again.stdout" 2>"$work/stderr" || fault "sweep.json: $(cat "$work/stderr")"
for folder in "$work"/sweep/*/; do
  name=$(basename "$folder")
  [ "$(summary "$folder" digest)" = "$(summary "$work/again/$name" digest)" ] ||
    fault "sweep.json does not repeat $name"
done
cmp "$work/sweep/sweep.json" <(sed '/"threads": 2,\?/d' "$work/again/sweep.json") >/dev/null ||
  python3 - "$work/sweep/sweep.json" "$work/again/sweep.json" <<'END' || fault "sweep.json changes when fed back"
import json, sys
first, second = (json.load(open(name)) for name in sys.argv[1:])
second.pop("threads")
sys.exit(first != second)
END

# results.csv against metrics.jsonl, and the printed means and deviations against Python's.
python3 - "$work/sweep" "$work/stdout" <<'END' || fault "results.csv"
import csv, glob, json, os, statistics, sys
folder, printed = sys.argv[1:]
rows = list(csv.DictReader(open(f"{folder}/results.csv")))
head = ["run", "exchange", "optimizer/rate", "seed", "round", "epoch", "virtual_seconds",
        "bytes_sent", "metric", "value", "error"]
assert list(rows[0]) == head, list(rows[0])
assert [r["run"] for r in rows] == sorted(r["run"] for r in rows)
found = {(r["run"], float(r["epoch"]), r["metric"]): float(r["value"]) for r in rows}
assert len(found) == len(rows) and not any(r["error"] for r in rows)
counted, last = 0, {}
def numbers(record, prefix=""):
    for name, value in record.items():
        if isinstance(value, dict):
            yield from numbers(value, prefix + name + ".")
        elif value is not None:
            yield prefix + name, value
for path in glob.glob(f"{folder}/*/metrics.jsonl"):
    run = os.path.basename(os.path.dirname(path))
    for line in open(path):
        record = json.loads(line)
        for name, value in numbers(record):
            if name in ("round", "epoch", "virtual_seconds", "bytes_sent", "node_iterations"):
                continue
            assert found[run, record["epoch"], name] == value, (run, name)
            counted += 1
        last[run] = record
assert counted == len(rows), (counted, len(rows))
for exchange in ("d_psgd", "ad_psgd"):
    for rate in ("0.1", "0.03"):
        ends = [100 * r["accuracy"]["mean"] for run, r in last.items()
                if f"exchange={exchange},rate={rate}," in run]
        want = f"{statistics.mean(ends):.2f} ± {statistics.stdev(ends):.2f}"
        line = [l for l in open(printed) if l.split()[:3] == [exchange, rate, "3"]]
        assert len(line) == 1 and want in line[0], (want, line)
END

# A combination that fails is a row with its sentence; the others run.
"$simulate" "${base[@]}" --sweep /topology='{"kind":"ring","nodes":4},{"kind":"random_regular","nodes":4,"degree":9}' \
  --out "$work/partly" >"$work/stdout" 2>"$work/stderr"
[ $? -eq 1 ] || fault "a sweep of which a run fails: exit status"
grep -qx "1 of 2 runs failed" "$work/stderr" || fault "a run that fails: $(cat "$work/stderr")"
python3 - "$work/partly/results.csv" <<'END' || fault "the row of a run that fails"
import csv, sys
errors = [r["error"] for r in csv.DictReader(open(sys.argv[1])) if r["error"]]
assert len(errors) == 1 and errors[0].startswith("--sweep: /topology/degree: "), errors
END

# A sweep in a file, of which an option replaces one field; without --out nothing is written.
cat >"$work/file.json" <<'END'
{"model": {"kind": "quadratic"}, "topology": {"kind": "ring", "nodes": 4}, "stop": {"rounds": 2},
 "sweep": {"/optimizer/rate": [0.1, 0.2], "/seed": [1, 2]}}
END
"$simulate" --quiet --config "$work/file.json" --sweep /seed=7 >"$work/stdout" || fault "a sweep in a file"
[ "$(awk '$1 == "0.1" || $1 == "0.2" {print $2}' "$work/stdout" | tr '\n' ' ')" = "1 1 " ] ||
  fault "a sweep in a file prints $(cat "$work/stdout")"

# Objects that are merged into the configuration: several fields at once, called by their names.
"$simulate" --quiet --config "$work/file.json" --sweep /seed=1 --sweep /optimizer/rate=0.5 --sweep \
  '={"name":"slow, with all","exchange":"all_reduce","optimizer":{"kind":"adam"}},{"name":"ring","exchange":"d_psgd"}' \
  --out "$work/merged" >"$work/stdout" || fault "a sweep of objects"
[ "$(grep -cE '^(slow, with all|ring)  +0.5  +1 ' "$work/stdout")" -eq 2 ] ||
  fault "a sweep of objects prints $(cat "$work/stdout")"
python3 - "$work"/merged/1-*/config.json <<'END' || fault "a sweep of objects: configurations"
import json, sys
run = json.load(open(sys.argv[1]))
assert run["name"] == "slow, with all" and run["exchange"]["kind"] == "all_reduce", run
assert run["optimizer"]["kind"] == "adam"
END
head -n 1 "$work/merged/results.csv" | grep -q '^run,name,optimizer/rate,seed,round,' ||
  fault "a sweep of objects: $(head -n 1 "$work/merged/results.csv")"
expect 2 "--sweep ={\"name\":1},{\"name\":1,\"seed\":2}: expected each value once, got 1 twice" \
  --sweep '={"name":1},{"name":1,"seed":2}'
expect 2 "--sweep =1: expected objects to merge into the configuration, got 1" --sweep =1

"$simulate" --quiet --config "$work/merged/sweep.json" --out "$work/merged.again" >"$work/again.stdout" ||
  fault "sweep.json of objects does not run again"
for folder in "$work"/merged/*/; do
  [ "$(summary "$folder" digest)" = "$(summary "$work/merged.again/$(basename "$folder")" digest)" ] ||
    fault "sweep.json of objects does not repeat $folder"
done
# A field within another is set behind it, whatever their order.
"$simulate" --quiet --config "$work/file.json" --sweep /optimizer/rate=0.3,0.4 --sweep /optimizer=sgd,adam \
  --sweep /seed=1 --out "$work/inner" >"$work/stdout" || fault "a field within another"
grep -q '"rate": 0.4' "$work"/inner/4-optimizer=adam,rate=0.4,seed=1/config.json ||
  fault "a field within another: $(ls "$work/inner")"

# Samples that are held out of training are those that are evaluated on.
held=("${base[@]}" --set /evaluate/at_end/samples=0)
"$simulate" "${held[@]}" --set /evaluate/held_out=500 --out "$work/held" >/dev/null || fault "held_out"
grep -q '"evaluated_samples":500}$' "$work/held/metrics.jsonl" || fault "held_out: $(cat "$work/held/metrics.jsonl")"
[ "$(digest "${held[@]}" --set /evaluate/held_out=500)" != "$(digest "${held[@]}")" ] ||
  fault "held-out samples are trained on"

# A dry run plans each, writes a plan.json each, and leaves the place for the runs.
"$simulate" --config "$work/file.json" --dry-run --out "$work/plans" >"$work/stdout" ||
  fault "a dry run of a sweep"
[ "$(ls "$work"/plans/*/plan.json | wc -l)" -eq 4 ] || fault "plans: $(ls "$work/plans")"
grep -q '^4-rate=0.2,seed=2  *8 ' "$work/stdout" || fault "a dry run prints $(cat "$work/stdout")"
"$simulate" --quiet --config "$work/file.json" --out "$work/plans" >"$work/stdout" 2>"$work/stderr" ||
  fault "a sweep where its dry run wrote: $(cat "$work/stderr")"

# Files of an earlier sweep stay, but with --overwrite; then no folder of it is left.
expect 2 "--out $work/plans: expected a folder without an earlier run, or --overwrite, got sweep.json, results.csv" \
  --config "$work/file.json" --out "$work/plans"
"$simulate" --quiet --config "$work/file.json" --sweep /seed=1 --sweep /optimizer/rate=0.3 \
  --out "$work/plans" --overwrite >"$work/stdout" || fault "--overwrite of a sweep"
[ "$(ls "$work/plans" | tr '\n' ' ')" = "1-rate=0.3,seed=1 results.csv sweep.json " ] ||
  fault "--overwrite leaves $(ls "$work/plans")"

# --overwrite removes runs of the sweep that was there and nothing else; a dry run removes nothing.
mkdir -p "$work/plans/2024-lr=0.1" && touch "$work/plans/2024-lr=0.1/summary.json"
"$simulate" --config "$work/file.json" --dry-run --out "$work/plans" --overwrite >/dev/null ||
  fault "a dry run with --overwrite"
[ -f "$work/plans/1-rate=0.3,seed=1/summary.json" ] || fault "a dry run removes a run"
"$simulate" --quiet --config "$work/file.json" --out "$work/plans" --overwrite >/dev/null ||
  fault "--overwrite again"
[ -f "$work/plans/2024-lr=0.1/summary.json" ] || fault "--overwrite removes what is not of a sweep"
[ ! -d "$work/plans/1-rate=0.3,seed=1" ] || fault "--overwrite leaves a run of the sweep before"

# Refusals.
expect 2 "--sweep /seed: expected /json/pointer=values, such as /seed=1..5, got no =" --sweep /seed
expect 2 "--sweep seed=1: expected /json/pointer=values, such as /seed=1..5, got no / at the start" --sweep seed=1
expect 2 "--sweep /seed=: expected a list of one value or more, got none" --sweep /seed=
expect 2 "--sweep /seed=1,,2: expected a value between commas, got nothing" --sweep /seed=1,,2
expect 2 "--sweep /seed=1,1: expected each value once, got 1 twice" --sweep /seed=1,1
expect 2 "--sweep /seed=5..1: expected an ascending range of at most 100000 numbers, got 5..1" --sweep /seed=5..1
"$simulate" --sweep /sede=1..3 2>&1 | grep -q '^--sweep: /sede: unknown key; .*; did you mean seed?$' ||
  fault "a field that does not exist"
echo '{"sweep": {"/seed": 3}}' >"$work/no_list.json"
expect 2 "$work/no_list.json: /sweep: /seed: expected a list of values, got number" --config "$work/no_list.json"
echo '{"sweep": [1]}' >"$work/no_object.json"
expect 2 "$work/no_object.json: /sweep: expected an object, such as {\"/seed\": [1, 2]}, got array" \
  --config "$work/no_object.json"

# Ctrl-C: runs under way end with their files complete, no other begins.
"$simulate" --config "$work/file.json" --set /stop='{"rounds":100000000}' --sweep /seed=1..50 \
  --out "$work/cut" >"$work/stdout" 2>"$work/stderr" &
sweep=$!
for _ in $(seq 100); do
  ls "$work"/cut/*/metrics.jsonl >"$work/found" 2>&1 && break
  sleep 0.1
done
kill -INT $sweep
wait $sweep
[ $? -eq 1 ] || fault "an interrupted sweep: exit status"
grep -qE "^[12] of 100 runs failed, 9[89] were not started; --resume --out $work/cut goes on\$" "$work/stderr" ||
  fault "an interrupted sweep says $(cat "$work/stderr")"
for folder in "$work"/cut/*/; do
  [ -f "$folder/summary.json" ] || fault "no summary.json in $folder"
done
grep -q 'interrupted after [0-9]* node-iterations$' "$work/cut/results.csv" || fault "no row of it"

if command -v mpirun >/dev/null && ldd "$simulate" | grep -q libmpi; then
  export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  mpirun -n 2 "$simulate" "${base[@]}" --sweep /seed=1..2 >"$work/stdout" 2>"$work/stderr"
  grep -qx -- "--sweep: expected one process, whose runs share its cores, got 2 ranks" "$work/stderr" ||
    fault "a sweep on ranks: $(cat "$work/stderr")"
fi
finish
