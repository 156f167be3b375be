#!/usr/bin/env bash
# docs/python.md as its reader runs it: blocks of Python and of the shell one after another in one
# folder; a block that begins with '# name.py' is that file.
. "$(dirname "$0")/driver.bash"
needed='numpy, pandas, networkx, torch, safetensors, tensorboard, wandb'
python=
for one in "$GOSSIP_SOURCE/build/python/bin/python" python3 /usr/bin/python3; do
  [ -z "$python" ] && "$one" -c "import $needed" 2>/dev/null && python=$one
done
if [ -z "$python" ]; then
  echo "skipped: no python3 here has $needed; './dev deps --with-torch --with-python' installs them"
  exit 77
fi

# blocks/NN.python, blocks/NN.sh
mkdir -p "$work/blocks" "$work/bin" "$work/run"
awk -v to="$work/blocks" '/^```(python|sh)$/ { file = sprintf("%s/%02d.%s", to, ++n, substr($0, 4)); next }
  /^```/ { file = "" }
  file { print >file }' "$GOSSIP_SOURCE/docs/python.md"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$work/bin/python3"
chmod +x "$work/bin/python3"

export PATH=$work/bin:$GOSSIP_BIN:$PATH WANDB_SILENT=true WANDB_ERROR_REPORTING=false
cd "$work/run" || exit 1
count=0
for block in "$work"/blocks/*; do
  count=$((count + 1))
  name=$(sed -n '1s/^# \([a-z_]*\.py\)$/\1/p' "$block")
  if [ -n "$name" ]; then
    cp "$block" "$name"
  elif [[ $block == *.python ]]; then
    python3 "$block" >"$work/out" 2>&1 || fault "$block: $(tail -n 20 "$work/out")"
  else
    bash -euo pipefail "$block" >"$work/out" 2>&1 || fault "$block: $(tail -n 20 "$work/out")"
  fi
done
[ $count -ge 14 ] || fault "$count blocks in docs/python.md"

# What TensorBoard would show is what the run has written.
python3 - <<'END' || fault "TensorBoard has other numbers"
import json
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator("tensorboard/runs/ring")
events.Reload()
records = [json.loads(line) for line in open("runs/ring/metrics.jsonl")]
shown = [(e.step, e.value) for e in events.Scalars("accuracy.mean")]
assert len(shown) == 5 and [step for step, _ in shown] == [r["round"] for r in records], shown
assert all(abs(value - r["accuracy"]["mean"]) < 1e-6 for (_, value), r in zip(shown, records)), shown
END
finish
