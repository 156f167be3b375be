#!/usr/bin/env bash
# Seeds of their own for graph and split: the same over seeds of the run, and the run's where they
# are left out; on ranks too.
. "$(dirname "$0")/driver.bash"
run=("${tiny[@]}" --set /model=softmax_regression --set /data/split/kind=dirichlet
  --set /topology='{"kind":"erdos_renyi","nodes":12,"probability":0.4}' --set /exchange=d_psgd)

# A seed that equals that of the run changes nothing.
plain=$(digest "${run[@]}" --set /seed=5)
[ ${#plain} -eq 16 ] || fault "no digest: $(cat "$work/stderr")"
for set in /topology/seed=5 /topology/seed=null /data/split/seed=5 /data/split/seed=null; do
  [ "$(digest "${run[@]}" --set /seed=5 --set $set)" = "$plain" ] || fault "$set moves the digest"
done
for set in /topology/seed=6 /data/split/seed=6; do
  [ "$(digest "${run[@]}" --set /seed=5 --set $set)" != "$plain" ] || fault "$set changes nothing"
done

# network <seed> <setting>...: what a dry run says of the graph.
network() {
  local seed=$1
  shift
  "$simulate" "${run[@]}" --dry-run --set /seed="$seed" "$@" | grep -E '^(edges|degree|spectral gap) '
}
[ "$(network 1 --set /topology/seed=9)" = "$(network 2 --set /topology/seed=9)" ] ||
  fault "the graph follows the seed of the run"
[ "$(network 1)" != "$(network 2)" ] || fault "two seeds have one graph"

# The complete configuration has them, and repeats the run; the report names them.
own=(--set /topology/seed=9 --set /data/split/seed=8)
first=$(digest "${run[@]}" "${own[@]}" --out "$work/a")
[ "$(digest --quiet --config "$work/a/config.json" --out "$work/b")" = "$first" ] ||
  fault "config.json does not repeat the run"
cmp "$work/a/config.json" "$work/b/config.json" || fault "config.json changes when fed back"
grep -q '"topology_seed": 9,' "$work/a/summary.json" || fault "summary.json lacks topology_seed"
grep -q '"split_seed": 8,' "$work/a/summary.json" || fault "summary.json lacks split_seed"
grep -q '"seed": 9' "$work/a/config.json" || fault "config.json lacks /topology/seed"

if command -v mpirun >/dev/null && ldd "$simulate" | grep -q libmpi; then
  export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  spread=$(mpirun -n 3 "$simulate" "${run[@]}" "${own[@]}" 2>"$work/stderr" |
    awk '$1 == "digest" {print $2}')
  [ "$spread" = "$first" ] || fault "three ranks: $spread, not $first: $(cat "$work/stderr")"
fi
finish
