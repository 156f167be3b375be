# Common parts of the tests of gossip-simulate under mpirun; sourced, not a test.
. "$(dirname "$0")/driver.bash"

if ! command -v mpirun >/dev/null; then
  echo "skipped: mpirun is not installed"
  exit 77
elif ! ldd "$simulate" | grep -q libmpi; then
  echo "skipped: gossip-simulate is built without MPI"
  exit 77
fi
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

# spread <ranks> <argument>...: the driver on so many ranks.
spread() {
  local ranks=$1
  shift
  mpirun -n "$ranks" "$simulate" "$@"
}

# A run whose model takes no time.
quick=("${tiny[@]}" --set /model=softmax_regression)

# numbers <folder>: what a run's files hold beside times.
numbers() {
  sed -E 's/"wall_seconds":[^,]*,//' "$1/metrics.jsonl"
  sed '/^  "traffic": {/,/^  }/d' "$1/summary.json" | grep -E '"(digest|nodes|node_iterations|virtual_seconds|bytes_sent|mean_cohort|loss|test_loss|averaged_model_accuracy|consensus_distance|statistics_distance|mean|min|max|std|edges|components|spectral_gap)"'
}
