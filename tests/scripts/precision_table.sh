#!/usr/bin/env bash
# The table of samples/precision_table: bytes of an epoch as published, half of them with 16 bits,
# and accuracies of an epoch that have learned something.
set -u
table=$GOSSIP_BIN/precision_table
. "$(dirname "$0")/checks.bash"
require_program "$table"

"$table" 1 >"$work/stdout" 2>"$work/stderr" || fault "precision_table: $(cat "$work/stderr")"
python3 - "$work/stdout" <<'END' || fault "precision_table: $(cat "$work/stdout")"
import sys
rows = {}
for line in open(sys.argv[1]).read().splitlines()[2:]:
    words = line.split()
    all_bytes, half, figure, own, half_own, *accuracies = map(float, words[-7:])
    rows[" ".join(words[:-7])] = [all_bytes, half, own, half_own, *accuracies]
    assert abs(figure - own) <= 0.02 * own + 0.001, words
model = 11_173_962 * 4e-9  # GB; statistics of batch normalisation are 0.1 % more
published = {"C-SGD, batch 256": 0, "D-SGD, batch 4 x 64": 50_000 / 256 * model,
             "D-SGD, batch 4 x 512": 50_000 / 2048 * model, "FL, batch 256": model}
assert list(rows) == list(published), rows
for name, (all, half, own, half_own, accuracy, of_half) in rows.items():
    for found, factor in ((all, 8), (half, 4), (own, 1), (half_own, 0.5)):
        assert abs(found - factor * published[name]) <= 0.003 * found + 0.001, (name, found)
    assert accuracy > 50 and of_half > 50 and abs(accuracy - of_half) < 3, name
END
finish
