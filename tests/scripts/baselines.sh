#!/usr/bin/env bash
# The comparison of samples/baselines: every method runs, the table has a row of each, the committed
# rates are of the committed grid, and choose.py takes the best of a tuning sweep.
. "$(dirname "$0")/driver.bash"
folder=$GOSSIP_SOURCE/samples/baselines
small=(--quiet --set /stop='{"rounds":5}' --set /evaluate/samples=100)

"$simulate" "${small[@]}" --config "$folder/baselines.json" --sweep /seed=1 --out "$work/runs" \
  >"$work/stdout" 2>"$work/stderr" || fault "baselines.json: $(cat "$work/stderr")"
python3 - "$folder" "$work/stdout" <<'END' || fault "baselines.json and tuning.json differ"
import json, sys
folder, table = sys.argv[1:]
tuning, baselines = (json.load(open(f"{folder}/{name}.json")) for name in ("tuning", "baselines"))
methods, splits = tuning["sweep"][""], tuning["sweep"]["/data/split"]
chosen = baselines["sweep"][""]
assert len(chosen) == len(methods) * len(splits)
for k, one in enumerate(chosen):
    method, split = methods[k % len(methods)], splits[k // len(methods)]
    assert one["name"].startswith(method["name"] + ", ") and one["exchange"] == method["exchange"]
    assert one["data"]["split"] == split
    assert one["optimizer"].pop("rate") in tuning["sweep"]["/optimizer/rate"]
    assert one["optimizer"] == method["optimizer"]
lines = open(table).read().splitlines()
for one in chosen:
    assert sum(line.startswith(one["name"] + "  ") for line in lines) == 1, one["name"]
END

# Two methods, two rates of which the smaller one does not learn: the other is chosen.
python3 - "$folder/tuning.json" "$work/tuning.json" <<'END'
import json, sys
tuning = json.load(open(sys.argv[1]))
tuning["sweep"][""] = [m for m in tuning["sweep"][""] if m["name"] in ("D2", "AD-PSGD")]
tuning["sweep"]["/optimizer/rate"] = [1e-9, 0.1]
json.dump(tuning, open(sys.argv[2], "w"))
END
"$simulate" "${small[@]}" --set /stop='{"rounds":30}' --config "$work/tuning.json" --out "$work/tuning" \
  >"$work/stdout" 2>"$work/stderr" || fault "tuning.json: $(cat "$work/stderr")"
python3 "$folder/choose.py" "$work/tuning.json" "$work/tuning/results.csv" >"$work/chosen.json" ||
  fault "choose.py"
python3 - "$work/chosen.json" <<'END' || fault "choose.py does not take the best rates"
import json, sys
chosen = json.load(open(sys.argv[1]))
assert [one["optimizer"]["rate"] for one in chosen["sweep"][""]] == [0.1] * 4
assert "held_out" not in chosen["evaluate"] and chosen["sweep"]["/seed"] == [1, 2, 3]
END
finish
