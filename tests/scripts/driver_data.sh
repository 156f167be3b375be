#!/usr/bin/env bash
# Data sets of files that Python, spreadsheets and LEAF write: the same samples in every form give the
# same run; faults are sentences that name the file.
. "$(dirname "$0")/driver.bash"
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

# 300 + 50 samples of 28 x 28 whose bytes are multiples of 51, so that floats hold them exactly.
python3 - "$work" <<'END' || fault "the samples could not be written"
import json, random, struct, sys, zipfile
folder = sys.argv[1]
random.seed(7)
def made(n):
    return [bytes(51 * random.randrange(6) for _ in range(784)) for _ in range(n)], [k % 10 for k in range(n)]
def npy(descr, shape, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    header += ' ' * (63 - (10 + len(header)) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + data
sets = {'train': made(300), 'test': made(50)}
with zipfile.ZipFile(folder + '/set.npz', 'w', zipfile.ZIP_DEFLATED) as out:
    for part, (x, y) in sets.items():
        out.writestr('x_%s.npy' % part, npy('|u1', (len(x), 28, 28), b''.join(x)))
        out.writestr('y_%s.npy' % part, npy('<i8', (len(y),), struct.pack('<%dq' % len(y), *y)))
import os
for part, (x, y) in sets.items():
    with open(folder + '/%s.csv' % part, 'w') as out:
        out.write(','.join('p%d' % k for k in range(784)) + ',label\n')
        for image, label in zip(x, y):
            out.write(','.join(str(float(b) / 255) for b in image) + ',%d\n' % label)
    os.makedirs(folder + '/leaf/' + part, exist_ok=True)
    users = {}
    for k, (image, label) in enumerate(zip(x, y)):
        user = users.setdefault('f%02d' % (k // 10 % 30), {'x': [], 'y': []})
        user['x'].append([float(b) / 255 for b in image])
        user['y'].append(label)
    with open(folder + '/leaf/%s/all.json' % part, 'w') as out:
        json.dump({'users': list(users), 'num_samples': [len(u['y']) for u in users.values()],
                   'user_data': users}, out)
END

printf '1,2,3,0\n4,5,6,1\n' >"$work/few.csv"
run=(--set /topology='{"kind":"ring","nodes":5}' --set /model=softmax_regression --set /batch=10
  --set /stop='{"rounds":6}' --set /evaluate/every='{"rounds":6}' --quiet)
csv=(--set /data='{"kind":"csv","path":"'"$work/train.csv"'","test_path":"'"$work/test.csv"'"}')
leaf=(--set /data='{"kind":"leaf","path":"'"$work/leaf"'"}')
npz=(--set /data='{"kind":"numpy","path":"'"$work/set.npz"'"}')
expected=$(digest "${run[@]}" "${csv[@]}" --out "$work/csv")
[ ${#expected} -eq 16 ] || fault "csv: no digest: $(cat "$work/stderr")"
[ "$(digest "${run[@]}" "${leaf[@]}" --out "$work/leaf.run")" = "$expected" ] ||
  fault "leaf: another run: $(cat "$work/stderr")"
cmp -s <(grep -o '"accuracy[^,]*' "$work/csv/metrics.jsonl") \
  <(grep -o '"accuracy[^,]*' "$work/leaf.run/metrics.jsonl") || fault "leaf: other accuracies"
# Labels of some nodes flipped by the driver: of all of them it is a file with other labels.
awk -F, -v OFS=, 'NR > 1 { $NF = 9 - $NF } 1' "$work/train.csv" >"$work/flipped.csv"
flipped=$(digest "${run[@]}" "${csv[@]}" --set /data/path="$work/flipped.csv")
[ ${#flipped} -eq 16 ] || fault "flipped.csv: no digest: $(cat "$work/stderr")"
[ "$(digest "${run[@]}" "${csv[@]}" --set /data/flipped_nodes=5)" = "$flipped" ] ||
  fault "flipped_nodes of all nodes is not flipped.csv: $(cat "$work/stderr")"
two=$(digest "${run[@]}" "${csv[@]}" --set /data/flipped_nodes=2)
[ ${#two} -eq 16 ] && [ "$two" != "$expected" ] && [ "$two" != "$flipped" ] ||
  fault "flipped_nodes=2: '$two' beside $expected and $flipped: $(cat "$work/stderr")"
"$simulate" "${run[@]}" "${csv[@]}" --set /data/split='{"kind":"node_dirichlet","replacement":true}' \
  --set /data/flipped_nodes=2 >/dev/null 2>"$work/stderr" && fault "a sample of an attacker and of others is taken"
grep -qE 'expected a split that gives each sample to one node, got sample [0-9]+ of an attacker and of node [0-9]+$' \
  "$work/stderr" || fault "a sample of an attacker and of others: $(cat "$work/stderr")"
population=$(digest "${run[@]}" "${csv[@]}" --set /exchange='{"kind":"fed_avg","population":20}' --set /data/flipped_nodes=6)
[ ${#population} -eq 16 ] || fault "flipped_nodes of a population: $(cat "$work/stderr")"
mapfile -t swept < <("$simulate" "${run[@]}" "${csv[@]}" --sweep /data/flipped_nodes=0,2,5 --out "$work/swept" >/dev/null 2>"$work/stderr"
  python3 -c 'import glob, json, sys
for f in sorted(glob.glob(sys.argv[1] + "/*/summary.json")): print(json.load(open(f))["digest"])' "$work/swept")
[ "${swept[*]}" = "$expected $two $flipped" ] || fault "swept flips: ${swept[*]}: $(cat "$work/stderr")"

# Bytes are scaled in float, which moves last bits.
[ "$(digest "${run[@]}" "${npz[@]}" | wc -c)" -eq 17 ] || fault "numpy: $(cat "$work/stderr")"
[ "$(digest "${run[@]}" "${leaf[@]}" --set /data/split=by_user | wc -c)" -eq 17 ] ||
  fault "by_user: $(cat "$work/stderr")"
"$simulate" --dry-run "${run[@]}" "${npz[@]}" >"$work/stdout" 2>"$work/stderr" ||
  fault "numpy --dry-run: $(cat "$work/stderr")"

expect 2 "--set: /data/split: expected a data set with users, as LEAF's data sets have, got $work/set.npz: x_train.npy" \
  "${run[@]}" "${npz[@]}" --set /data/split=by_user
expect 2 "--set: /data: expected a model for samples of 1x1x3, got softmax_regression for 1x28x28" \
  "${run[@]}" --set /data='{"kind":"csv","path":"'"$work/few.csv"'","test_path":"'"$work/few.csv"'"}'
printf '1,2,3\n1,2\n' >"$work/bad.csv"
expect 2 "$work/bad.csv:2: expected 3 numbers, got 2" "${run[@]}" \
  --set /data='{"kind":"csv","path":"'"$work/bad.csv"'","test_path":"'"$work/test.csv"'"}'
finish
