#!/usr/bin/env bash
# bench_policy measures a policy of each category by name, and refuses what it does not know in a
# sentence.
set -u
. "$(dirname "$0")/checks.bash"

if [ ! -x "$GOSSIP_BIN/bench_policy" ]; then
  echo "skipped: the benchmarks are not built"
  exit 77
fi

# measured <category> <figure> <argument>...: names the policy, and has the figure as a number.
measured() {
  local category=$1 figure=$2 said
  shift 2
  said=$("$GOSSIP_BIN/bench_policy" "$@" --quick 2>&1) || fault "$*: $said"
  head -n 1 <<<"$said" | grep -q "^$category {\"kind\":\"$1\"" || fault "$*: $said"
  grep -qE "^$figure +-?[0-9.]+(e[+-]0[0-9])? " <<<"$said" || fault "$*: no figure $figure in: $said"
}
refused() {
  local sentence=$1 said status=0
  shift
  said=$("$GOSSIP_BIN/bench_policy" "$@" 2>&1) || status=$?
  [ $status -eq 2 ] && grep -qF -- "$sentence" <<<"$said" || fault "$*: status $status, $said"
}

measured exchange round clipped_gossip radius=0.5 nodes=4 degree=2
measured exchange planning ad_psgd nodes=4 degree=2
measured exchange rate d_psgd nodes=4 degree=2
measured exchange rate fed_avg local_steps=20 nodes=4 degree=2
measured optimizer round.sgd adam nodes=4 degree=2
measured codec encode.rate top_k share=0.1
measured codec encode.rate bf16
for codec in int8 sign qsgd random_k chunked_top_k cosine_top_k; do
  measured codec encode.rate $codec
done
measured weights weights max_degree nodes=100
measured topology edges torus rows=3 columns=4
measured split smallest dirichlet alpha=0.5 nodes=5 samples=1000
refused 'did you mean d_psgd?' d_psgdd
refused '/codec/share: expected a number above 0 and at most 1, got 2' top_k share=2
refused '/topology/nodes: expected a whole number' ring nodes=-1
refused 'nodes: expected a whole number, got "x"' iid nodes=x
refused 'one name, then arguments member=value' iid shards
finish
