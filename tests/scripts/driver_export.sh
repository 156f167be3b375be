#!/usr/bin/env bash
# Models and network that a run leaves as files (--export), and runs that begin with such a file
# (--start): in sweeps, behind an earlier run; refusals. On ranks: ranks_export.sh.
. "$(dirname "$0")/driver.bash"

run=("${tiny[@]}" --set /model=softmax_regression --set /exchange=d_psgd)
all=(--export mean --export nodes --export=graph)
first=$(digest "${run[@]}" --out "$work/a" "${all[@]}")
[ ${#first} -eq 16 ] || fault "no digest: $(cat "$work/stderr")"
[ "$first" = "$(digest "${run[@]}")" ] || fault "an export changes the digest"
ls -d "$work"/a/* "$work"/a/nodes/* | sed "s|$work/||" | tr '\n' ' ' | grep -qx \
  'a/config.json a/graph.graphml a/identity.json a/mean.safetensors a/metrics.jsonl a/nodes a/nodes/0.safetensors a/nodes/1.safetensors a/nodes/2.safetensors a/nodes/3.safetensors a/summary.json ' ||
  fault "the folder holds $(ls -R "$work/a")"
"$simulate" "${run[@]}" --out "$work/a" "${all[@]}" --overwrite |
  grep -q 'summary.json, graph.graphml, mean.safetensors, nodes/$' || fault "the files are not named"

# The network is read again, and is that network.
[ "$(digest "${run[@]}" --set /topology='{"kind":"graphml","path":"'"$work/a/graph.graphml"'"}')" = "$first" ] ||
  fault "graph.graphml is another network: $(cat "$work/stderr")"
"$simulate" "${run[@]}" --dry-run --out "$work/plan" --export graph >"$work/stdout" || fault "a dry run"
grep -q 'plan.json, graph.graphml$' "$work/stdout" || fault "a dry run does not name its files"
cmp "$work/plan/graph.graphml" "$work/a/graph.graphml" || fault "a dry run writes another network"

# All nodes begin where that run ended: the averaged model has the accuracy that it had.
number() { sed -n "$2s/.*\"$3\":\([^,}]*\).*/\1/p" "$work/$1/metrics.jsonl"; }
second=$(digest "${run[@]}" --start "$work/a/mean.safetensors" --set /evaluate/every='{"rounds":3}' \
  --out "$work/b" --export mean)
[ ${#second} -eq 16 ] || fault "--start: $(cat "$work/stderr")"
[ "$second" != "$first" ] || fault "--start changes nothing"
[ "$(number b 1 averaged_model_accuracy)" = "$(number a '$' averaged_model_accuracy)" ] ||
  fault "the file is another model: $(cat "$work/a/metrics.jsonl" "$work/b/metrics.jsonl")"
[ "$(number b 1 consensus_distance)" = 0.0 ] || fault "nodes begin with several models"
grep -qF "\"start\": \"$work/a/mean.safetensors\"" "$work/b/config.json" || fault "config.json has no start"
[ "$(digest --quiet --config "$work/b/config.json")" = "$second" ] || fault "config.json is another run"
ls "$work/b" | tr '\n' ' ' | grep -qx 'config.json identity.json mean.safetensors metrics.jsonl summary.json ' ||
  fault "an export that is not asked for: $(ls "$work/b")"

# What an earlier run left goes, and only that.
touch "$work/a/nodes/mine"
"$simulate" "${run[@]}" --out "$work/a" --overwrite >/dev/null || fault "--overwrite"
ls "$work/a" "$work/a/nodes" | grep -q 'safetensors\|graphml' && fault "models of an earlier run stay"
[ -e "$work/a/nodes/mine" ] || fault "--overwrite removes what no run has written"

# In sweeps a folder a run; a run whose export is lost is trained again.
sweep=("${run[@]}" --sweep /seed=1,2 --out "$work/sweep" --export mean --export nodes)
"$simulate" "${sweep[@]}" >/dev/null 2>&1 || fault "a sweep"
for folder in 1-seed=1 2-seed=2; do
  [ -s "$work/sweep/$folder/mean.safetensors" ] && [ -s "$work/sweep/$folder/nodes/3.safetensors" ] ||
    fault "a sweep: $(ls -R "$work/sweep")"
done
cmp -s "$work/sweep/1-seed=1/mean.safetensors" "$work/sweep/2-seed=2/mean.safetensors" &&
  fault "both seeds give one model"
rm "$work/sweep/1-seed=1/mean.safetensors"
touch -d '1 hour ago' "$work"/sweep/*/nodes/0.safetensors
"$simulate" "${sweep[@]}" --resume >/dev/null 2>&1 || fault "--resume"
[ -s "$work/sweep/1-seed=1/mean.safetensors" ] || fault "--resume: a model that is lost stays so"
[ -z "$(find "$work/sweep/2-seed=2" -name 0.safetensors -mmin -30)" ] || fault "--resume trains again"

none="--out DIR, got none"
expect 2 "--export: expected $none" "${run[@]}" --export mean
expect 2 "--export: expected mean, nodes or graph, got 'all'" "${run[@]}" --out "$work/c" --export all
expect 2 "--export: expected graph of a dry run, which has no models, got mean" \
  "${run[@]}" --out "$work/c" --dry-run --export mean
expect 2 "--export nodes: expected an exchange whose nodes are evaluated, got an exchange whose servers are evaluated" \
  "${run[@]}" --out "$work/c" --export nodes --set /exchange=fed_avg
expect 2 "--start: expected a path, got nothing" "${run[@]}" --start ""
expect 2 "/nowhere.safetensors: expected a file, got no file of this name" \
  "${run[@]}" --start /nowhere.safetensors
expect 2 "$work/b/mean.safetensors: expected the tensors of the model only, got '1.weight' too" \
  "${run[@]}" --set /model=lenet5 --start "$work/b/mean.safetensors"
head -c 3000 "$work/b/mean.safetensors" >"$work/half"
expect 2 "$work/half: '1.bias': expected data_offsets that ascend, up to 2848, got 31360 to 31400" \
  "${run[@]}" --start "$work/half"
[ ! -e "$work/c" ] || fault "a refused run makes its folder"
finish
