#!/usr/bin/env bash
# The folder of a run: complete, repeatable, and refused in a sentence where it cannot be written.
. "$(dirname "$0")/driver.bash"

# A configuration that is fed back repeats the run.
first=$(digest "${tiny[@]}" --out "$work/a/b" --set /model=mlp --set /exchange=d_psgd \
  --set /optimizer=adamw --set /seed=7 --set /data/split='{"kind":"dirichlet"}' \
  --set '/clock/kinds=[{"share":0.5,"factor":2},{"nodes":[1],"compute":"gamma"}]' \
  --set '/clock/slow=[{"node":0,"factor":3,"from":"5ms"}]')
[ ${#first} -eq 16 ] || fault "no digest: $(cat "$work/stderr")"
second=$(digest --quiet --config "$work/a/b/config.json" --out "$work/c")
[ "$first" = "$second" ] || fault "config.json gives $second, not $first"
cmp "$work/a/b/config.json" "$work/c/config.json" || fault "config.json changes when fed back"
ls "$work/c" | tr '\n' ' ' | grep -qx 'config.json identity.json metrics.jsonl summary.json ' ||
  fault "the folder holds $(ls "$work/c")"

# Everything that the files must hold.
for key in gossip digest nodes parameters ranks threads node_iterations wall_seconds \
  node_iterations_per_second virtual_seconds bytes_sent state_bytes_per_node peak_resident_bytes \
  mean_cohort remarks loss accuracy averaged_model_accuracy consensus_distance graph edges components \
  spectral_gap spectral_gap_converged seed exchange backend numbers processor device compiler flags \
  commit blas blas_kernels library; do
  grep -q "\"$key\":" "$work/c/summary.json" || fault "summary.json lacks $key"
done
tr -d ' \n' <"$work/c/summary.json" >"$work/line"
for text in '"seed":7,' '"exchange":{"kind":"d_psgd","order":"combine_then_adapt","point":"own","barrier":"neighbors","weights":"metropolis_hastings"}' \
  '"backend":"cpu"' '"numbers":"float"' '-ffp-contract=off'; do
  grep -qF -- "$text" "$work/line" || fault "summary.json lacks $text: $(cat "$work/line")"
done
# The commit is that of this tree, or none where this is no checkout.
commit=$(git -C "$GOSSIP_SOURCE" rev-parse HEAD 2>/dev/null | cut -c 1-12)
top=$(git -C "$GOSSIP_SOURCE" rev-parse --show-toplevel 2>/dev/null)
[ "$top" != "$GOSSIP_SOURCE" ] || grep -qF "\"commit\":\"$commit" "$work/line" ||
  fault "summary.json does not name the commit $commit; is the driver built since?"
"$simulate" "${tiny[@]}" --config "$work/a/b/config.json" >"$work/stdout" || fault "a run that prints"
for name in exchange seed processor backend compiler BLAS gossip digest; do
  grep -q "^$name  *[^ ]" "$work/stdout" || fault "the report lacks $name"
done
grep -q "\"digest\": \"$first\"" "$work/c/summary.json" || fault "another digest in summary.json"
for key in round epoch virtual_seconds wall_seconds loss accuracy averaged_model_accuracy \
  consensus_distance bytes_sent; do
  grep -q "\"$key\":" "$work/c/metrics.jsonl" || fault "metrics.jsonl lacks $key"
done
lines() { "$simulate" "${tiny[@]}" --set /model=mlp --out "$work/c" --overwrite --set /evaluate/every="$1" >/dev/null &&
  wc -l <"$work/c/metrics.jsonl"; }
[ "$(lines '{"rounds":1}')" -eq 4 ] || fault "not a line at the start and a round"
grep -q '^{"round":0,.*"loss":null,.*"accuracy"' "$work/c/metrics.jsonl" || fault "no line of the start"

# Files of an earlier run are overwritten only where that is meant.
cp -r "$work/c" "$work/kept"
left="a folder without an earlier run, or --overwrite"
expect 2 "--out $work/c: expected $left, got config.json, metrics.jsonl, summary.json" \
  "${tiny[@]}" --out "$work/c"
diff -r "$work/kept" "$work/c" >"$work/diff" || fault "a refused run changes files: $(cat "$work/diff")"
for name in config.json metrics.jsonl summary.json; do
  mkdir -p "$work/with.$name" && touch "$work/with.$name/$name"
  expect 2 "--out $work/with.$name: expected $left, got $name" "${tiny[@]}" --out "$work/with.$name"
done
expect 2 "--overwrite: expected --out DIR, got none" "${tiny[@]}" --overwrite

# Two runs into one folder: one has it, the other is refused, and the files are those of one run.
mkdir -p "$work/shared"
exec 9<"$work/shared"
flock 9
expect 2 "--out $work/shared: expected a folder that no other run is writing, got a folder that a run is writing" \
  "${tiny[@]}" --set /model=mlp --out "$work/shared" --overwrite
[ -z "$(ls "$work/shared")" ] || fault "a refused run leaves $(ls "$work/shared")"
exec 9<&-
"$simulate" --quiet "${tiny[@]}" --set /model=mlp --out "$work/shared" >"$work/stdout" || fault "a folder that was given back"

# A dry run writes what it prints, and leaves the place for the run itself.
"$simulate" --dry-run --ranks 2 --set /topology/nodes=10000 --set /stop='{"rounds":2}' \
  --out "$work/plan" >"$work/stdout" 2>"$work/stderr" || fault "a dry run: $(cat "$work/stderr")"
[ "$(ls "$work/plan")" = plan.json ] || fault "a dry run's folder holds $(ls "$work/plan")"
grep -qx "files         $work/plan/plan.json" "$work/stdout" || fault "a dry run does not say plan.json"
# printed <name> <field>...: the number after this name is that of the file, to four digits.
printed() {
  local name=$1
  shift
  python3 - "$work/plan/plan.json" "$work/stdout" "$name" "$@" <<'END' || fault "plan.json: $name, $*"
import json, sys
file, text, name, *path = sys.argv[1:]
value = json.load(open(file))
for key in path:
    value = value[key]
line = next(line for line in open(text) if line.startswith(name + " "))
word = line[len(name):].split()[0]
sys.exit(f"{word} is printed, {value} in the file" if word.rstrip(",") != f"{value:.4g}" and
         word.rstrip(",") != str(value) else 0)
END
}
printed nodes nodes
printed nodes graph nodes
printed edges graph edges
printed components graph components
printed degree graph degree min
grep -qx 'spectral gap  none without a matrix of weights' "$work/stdout" || fault "a gap of AD-PSGD is printed"
grep -q '"spectral_gap": null' "$work/plan/plan.json" || fault "plan.json has a gap of AD-PSGD"
grep -q '"remarks": \[\]' "$work/plan/plan.json" || fault "plan.json has remarks on AD-PSGD"
printed node-iterations node_iterations
printed "virtual seconds" virtual_seconds
printed "bytes sent" bytes_sent
printed "mean cohort" mean_cohort
printed "time in training" time_in_training mean
printed ranks ranks
printed "nodes of a rank" division largest
printed "edges between ranks" division cut_edges
printed "halo of a rank, nodes" division most_halo
for key in gossip parameters epochs memory total rows working data plan state_bytes_per_node balance \
  bytes_a_rank_a_round planning_seconds planned_per_second spectral_gap_converged config topology; do
  grep -q "\"$key\":" "$work/plan/plan.json" || fault "plan.json lacks $key"
done
grep -q '"refused": "digits has 8000 samples for 10000 nodes"' "$work/plan/plan.json" ||
  fault "plan.json does not say that the run would be refused"
expect 2 "--out $work/plan: expected $left, got plan.json" --dry-run --out "$work/plan"
"$simulate" "${tiny[@]}" --dry-run --out "$work/plan" --overwrite --trace 3 >"$work/stdout" || fault "--overwrite"
grep -qx "files         $work/plan/plan.json, trace.json" "$work/stdout" || fault "a dry run does not say trace.json"
[ "$(ls "$work/plan" | xargs)" = "plan.json trace.json" ] || fault "a trace's folder holds $(ls "$work/plan")"
"$simulate" "${tiny[@]}" --dry-run --out "$work/plan" --overwrite >/dev/null || fault "--overwrite"
[ "$(ls "$work/plan")" = plan.json ] || fault "the trace of an earlier plan stays"
expect 2 '--trace: expected --dry-run and --out DIR, got a run' --trace 3
expect 2 '--trace: expected --dry-run and --out DIR, got no --out' --dry-run --trace 3
expect 2 "--trace: expected a number from 1 to 1000000, got '0'" --dry-run --out "$work/plan" --trace 0
grep -q '"refused": null' "$work/plan/plan.json" || fault "--overwrite leaves the earlier plan"
"$simulate" "${tiny[@]}" --set /model=mlp --out "$work/plan" >/dev/null 2>"$work/stderr" ||
  fault "a run where its dry run wrote: $(cat "$work/stderr")"

# Folders that cannot be written.
touch "$work/file"
expect 2 "$work/file: cannot be written: Not a directory" --out "$work/file"
expect 2 "$work/file/x: cannot be written: Not a directory" --out "$work/file/x"
expect 2 "$work/file/x: cannot be written: Not a directory" --dry-run --out "$work/file/x"
if [ "$(id -u)" -ne 0 ]; then
  mkdir "$work/closed" && chmod a-w "$work/closed"
  expect 2 "$work/closed/identity.json: cannot be written: Permission denied" --out "$work/closed"
fi

# A full disk: at the start, and later.
disk=$work/disk
mkdir "$disk"
if mount -t tmpfs -o size=128k none "$disk" 2>/dev/null; then
  trap 'umount "$disk"' EXIT
  dd if=/dev/zero of="$disk/filler" bs=1k count=128 2>/dev/null
  expect 1 "$disk/identity.json: cannot be written: No space left on device" --out "$disk"
  rm "$disk/filler"
  "$simulate" "${tiny[@]}" --set /model='{"kind":"quadratic"}' --out "$disk" \
    --set /stop='{"rounds":2000}' --set /evaluate/every='{"rounds":1}' >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 1 ] || fault "a disk that fills during a run: exit status"
  [ "$(cat "$work/stderr")" = "$disk/metrics.jsonl: cannot be written: No space left on device" ] ||
    fault "a disk that fills during a run: $(cat "$work/stderr")"
  grep -q '"ended": "out of disk"' "$disk/summary.json" && grep -q '"sentence": ".*No space left' "$disk/summary.json" ||
    fault "a disk that fills during a run: $(cat "$disk/summary.json")"
  rm -r "${disk:?}"/*
  # Models that find no room cost neither the summary nor the report.
  "$simulate" "${tiny[@]}" --set /model=mlp --out "$disk" --overwrite --export mean --export nodes >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 1 ] || fault "models that find no room: exit status"
  grep -qE "^$disk/.*safetensors: cannot be written: No space left on device$" "$work/stderr" || fault "models: $(cat "$work/stderr")"
  grep -qE '^digest  *[0-9a-f]{16}$' "$work/stdout" || fault "models that find no room cost the report: $(cat "$work/stdout")"
  grep -qE '"digest": "[0-9a-f]{16}"' "$disk/summary.json" || fault "models that find no room cost the summary"
else
  echo "a full disk was not tried: no tmpfs can be mounted here"
fi
"$simulate" --list >/dev/full 2>"$work/stderr"
[ $? -eq 1 ] || fault "a full standard output: exit status"
[ "$(cat "$work/stderr")" = "standard output: cannot be written" ] ||
  fault "a full standard output: $(cat "$work/stderr")"
finish
