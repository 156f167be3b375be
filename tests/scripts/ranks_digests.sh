#!/usr/bin/env bash
# On every number of ranks a run writes the numbers of one process; for every exchange.
. "$(dirname "$0")/ranks.bash"

for exchange in none all_reduce d_psgd ad_psgd; do
  run=("${quick[@]}" --set /topology='{"kind":"random_regular","nodes":17,"degree":4}'
    --set /evaluate/every='{"rounds":1}' --set /exchange=$exchange)
  "$simulate" "${run[@]}" --out "$work/$exchange.1" >/dev/null || fault "$exchange: one process"
  grep -q '"ranks": 1,' "$work/$exchange.1/summary.json" || fault "$exchange: ranks of one process"
  for ranks in 2 3 5; do
    out=$work/$exchange.$ranks
    spread $ranks "${run[@]}" --out "$out" >"$work/stdout" 2>"$work/stderr" ||
      fault "$exchange on $ranks ranks: $(cat "$work/stderr")"
    diff <(numbers "$work/$exchange.1") <(numbers "$out") >"$work/diff" ||
      fault "$exchange on $ranks ranks: $(head -n 4 "$work/diff")"
    [ "$(wc -l <"$out/metrics.jsonl")" -eq 4 ] || fault "$exchange on $ranks ranks: not 4 lines"
    [ "$(grep -c '^digest' "$work/stdout")" -eq 1 ] || fault "$exchange: not one rank speaks"
    grep -q "\"ranks\": $ranks," "$out/summary.json" || fault "$exchange: ranks in summary.json"
    said=$(grep -v '^OpenBLAS takes this processor' "$work/stderr")  # which depends on where it runs
    [ -z "$said" ] || fault "$exchange: on standard error: $said"
  done
done

# Networks that change: rank 0 alone builds the graphs of rounds and their weights.
printf '0 0 1\n0 1 2\n0 2 3\n1 3 4\n1 4 0\n2 1 3\n' >"$work/contacts"
for topology in '{"kind":"one_peer_exponential","nodes":11}' '{"kind":"base_graph","nodes":11}' \
  '{"kind":"equi_dynamic","nodes":11}' '{"kind":"group_grid","nodes":11,"side":3,"passes":2}' \
  "{\"kind\":\"edge_schedule\",\"path\":\"$work/contacts\",\"repeats\":true}"; do
  run=("${quick[@]}" --set /topology="$topology" --set /exchange=d_psgd)
  case $topology in *one_peer*) run+=(--set /exchange/weights=uniform_neighbor) ;; esac
  expected=$(digest "${run[@]}")
  [ ${#expected} -eq 16 ] || fault "$topology: no digest: $(cat "$work/stderr")"
  [ "$(spread 3 "${run[@]}" 2>/dev/null | awk '$1 == "digest" {print $2}')" = "$expected" ] ||
    fault "$topology on 3 ranks"
done

# Every rank times messages that share links, and finds the same.
for exchange in d_psgd ad_psgd; do
  run=("${quick[@]}" --config "$GOSSIP_SOURCE/samples/clusters/two_data_centers.json"
    --set /topology='{"kind":"random_regular","nodes":32,"degree":4}' --set /exchange=$exchange)
  expected=$(digest "${run[@]}")
  [ ${#expected} -eq 16 ] || fault "two data centres: no digest: $(cat "$work/stderr")"
  [ "$(spread 3 "${run[@]}" 2>/dev/null | awk '$1 == "digest" {print $2}')" = "$expected" ] ||
    fault "two data centres: $exchange on 3 ranks"
done

# More ranks than nodes.
run=("${quick[@]}" --set /topology='{"kind":"ring","nodes":3}')
expected=$(digest "${run[@]}")
[ "$(spread 5 "${run[@]}" 2>/dev/null | awk '$1 == "digest" {print $2}')" = "$expected" ] ||
  fault "3 nodes on 5 ranks"

# Rank 0 alone reads the configuration and the graph: the others need not have the files.
printf '0 1\n1 2\n2 3\n3 0\n0 2\n' >"$work/graph.txt"
echo "{\"topology\":{\"kind\":\"edge_list\",\"path\":\"$work/graph.txt\"}}" >"$work/here.json"
here=("${quick[@]}" --config "$work/here.json") elsewhere=(--config "$work/nowhere.json")
expected=$(digest "${here[@]}")
[ ${#expected} -eq 16 ] || fault "an edge list: no digest: $(cat "$work/stderr")"
found=$(timeout 120 mpirun -n 1 "$simulate" "${here[@]}" : -n 2 "$simulate" "${elsewhere[@]}" \
  2>"$work/stderr" | awk '$1 == "digest" {print $2}')
[ "$found" = "$expected" ] || fault "files on rank 0 alone: $(cat "$work/stderr")"
said=$(timeout 120 mpirun -n 1 "$simulate" "${elsewhere[@]}" : -n 2 "$simulate" "${here[@]}" \
  2>&1 >"$work/stdout" | grep -c "nowhere.json: cannot be read: No such file or directory")
[ "$said" -eq 1 ] || fault "a configuration that rank 0 lacks: said $said times"

# A dry run says what ranks hold, whether they are there or not.
plan=("${run[@]}" --dry-run --set /topology/nodes=64)
spread 2 "${plan[@]}" 2>/dev/null | grep -vE '^planned per second' >"$work/there"
"$simulate" "${plan[@]}" --ranks 2 | grep -vE '^planned per second' >"$work/as_if"
diff "$work/there" "$work/as_if" >"$work/diff" || fault "dry run: $(cat "$work/diff")"
grep -qE '^parts +2 of 32 to 32 nodes' "$work/there" || fault "dry run: no parts"
finish
