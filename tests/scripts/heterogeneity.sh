#!/usr/bin/env bash
# The comparison of samples/heterogeneity: every method runs, the table has a row of each, and the
# committed rates are of the committed grid. With perceptrons, which are quick and always built in.
. "$(dirname "$0")/driver.bash"
folder=$GOSSIP_SOURCE/samples/heterogeneity

"$simulate" --quiet --config "$folder/heterogeneity.json" --sweep /seed=1 --set /model=mlp \
  --set /stop='{"rounds":5}' --set /evaluate/samples=100 --out "$work/runs" \
  >"$work/stdout" 2>"$work/stderr" || fault "heterogeneity.json: $(cat "$work/stderr")"
python3 - "$folder" "$work/stdout" <<'END' || fault "heterogeneity.json and tuning.json differ"
import json, sys
folder, table = sys.argv[1:]
tuning, final = (json.load(open(f"{folder}/{name}.json")) for name in ("tuning", "heterogeneity"))
methods, splits = tuning["sweep"][""], tuning["sweep"]["/data/split"]
chosen = final["sweep"][""]
assert len(chosen) == len(methods) * len(splits)
assert final["sweep"]["/seed"] == [1, 2, 3] and "held_out" not in final["evaluate"]
for k, one in enumerate(chosen):
    method, split = methods[k % len(methods)], splits[k // len(methods)]
    assert one["name"].startswith(method["name"] + ", ") and one["exchange"] == method["exchange"]
    assert one["data"]["split"] == split and one.get("topology") == method.get("topology")
    assert one["optimizer"].pop("rate") in tuning["sweep"]["/optimizer/rate"]
    assert one["optimizer"] == method["optimizer"]
lines = open(table).read().splitlines()
for one in chosen:
    assert sum(line.startswith(one["name"] + "  ") for line in lines) == 1, one["name"]
END
finish
