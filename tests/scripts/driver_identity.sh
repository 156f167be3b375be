#!/usr/bin/env bash
# The identity of a run: whoever goes on with a sweep, replaces a run or ends one finds what was read,
# and nothing that exists is touched before the new run is known to start.
. "$(dirname "$0")/driver.bash"
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
cd "$work" || exit 1

tiny+=(--set /model=softmax_regression)
late=(--set '/clock/slow=[{"node":77,"factor":3}]')  # refused when the nodes are known
no_node="--set: /clock: slow node 77: expected a node below 4, got 77"

# identity.json: program, files with bytes and digest, machine.
ring() { printf '0 1\n1 2\n2 3\n3 0\n%b' "${1-}" >graph.txt; }
ring
graph=(--quiet --set '/topology={"kind":"edge_list","path":"graph.txt"}' --set /stop/rounds=3 --set /model=softmax_regression
  --set '/evaluate={"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}')
"$simulate" "${graph[@]}" --set '/clock/outages/trace=outages.csv' --out missing >stdout 2>stderr && fault "a trace that is not there"
printf 'node,from_s,until_s\n1,0,0.001\n' >outages.csv
printf 'step,duration_ms\n0,1\n' >times.csv
"$simulate" "${graph[@]}" --set /clock/outages/trace=outages.csv --set '/clock/compute={"kind":"trace","path":"times.csv"}' \
  --out all >stdout 2>stderr || fault "$(cat stderr)"
python3 - all/identity.json graph.txt outages.csv times.csv <<'END' || fault "identity.json: $(cat all/identity.json)"
import json, os, sys
identity = json.load(open(sys.argv[1]))
files = {os.path.basename(f["path"]): f for f in identity["files"]}
for name in sys.argv[2:]:
    assert files[name]["bytes"] == os.path.getsize(name) and len(files[name]["digest"]) == 16, name
assert len([f for f in files if "idx" in f]) >= 2, files  # the digits
assert set(identity["machine"]) == {"processor", "blas", "blas_kernels", "compiler", "flags"}
assert identity["gossip"]
END

# Each file is read once, and hashed on the way: a pipe, which cannot be read a second time, does as
# well as a file, with the same digests.
printf 'node,from_s,until_s,factor\n1,0,0.001,2\n' >speeds.csv
printf 'from,to,latency,bandwidth\n0,1,40ms,1Gbit/s\n' >regions.csv
mkdir samples
for part in images-idx3 labels-idx1; do
  for set in train t10k; do
    cp "$GOSSIP_SOURCE/samples/data/digits/t10k-$part-ubyte.gz" samples/$set-$part-ubyte.gz
  done
done
once=("${graph[@]}" --set '/data={"kind":"mnist","path":"samples"}' --set '/clock/outages/trace=outages.csv'
  --set '/clock/compute={"kind":"trace","path":"times.csv"}' --set /clock/speeds=speeds.csv
  --set '/clock/links={"regions":[{"nodes":2},{"nodes":2}],"matrix":"regions.csv"}')
"$simulate" "${once[@]}" --out files >stdout 2>stderr || fault "$(cat stderr)"
for file in graph.txt outages.csv times.csv speeds.csv regions.csv samples/*; do
  mv "$file" "$file.kept"
  mkfifo "$file"
  timeout 60 cat "$file.kept" >"$file" &
done
timeout 60 "$simulate" "${once[@]}" --out pipes >stdout 2>stderr || fault "a file is read twice: $? $(cat stderr)"
wait
for file in *.kept samples/*.kept; do mv "$file" "${file%.kept}"; done
digests_of() { python3 -c 'import json, sys
print("\n".join(f["path"] + " " + f["digest"] for f in json.load(open(sys.argv[1]))["files"]))' "$1/identity.json"; }
[ "$(digests_of files | wc -l)" -eq 9 ] || fault "files of a run: $(digests_of files)"
[ "$(digests_of files)" = "$(digests_of pipes)" ] || fault "pipes: $(digests_of pipes)"

gzip -k graph.txt
"$simulate" "${graph[@]}" --set /topology/path=graph.txt.gz --out packed >stdout 2>stderr || fault "$(cat stderr)"
digest_of() { python3 -c 'import json, sys
print([f["digest"] for f in json.load(open(sys.argv[1]))["files"] if "graph" in f["path"]][0])' "$1/identity.json"; }
[ "$(digest_of all)" = "$(digest_of packed)" ] || fault "a packed graph has another digest"

# A sweep goes on only with the files, the program and the machine that it began with.
"$simulate" "${graph[@]}" --sweep /seed=1..4 --out sweep >stdout 2>stderr || fault "$(cat stderr)"
rm sweep/3-*/summary.json
cp -r sweep kept
ring '0 2\n'
"$simulate" --resume --out sweep >stdout 2>stderr
[ $? -eq 2 ] || fault "a sweep goes on with another graph: exit status"
grep -qE '^--resume --out sweep: expected graph.txt as it was for 1-seed=1, digest [0-9a-f]{16} of 16 bytes, got digest [0-9a-f]{16} of 20 bytes$' \
  stderr || fault "another graph: $(cat stderr)"
diff -r kept sweep >diff || fault "a refused sweep changes files: $(cat diff)"
rm graph.txt
"$simulate" --resume --out sweep >stdout 2>stderr && fault "a sweep goes on without its graph"
grep -q '^graph.txt: expected a file, got no file of this name$' stderr || fault "no graph: $(cat stderr)"
ring
sed -i 's/"processor": ".*"/"processor": "Zilog Z80"/' sweep/1-*/identity.json
"$simulate" --resume --out sweep >stdout 2>stderr && fault "a sweep goes on elsewhere"
grep -qE '^--resume --out sweep: expected the processor of 1-seed=1, Zilog Z80, or --resume-elsewhere, .*, got .+$' stderr ||
  fault "another processor: $(cat stderr)"
"$simulate" --resume-elsewhere --out sweep >stdout 2>stderr || fault "$(cat stderr)"
grep -q '^Runs that were finished before were made on Zilog Z80, the other runs here: digests of this sweep are not comparable with other digests.$' \
  stdout || fault "it does not say where runs were made: $(cat stdout)"
for part in gossip commit; do
  cp -r kept other
  sed -i 's/"'$part'": ".*"/"'$part'": "elder"/' other/2-*/identity.json
  "$simulate" --resume --out other >stdout 2>stderr && fault "a sweep of another $part goes on"
  grep -qE "^--resume --out other: expected $part .* for all runs, .*, got elder of 2-seed=2$" stderr ||
    fault "another $part: $(cat stderr)"
  rm -r other
done
rm kept/1-*/identity.json
expect 2 "--resume --out kept: expected runs with an identity.json, as this version writes it, got no identity.json in 1-seed=1; --overwrite begins anew" \
  --resume --out kept

# A run that is refused, however late, leaves what was there, and nothing where nothing was.
"$simulate" "${tiny[@]}" --out run --export mean --export nodes --export graph >stdout 2>stderr || fault "$(cat stderr)"
cp -r run before
for refused in '/clock/slow=[{"node":77,"factor":3}]' '/exchange={"kind":"fed_avg","clients":99}' \
  '/data/split={"kind":"limited_labels","labels":11}' '/clock/links/nodes=[{"node":9}]' /topology/nodes=9000 /start=nothing.safetensors; do
  "$simulate" "${tiny[@]}" --set "$refused" --out run --overwrite >stdout 2>stderr && fault "not refused: $refused"
  diff -r before run >diff || fault "$refused with --overwrite changes files: $(cat diff)"
  "$simulate" "${tiny[@]}" --set "$refused" --out new/folder >stdout 2>stderr && fault "not refused: $refused"
  [ ! -e new/folder ] || fault "$refused leaves $(ls new/folder)"
done
expect 2 "$no_node" "${tiny[@]}" "${late[@]}" --out run --overwrite
expect 2 "$no_node" "${tiny[@]}" "${late[@]}" --out run/new
"$simulate" "${tiny[@]}" --set /seed=5 --out run --overwrite >stdout 2>stderr || fault "$(cat stderr)"
grep -q '^overwrites  *an earlier run, which differs in /seed$' stdout || fault "what an overwritten run differs in: $(cat stdout)"
[ "$(ls run | xargs)" = "config.json identity.json metrics.jsonl summary.json" ] || fault "files of the earlier run stay: $(ls run)"
"$simulate" "${tiny[@]}" "${late[@]}" --dry-run --out run >stdout 2>stderr && fault "a dry run that is refused"
[ ! -e run/plan.json ] || fault "a refused dry run leaves plan.json"

# So does a sweep whose runs are all refused; of one that has some, the earlier runs go.
"$simulate" "${tiny[@]}" --sweep /seed=1,2 --out swept >stdout 2>stderr || fault "$(cat stderr)"
cp -r swept before_sweep
"$simulate" "${tiny[@]}" "${late[@]}" --sweep /seed=1,2,3 --out swept --overwrite >stdout 2>stderr && fault "a sweep of refused runs"
diff -r before_sweep swept >diff || fault "a sweep of refused runs changes files: $(cat diff)"
"$simulate" "${tiny[@]}" "${late[@]}" --sweep /seed=1,2,3 --out none >stdout 2>stderr && fault "a sweep of refused runs"
[ ! -e none ] || fault "a sweep of refused runs leaves $(ls none)"
"$simulate" "${tiny[@]}" --sweep /topology/nodes=4,9000 --set /data/split=iid --sweep /batch=1,2 --out swept --overwrite >stdout 2>stderr
[ "$(ls swept | xargs)" = "1-nodes=4,batch=1 2-nodes=4,batch=2 results.csv sweep.json" ] || fault "a new sweep beside the earlier: $(ls swept)"

# A process that is killed while it replaces a run leaves the earlier one aside.
"$simulate" "${tiny[@]}" --set /stop/rounds=100000000 --out run --overwrite >stdout 2>stderr &
killed=$!
for ((waited = 0; waited < 600; ++waited)); do
  [ -s run/earlier.part/summary.json ] && [ -s run/metrics.jsonl ] && break
  sleep 0.05
done
kill -KILL $killed
wait $killed 2>/dev/null
grep -q '"seed": 5' run/earlier.part/config.json || fault "the earlier run is not aside: $(ls run run/earlier.part)"
"$simulate" "${tiny[@]}" "${late[@]}" --out run --overwrite >stdout 2>stderr && fault "not refused"
[ -s run/earlier.part/summary.json ] || [ -s run/summary.json ] || fault "the earlier run is lost"
"$simulate" "${tiny[@]}" --out run --overwrite >stdout 2>stderr || fault "$(cat stderr)"
[ "$(ls run | xargs)" = "config.json identity.json metrics.jsonl summary.json" ] || fault "what was aside stays: $(ls run)"

# Runs and sweeps do not mix in one folder.
left="a folder without an earlier run, or --overwrite"
expect 2 "--out swept: expected $left, got sweep.json, results.csv" "${tiny[@]}" --out swept
expect 2 "--out swept: expected $left, got sweep.json, results.csv" "${tiny[@]}" --dry-run --out swept
expect 2 "--out run: expected $left, got config.json, metrics.jsonl, summary.json" "${tiny[@]}" --sweep /seed=1,2 --out run
"$simulate" "${tiny[@]}" --out swept --overwrite >stdout 2>stderr || fault "$(cat stderr)"
[ "$(ls swept | xargs)" = "config.json identity.json metrics.jsonl summary.json" ] || fault "the sweep stays: $(ls swept)"

# What is given twice, and what no file of JSON could hold.
expect 2 "--out: expected one value, got a second value, 'b'" "${tiny[@]}" --out a --out=b
expect 2 '--set /topology: expected each key once in an object, got "kind" twice' --set '/topology={"kind":"ring","kind":"star"}'
expect 2 '--sweep /topology: expected each key once in an object, got "kind" twice' --sweep '/topology={"kind":"ring","kind":"star"}'
expect 2 "--sweep /seed: expected each field once, got the field twice" --sweep /seed=1 --sweep /seed=2
expect 2 "--set /topology/path: expected text in UTF-8, got bytes that are not UTF-8 from place 2 on" --set $'/topology/path=a\xff'
expect 2 "--start: expected text in UTF-8, got bytes that are not UTF-8 from place 1 on" --start $'\xff'
printf '{"sweep":{"":[{"name":"a\\nb"}]}}' >named.json
expect 2 'named.json: /sweep: : expected names and values on one line, without control characters, got "a\nb"' --config named.json

# A metric that no run measures is refused before the first run.
"$simulate" "${tiny[@]}" --sweep /seed=1,2 --best /seed=acuracy.mean --out metric >stdout 2>stderr && fault "a metric that is none"
grep -qE '^--best /seed=acuracy.mean: expected a number that the runs measure: .*, got acuracy.mean; did you mean accuracy.mean\?$' stderr ||
  fault "a metric: $(cat stderr)"
[ ! -e metric ] || fault "a metric that is none leaves $(ls metric)"
"$simulate" "${tiny[@]}" --set /model=quadratic --sweep /seed=1,2 --best /seed >stdout 2>stderr && fault "quadratics have no accuracy"
python3 - "$simulate" run/metrics.jsonl stderr <<'END' || fault "the names of metrics are not those that are written"
import json, re, subprocess, sys
simulate, metrics, _ = sys.argv[1:]
said = subprocess.run([simulate, "--set", "/model=softmax_regression", "--sweep", "/seed=1,2", "--best", "/seed=x"], capture_output=True, text=True).stderr
named = set(re.search("measure: (.*), got x", said).group(1).split(", "))
written = set()
def flatten(record, prefix=""):
    for name, value in record.items():
        if isinstance(value, dict): flatten(value, prefix + name + ".")
        else: written.add(prefix + name)
for line in open(metrics): flatten(json.loads(line))
sys.exit(f"{named ^ written}" if named != written else 0)
END

# A configuration on a pipe is read once.
"$simulate" --config <(printf '{"model":"softmax_regression","stop":{"rounds":3}}') --quiet >stdout 2>stderr || fault "a pipe: $(cat stderr)"
"$simulate" --config <(printf '{"model":"softmax_regression","stop":{"rounds":3},"sweep":{"/seed":[1,2]}}') --quiet >stdout 2>stderr ||
  fault "a sweep on a pipe: $(cat stderr)"

# Every end of a run is in its summary.
ended() { python3 -c 'import json, sys
print(json.load(open(sys.argv[1] + "/summary.json"))["ended"])' "$1"; }
[ "$(ended run)" = "done" ] || fault "a run that is done: $(ended run)"
"$simulate" --quiet --set /model=quadratic --set /optimizer='{"kind":"sgd","rate":1000,"schedule":"constant"}' --set /stop/rounds=2000 \
  --out diverged >stdout 2>stderr
[ $? -eq 1 ] || fault "a run that diverges: exit status; $(cat stderr)"
[ "$(ended diverged)" = diverged ] || fault "a run that diverges: $(ended diverged)"
python3 - diverged/summary.json "$(cat stderr)" <<'END' || fault "the summary of a run that diverges: $(cat diverged/summary.json)"
import json, sys
summary = json.load(open(sys.argv[1]))
assert summary["sentence"] == sys.argv[2] and summary["digest"] is None and not summary["interrupted"]
assert summary["nodes"] == 64 and summary["graph"]["nodes"] == 64
END
finish
