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

# A limit of memory: each rank has a file, and the summary the bytes of all. 64 LeNet-5: rows of 221 MB.
for exchange in d_psgd ad_psgd; do
  run=(--quiet --set /stop='{"rounds":2}' --set /batch=4 --set /exchange=$exchange
    --set /evaluate='{"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}')
  expected=$(digest "${run[@]}")
  spread 3 "${run[@]}" --memory 130MB --scratch "$work" --out "$work/$exchange.tier" \
    >"$work/stdout" 2>"$work/stderr" || fault "$exchange, 130 MB: $(cat "$work/stderr")"
  python3 - "$work/$exchange.tier/summary.json" "$expected" <<'END' || fault "$exchange, 130 MB: summary.json"
import json, sys
run = json.load(open(sys.argv[1]))
assert run["digest"] == sys.argv[2], (run["digest"], sys.argv[2])
tier = run["rows_on_disk"]
assert tier["frames"] < 21 and tier["bytes"] > 221e6 and tier["read_bytes"] > tier["bytes"] // 2, tier
assert run["peak_resident_bytes"] < 230e6, run["peak_resident_bytes"]
END
done

# More ranks than nodes.
run=("${quick[@]}" --set /topology='{"kind":"ring","nodes":3}')
expected=$(digest "${run[@]}")
[ "$(spread 5 "${run[@]}" 2>/dev/null | awk '$1 == "digest" {print $2}')" = "$expected" ] ||
  fault "3 nodes on 5 ranks"

# Rank 0 alone reads the configuration and the graph: the others need not have the files.
mkdir "$work/first" "$work/other"
printf '0 1\n1 2\n2 3\n3 0\n0 2\n' >"$work/first/graph.txt"
echo '{"topology":{"kind":"edge_list","path":"graph.txt"}}' >"$work/first/here.json"
here=("${quick[@]}" --config here.json)
expected=$(cd "$work/first" && digest "${here[@]}")
[ ${#expected} -eq 16 ] || fault "an edge list: no digest: $(cat "$work/stderr")"
# in_folders <folder of rank 0> <folder of ranks 1 and 2> <argument>...
in_folders() {
  local first=$1 others=$2
  shift 2
  timeout 120 mpirun -n 1 -wdir "$first" "$simulate" "$@" : -n 2 -wdir "$others" "$simulate" "$@" 2>"$work/stderr"
}
found=$(in_folders "$work/first" "$work/other" "${here[@]}" | awk '$1 == "digest" {print $2}')
[ "$found" = "$expected" ] || fault "files on rank 0 alone: $(cat "$work/stderr")"
in_folders "$work/other" "$work/first" "${here[@]}" >"$work/stdout"
said=$(grep -c "here.json: cannot be read: No such file or directory" "$work/stderr")
[ "$said" -eq 1 ] || fault "a configuration that rank 0 lacks: said $said times"

# Files that each rank reads have the same content, by name and rank.
python3 - "$work" <<'END' || fault "no data of this test"
import struct, sys, zipfile
def npy(shape, kind, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * ((-len(header) - 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values
for folder, shift in ("first", 0), ("other", 1):
    with zipfile.ZipFile(f"{sys.argv[1]}/{folder}/set.npz", "w") as file:
        for part in "train", "test":
            x = b"".join(struct.pack("<f", (k * 7 % 11) / 5 + shift) for k in range(40 * 784))
            file.writestr(f"x_{part}.npy", npy("(40, 784)", "<f4", x))
            file.writestr(f"y_{part}.npy", npy("(40,)", "|u1", bytes(k % 10 for k in range(40))))
END
printf 'step,duration_ms\n0,1\n' >"$work/first/times.csv"
printf 'step,duration_ms\n0,2\n' >"$work/other/times.csv"
printf 'node,from_s,until_s\n1,0,0.001\n' >"$work/first/down.csv"
printf 'node,from_s,until_s\n1,0,0.002\n' >"$work/other/down.csv"
for field in '/data={"kind":"numpy","path":"set.npz"}' '/clock/compute={"kind":"trace","path":"times.csv"}' \
  '/clock/outages/trace="down.csv"'; do
  in_folders "$work/first" "$work/first" "${quick[@]}" --set "$field" >"$work/stdout" || fault "$field: $(cat "$work/stderr")"
  in_folders "$work/first" "$work/other" "${quick[@]}" --set "$field" --out "$work/differ" >"$work/stdout" && fault "$field differs by rank"
  grep -qE 'rank 1|on rank 1' "$work/stderr" && grep -qE 'set.npz|times.csv|down.csv' "$work/stderr" ||
    fault "$field differs by rank: $(cat "$work/stderr")"
  [ ! -e "$work/differ" ] || fault "$field differs by rank: a folder is made"
done

# Arguments are compared before any of them is acted upon.
# differ <sentence> <arguments of rank 0> <those of ranks 1 and 2>
differ() {
  timeout 60 mpirun -n 1 "$simulate" $2 : -n 2 "$simulate" $3 >"$work/stdout" 2>"$work/stderr"
  status=$?
  [ $status -eq 2 ] || fault "rank 0 '$2', others '$3': exit status $status, $(cat "$work/stderr")"
  [ "$(grep -cxF -- "$1" "$work/stderr")" -eq 1 ] || fault "rank 0 '$2', others '$3': $(cat "$work/stderr")"
}
differ "rank 1: argument 1: expected '--list', as on rank 0, got '--quiet'" --list --quiet
differ "rank 1: argument 2: expected '--dry-run', as on rank 0, got no further argument" "--quiet --dry-run" --quiet
differ "rank 1: argument 1: expected no further argument, as on rank 0, got '--out'" "" "--out $work/none"
[ ! -e "$work/none" ] || fault "a refused run makes a folder"

# Ranks whose BLAS has other kernels, as on processors of two kinds, have other bits.
if "$simulate" "${run[@]}" --quiet | grep -q '^BLAS .*OpenBLAS'; then
  timeout 60 mpirun -n 1 -x OPENBLAS_CORETYPE=Haswell "$simulate" "${run[@]}" --out "$work/none" : \
    -n 1 -x OPENBLAS_CORETYPE=Nehalem "$simulate" "${run[@]}" --out "$work/none" >"$work/stdout" 2>"$work/stderr" &&
    fault "ranks with other kernels of BLAS run together"
  grep -q "got kernels of BLAS (OPENBLAS_CORETYPE sets them) Nehalem on rank 1 and Haswell on rank 0" "$work/stderr" ||
    fault "ranks with other kernels of BLAS: $(cat "$work/stderr")"
  [ ! -e "$work/none" ] || fault "ranks with other kernels of BLAS make a folder"
fi

# A dry run says what ranks hold, whether they are there or not.
plan=("${run[@]}" --dry-run --set /topology/nodes=64)
spread 2 "${plan[@]}" 2>/dev/null | grep -vE '^planned per second' >"$work/there"
"$simulate" "${plan[@]}" --ranks 2 | grep -vE '^planned per second' >"$work/as_if"
diff "$work/there" "$work/as_if" >"$work/diff" || fault "dry run: $(cat "$work/diff")"
grep -qE '^parts +2 of 32 to 32 nodes' "$work/there" || fault "dry run: no parts"
finish
