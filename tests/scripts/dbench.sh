#!/usr/bin/env bash
# samples/dbench: what noise leaves falls as the eigenvalues of W say, which are found here from the
# graphs' definitions; wrong input is refused in a sentence, and nothing is left behind.
set -u
program=$GOSSIP_BIN/dbench
. "$(dirname "$0")/checks.bash"
require_program "$program"

"$program" --experiment e6a --quick --out "$work/out" >"$work/stdout" 2>"$work/stderr" ||
  fault "dbench: $(cat "$work/stdout" "$work/stderr")"
python3 - "$work/out/results.csv" <<'END' || fault "dbench: $(cat "$work/stdout")"
import csv, math, sys
found = {}
for line in csv.DictReader(open(sys.argv[1])):
    found[line["graph"], int(line["nodes"]), line["quantity"]] = float(line["value"])
sides = {12: (3, 4), 24: (4, 6)}

def second(n, neighbours):
    """The largest eigenvalue but that of the mean, by power iteration on W + I."""
    x = [math.sin(1 + i * i) for i in range(n)]
    for _ in range(4000):
        mean = sum(x) / n
        x = [v - mean for v in x]
        size = math.sqrt(sum(v * v for v in x))
        x = [v / size for v in x]
        y = [(x[i] + sum(x[j] for j in neighbours(i))) / (1 + len(neighbours(i))) for i in range(n)]
        value = sum(a * b for a, b in zip(x, y))
        x = [a + b for a, b in zip(x, y)]
    return value

for n, (a, b) in sides.items():
    ring = second(n, lambda i: [(i + 1) % n, (i - 1) % n])
    torus = second(n, lambda i: [(i // b + r) % a * b + (i % b + c) % b
                                 for r, c in ((1, 0), (-1, 0), (0, 1), (0, -1))])
    for graph, value in (("ring", ring), ("torus", torus)):
        decay = found[graph, n, "decay_of_gini"]
        assert abs(decay / (1 - value) - 1) < 0.01, (graph, n, decay, 1 - value)
assert abs(found["complete", 24, "burst_over_before"] - 4) < 0.2, found
assert abs(found["complete", 24, "next_over_before"] - 1) < 0.1, found
END
[ -s "$work/out/e6a_decay.svg" ] || fault "dbench: no chart"

# refused SENTENCE ARGUMENT...: exit status 2, and the sentence.
refused() {
  local sentence=$1
  shift
  "$program" "$@" >"$work/stdout" 2>"$work/stderr"
  local status=$?
  [ "$status" = 2 ] || fault "dbench $*: exit status $status, not 2"
  grep -qxF -- "$sentence" "$work/stderr" || fault "dbench $*: $(cat "$work/stderr")"
}
refused "dbench: --experiment: expected e6a, e6b, e6c, e6d, e6e or all, got 'e9'" --experiment e9
options="--experiment, --quick, --peak, --mnist, --out or --help"
refused "dbench: option: expected $options, got '--nodes'" --nodes 3
refused "dbench: --peak: expected a number above 0, at most 100, got 'high'" --peak high
refused "dbench: --out: expected a value after the option, got nothing" --quick --out
: >"$work/file"
"$program" --experiment e6d --quick --mnist "$work/none" --out "$work/new" >/dev/null \
  2>"$work/stderr"
[ $? = 2 ] || fault "dbench: data that is not there: $(cat "$work/stderr")"
[ ! -e "$work/new" ] || fault "dbench: data that is not there left a folder"
"$program" --experiment e6a --quick --out "$work/file" >"$work/stdout" 2>"$work/stderr"
[ $? = 2 ] || fault "dbench: a file for a folder: $(cat "$work/stderr")"
grep -q "holds" "$work/stdout" && fault "dbench: a file for a folder was found out too late"
finish
