#!/usr/bin/env bash
# The table of samples/stragglers: times of an epoch with a slow learner are near the published ones.
set -u
program=$GOSSIP_BIN/stragglers
. "$(dirname "$0")/checks.bash"
require_program "$program"

"$program" >"$work/stdout" 2>"$work/stderr" || fault "stragglers: $(cat "$work/stderr")"
python3 - "$work/stdout" <<'END' || fault "stragglers: $(cat "$work/stdout")"
import sys
published = {"AD-PSGD": [1.22, 1.28, 1.33, 1.33, 1.33, 1.33],
             "all-reduce": [1.47, 2.60, 11.51, 100.4, 1000, 10000],
             "D-PSGD": [1.45, 2.36, 11.24, 100.4, 1000, 10000]}
factors = [1, 2, 10, 100, 1000, 10000]
found, ratios = {}, {}
for line in open(sys.argv[1]).read().splitlines():
    words = line.replace(">", " ").replace("<", " ").split()
    if len(words) > 4 and words[0] in published and words[1] != "/":
        found.setdefault(words[0], []).append((float(words[1]), float(words[2]), float(words[3])))
    if words[1:3] == ["/", "AD-PSGD"]:
        ratios[words[0]] = float(words[4])
assert list(found) == list(published), found
for name, rows in found.items():
    assert [row[0] for row in rows] == factors and [row[1] for row in rows] == published[name], name
    for (factor, known, seconds) in rows:
        if factor > 100 and name != "AD-PSGD":
            assert seconds > known, (name, factor, seconds)
        else:
            assert abs(seconds / known - 1) < (0.15 if factor >= 100 else 0.10), (name, factor, seconds)
    # The law of a slow node: (k - 1) / 16 of the sequential epoch more, or 16 / (15 + 1 / k) as long.
    first = rows[0][2]
    for (factor, _, seconds) in rows[1:]:
        law = first * 16 / (15 + 1 / factor) if name == "AD-PSGD" else first + (factor - 1) * 18.04 / 16
        assert abs(seconds / law - 1) < (0.02 if name == "AD-PSGD" else 0.12), (name, factor, law)
# Figure 2: twice as fast as all-reduce, 20 % faster than D-PSGD; nothing is fitted to it.
assert abs(ratios["all-reduce"] / 2.0 - 1) < 0.2 and abs(ratios["D-PSGD"] / 1.2 - 1) < 0.1, ratios
END
finish
