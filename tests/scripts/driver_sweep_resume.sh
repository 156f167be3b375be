#!/usr/bin/env bash
# A sweep that goes on where it stopped ends with the files of one that never stopped, and trains
# nothing twice; lists that go together; the best value of a field.
. "$(dirname "$0")/driver.bash"
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }

runs=(--set /topology='{"kind":"ring","nodes":8}' --set /model=softmax_regression --set /threads=1 --set '/stop={"rounds":400}'
  --set '/evaluate={"every":{"rounds":200},"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}'
  --sweep /seed=1..4 --pair /exchange=d_psgd,ad_psgd,none --pair /optimizer/rate=0.1,0.03,0.01)
"$simulate" --quiet "${runs[@]}" --out "$work/whole" >"$work/stdout" 2>"$work/stderr" || fault "$(cat "$work/stderr")"

# Lists that go together: twelve runs, the last field of a pair with the first.
(cd "$work/whole" && ls -d */) >"$work/folders"
[ "$(wc -l <"$work/folders")" -eq 12 ] || fault "12 runs: $(cat "$work/folders")"
for one in 01-seed=1,exchange=d_psgd,rate=0.1 02-seed=1,exchange=ad_psgd,rate=0.03 12-seed=4,exchange=none,rate=0.01; do
  grep -qx "$one/" "$work/folders" || fault "no run $one: $(cat "$work/folders")"
done
python3 - "$work/whole/sweep.json" <<'END' || fault "sweep.json"
import json, sys
assert json.load(open(sys.argv[1]))["sweep"] == {
    "/seed": [1, 2, 3, 4], "pair": {"/exchange": ["d_psgd", "ad_psgd", "none"], "/optimizer/rate": [0.1, 0.03, 0.01]}}
END
plan=(--quiet --dry-run --set /model=quadratic)
[ "$("$simulate" "${plan[@]}" --pair /seed=1,2 --pair /batch=1,2 | wc -l)" -eq 3 ] || fault "a pair alone"
printf '{"model":"quadratic","sweep":{"/batch":[1,2,3],"pair":{"/seed":[1,2],"/stop/rounds":[3,4]}}}' >"$work/pair.json"
[ "$("$simulate" --quiet --dry-run --config "$work/pair.json" | wc -l)" -eq 7 ] || fault "pairs in a file"
expect 2 "--pair /batch: expected the number of values of /seed, 2, got 3" "${plan[@]}" --pair /seed=1,2 --pair /batch=1,2,3
expect 2 "--pair seed=1,2: expected /json/pointer=values, such as /seed=1..5, got no / at the start" "${plan[@]}" --pair seed=1,2
printf '{"sweep":{"pair":[1]}}' >"$work/bad.json"
expect 2 "$work/bad.json: /sweep/pair: expected an object, such as {\"/seed\": [1, 2]}, got array" --config "$work/bad.json"

# same <folder>: as the whole sweep left it, but for times, and for runs trained there what says when.
same() {
  python3 - "$work/whole" "$1" <<'END' || fault "$1 differs from a sweep that never stopped"
import csv, json, os, sys
whole, other = sys.argv[1:]
rows = [[row for row in csv.DictReader(open(folder + "/results.csv")) if row["metric"] != "wall_seconds"] for folder in (whole, other)]
assert len(rows[0]) > 100 and rows[0] == rows[1]
assert open(whole + "/sweep.json").read() == open(other + "/sweep.json").read()
folders = sorted(name for name in os.listdir(whole) if os.path.isdir(whole + "/" + name))
assert folders == sorted(name for name in os.listdir(other) if os.path.isdir(other + "/" + name))
for name in folders:
    a, b = (json.load(open(f"{folder}/{name}/summary.json")) for folder in (whole, other))
    assert a["digest"] == b["digest"] and not b["interrupted"], name
    a, b = ([json.loads(line) for line in open(f"{folder}/{name}/metrics.jsonl")] for folder in (whole, other))
    for line in a + b:
        del line["wall_seconds"]
    assert a == b and len(a) == 3, name
END
}

# Runs with checkpoints: those that were cut go on from them.
saving=(--quiet --set /topology='{"kind":"ring","nodes":8}' --set /model=softmax_regression --set /threads=1 --set '/stop={"rounds":6000}'
  --set '/evaluate={"every":{"rounds":500},"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}' --sweep /seed=1..4 --checkpoint 100rounds)
"$simulate" "${saving[@]}" --out "$work/uncut" >"$work/stdout" 2>"$work/stderr" || fault "$(cat "$work/stderr")"
"$simulate" "${saving[@]}" --out "$work/saved" >"$work/stdout" 2>"$work/stderr" &
run=$!
until [ "$(cat "$work"/saved/*seed=1/metrics.jsonl 2>/dev/null | wc -l)" -ge 4 ] || ! kill -0 $run; do sleep 0.02; done 2>/dev/null
kill -9 $run
wait $run 2>/dev/null
"$simulate" --resume --out "$work/saved" >"$work/stdout" 2>"$work/stderr" || fault "$(cat "$work/stderr")"
grep -qE "^1-seed=1: goes on  *from epoch [0-9.]+, after [0-9]+ node-iterations$" "$work/stdout" || fault "no run goes on: $(cat "$work/stdout")"
python3 - "$work/uncut" "$work/saved" <<'END' || fault "a sweep that went on from checkpoints differs"
import csv, json, sys
rows = [[row for row in csv.DictReader(open(folder + "/results.csv")) if row["metric"] != "wall_seconds"] for folder in sys.argv[1:]]
assert len(rows[0]) > 100 and rows[0] == rows[1]
for k in range(1, 5):
    digests = {json.load(open(f"{folder}/{k}-seed={k}/summary.json"))["digest"] for folder in sys.argv[1:]}
    assert len(digests) == 1, k
END

# A process that was killed: a run half written, one not begun, a table that ends early, one run cut off by Ctrl-C.
cp -r "$work/whole" "$work/killed"
cd "$work/killed" || exit 1
rm 03-*/summary.json && sed -i 1q 03-*/metrics.jsonl
rm -r 07-* && head -c 300 results.csv >cut && mv cut results.csv
sed -i 's/"ended": "done"/"ended": "interrupted"/' 05-*/summary.json
cd - >/dev/null || exit 1
kept=$(cd "$work/killed" && cat 01-*/* 02-*/* 04-*/* 06-*/* 12-*/* | cksum)
"$simulate" "${runs[@]}" --out "$work/killed" --resume >"$work/stdout" 2>"$work/stderr" || fault "$(cat "$work/stderr")"
grep -qE 'threads?( each)?; 9 were finished before$' "$work/stdout" || fault "it says $(head -n 1 "$work/stdout")"
[ "$(grep -cE '^\[' "$work/stdout")" -eq 3 ] && grep -q '^\[12/12\]' "$work/stdout" || fault "three runs: $(cat "$work/stdout")"
same "$work/killed"
[ "$kept" = "$(cd "$work/killed" && cat 01-*/* 02-*/* 04-*/* 06-*/* 12-*/* | cksum)" ] || fault "finished runs were touched"
# Once more, by the folder alone: nothing is left to do.
"$simulate" --resume --out "$work/killed" >"$work/stdout" 2>"$work/stderr" || fault "$(cat "$work/stderr")"
grep -qE 'threads?( each)?; 12 were finished before$' "$work/stdout" && ! grep -qE '^\[' "$work/stdout" || fault "it says $(cat "$work/stdout")"
same "$work/killed"

# Ctrl-C, and on.
set -m
"$simulate" --quiet "${runs[@]}" --set /threads=1 --out "$work/cut" >"$work/stdout" 2>"$work/stderr" &
sweep=$!
set +m
for ((waited = 0; waited < 600; ++waited)); do
  ls "$work"/cut/*/summary.json >/dev/null 2>&1 && break
  sleep 0.02
done
kill -INT $sweep 2>/dev/null
if ! wait $sweep; then
  grep -qE "^[0-9]+ of 12 runs failed.*; --resume --out $work/cut goes on\$" "$work/stderr" || fault "it says $(cat "$work/stderr")"
fi
"$simulate" --quiet --resume --out "$work/cut" >"$work/stdout" 2>"$work/stderr" || fault "$(cat "$work/stderr")"
same "$work/cut"

# The best value of a field, against the table of all numbers; by an accuracy the greatest, by a loss the least.
grid=("${runs[@]:0:8}" --sweep /exchange=d_psgd,none --sweep /optimizer/rate=0.001,0.1,0.01 --sweep /seed=1..3)
# best <option> <folder>
best() {
  "$simulate" "${grid[@]}" --best "$1" --out "$2" >"$work/stdout" 2>"$work/stderr" || fault "--best $1: $(cat "$work/stderr")"
}
best /optimizer/rate "$work/rates"
grep -qx 'Best /optimizer/rate by accuracy.mean, the greatest mean' "$work/stdout" || fault "no table: $(cat "$work/stdout")"
cp "$work/stdout" "$work/printed"
best /optimizer/rate=consensus_distance "$work/near"
best /exchange=virtual_seconds "$work/fast"
python3 - "$work" <<'END' || fault "best.json is not what results.csv says"
import csv, json, math, statistics, sys
work = sys.argv[1]

def check(folder, field, other, metric, sign):
    last = {}
    for row in csv.DictReader(open(folder + "/results.csv")):
        value = row["virtual_seconds"] if metric == "virtual_seconds" else row["value"] if row["metric"] == metric else None
        if value is not None:
            last[row[other], row[field], row["seed"]] = float(value)
    best = json.load(open(folder + "/best.json"))
    assert [str(row[other]) for row in best] == list(dict.fromkeys(key[0] for key in last)), best
    for row in best:
        means = {}
        for (o, f, seed), value in last.items():
            if o == str(row[other]):
                means.setdefault(f, []).append(value)
        top = max(means, key=lambda f: sign * statistics.mean(means[f]))
        assert len(means[top]) == row["runs"] == 3
        assert math.isclose(statistics.mean(means[top]), sign * max(sign * statistics.mean(v) for v in means.values()))
        assert str(row[field]) == top, (row, means)
        assert math.isclose(row[metric]["mean"], statistics.mean(means[top]))
        assert math.isclose(row[metric]["deviation"], statistics.stdev(means[top]), rel_tol=1e-6, abs_tol=1e-12)
        assert row["at_an_end"] == (field == "optimizer/rate" and top in ("0.001", "0.1"))
    return best

rates = check(work + "/rates", "optimizer/rate", "exchange", "accuracy.mean", 1)
near = check(work + "/near", "optimizer/rate", "exchange", "consensus_distance", -1)
assert [row["optimizer/rate"] for row in near] == [0.001, 0.001] and all(row["at_an_end"] for row in near)
check(work + "/fast", "exchange", "optimizer/rate", "virtual_seconds", -1)
printed = open(work + "/printed").read()
for row in rates:
    line = next(line for line in printed.split("the greatest mean")[1].splitlines() if line.startswith(row["exchange"]))
    assert line.split()[1:3] == [str(row["optimizer/rate"]), "%.4g" % row["accuracy.mean"]["mean"]], line
    assert line.endswith("*") == row["at_an_end"]
END
# Fields that go together have the best value together; a value is none where a run of it failed.
"$simulate" --quiet "${runs[@]}" --best /optimizer/rate=loss --out "$work/paired" >"$work/stdout" || fault "--best of a pair"
python3 -c 'import json, sys
(row,) = json.load(open(sys.argv[1]))
assert row["optimizer/rate"] in (0.1, 0.03, 0.01) and row["runs"] == 4 and row["at_an_end"] == (row["optimizer/rate"] != 0.03)' \
  "$work/paired/best.json" || fault "--best of a pair: $(cat "$work/paired/best.json")"
"$simulate" --quiet "${grid[@]:0:8}" --sweep /topology/nodes=0,8 --best /topology/nodes --out "$work/failing" >"$work/stdout" 2>"$work/stderr" &&
  fault "a failing run"
python3 -c 'import json, sys
(row,) = json.load(open(sys.argv[1]))
assert row["topology/nodes"] == 8 and row["runs"] == 1, row' "$work/failing/best.json" || fault "$(cat "$work/failing/best.json")"
expect 2 "--best /optimizer/momentum: expected a field that is swept: /exchange, /optimizer/rate, /seed, got /optimizer/momentum" \
  --quiet "${grid[@]}" --best /optimizer/momentum
expect 2 "--best /seed=: expected a metric after =, such as loss, got nothing" --quiet "${grid[@]}" --best /seed=
expect 2 "--best: expected a sweep, got a run" --quiet --best /seed

# What cannot go on.
expect 2 "--resume: expected --out DIR, and neither --overwrite nor --dry-run, got no --out" --resume
expect 2 "--resume: expected --out DIR, and neither --overwrite nor --dry-run, got --overwrite" --resume --out x --overwrite
expect 2 "--resume: expected --out DIR, and neither --overwrite nor --dry-run, got --dry-run" --resume --out x --dry-run
expect 2 "--resume --out x: expected a folder with the sweep.json of an earlier sweep or the config.json of an earlier run, got none" \
  --resume --out x --set /seed=3
expect 2 "--resume --out $work/none: expected a folder with the sweep.json of an earlier sweep, got none" \
  --quiet "${runs[@]}" --resume --out "$work/none"
[ ! -e "$work/none" ] || fault "a refused sweep makes a folder"
expect 2 "--resume --out $work/whole: expected the sweep that sweep.json there describes, got a sweep that differs from it in /stop/rounds" \
  --quiet "${runs[@]}" --set /stop/rounds=5 --resume --out "$work/whole"
cp -r "$work/whole" "$work/odd" && echo '{' >"$work/odd/sweep.json"
expect 2 "--resume --out $work/odd: expected the sweep that sweep.json there describes, got a sweep that differs from it: it is not JSON" \
  --quiet "${runs[@]}" --resume --out "$work/odd"
finish
