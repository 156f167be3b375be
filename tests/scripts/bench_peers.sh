#!/usr/bin/env bash
# The work that benchmarks time in PyTorch, and the table that compares it.
set -eu
export PYTHONDONTWRITEBYTECODE=1  # the source tree stays as it is

for python in /usr/bin/python3 python3; do
  if "$python" -c 'import torch' 2>/dev/null; then
    exec "$python" "$GOSSIP_SOURCE/tests/scripts/bench_peers.py"
  fi
done
echo "skipped: no python3 here has torch; './dev deps --with-torch' installs it"
exit 77
