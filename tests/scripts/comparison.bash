# Comparisons of methods that samples/ keep as configurations of the driver; sourced, not a test.
. "$(dirname "$0")/driver.bash"
small=(--quiet --set /evaluate/samples=100)

# check_comparison <name> <argument of the driver>...: five rounds of every run of
# samples/<name>/<name>.json, one seed. The table has a row of each method and split, and the
# committed rates are of the grid of tuning.json.
check_comparison() {
  local name=$1 folder=$GOSSIP_SOURCE/samples/$1
  shift
  "$simulate" "${small[@]}" --set /stop='{"rounds":5}' --config "$folder/$name.json" --sweep /seed=1 \
    "$@" --out "$work/runs" >"$work/stdout" 2>"$work/stderr" || fault "$name.json: $(cat "$work/stderr")"
  python3 - "$folder" "$name" "$work/stdout" <<'END' || fault "$name.json and tuning.json differ"
import json, sys
folder, name, table = sys.argv[1:]
tuning, final = (json.load(open(f"{folder}/{file}.json")) for file in ("tuning", name))
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
}
