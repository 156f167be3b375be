#!/usr/bin/env bash
# The comparison of samples/baselines: every method runs, the table has a row of each, the committed
# rates are of the committed grid, and choose.py takes the best of a tuning sweep.
. "$(dirname "$0")/comparison.bash"
folder=$GOSSIP_SOURCE/samples/baselines

check_comparison baselines

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
