#!/usr/bin/env bash
# Compares gossip's training with PyTorch's, with the first python3 that has torch.
set -eu

for python in /usr/bin/python3 python3; do
  if "$python" -c 'import numpy, torch' 2>/dev/null; then
    folder=$GOSSIP_BUILD/parity
    rm -rf "$folder"
    mkdir -p "$folder"
    "$GOSSIP_BIN/gossip-parity" "$GOSSIP_SOURCE/samples/data/digits" "$folder"
    exec "$python" "$GOSSIP_SOURCE/tests/parity/compare.py" "$folder"
  fi
done
echo "skipped: no python3 here has torch; './dev deps --with-torch' installs it"
exit 77
