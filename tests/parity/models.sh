#!/usr/bin/env bash
# models.sh: the driver's models as safetensors, to PyTorch and back, by the package safetensors.
set -eu
export PYTHONDONTWRITEBYTECODE=1 # the source tree stays as it is
for python in "$GOSSIP_SOURCE/build/python/bin/python" /usr/bin/python3 python3; do
  if "$python" -c 'import numpy, torch, safetensors' 2>/dev/null; then
    folder=$GOSSIP_BUILD/parity/models
    rm -rf "$folder"
    mkdir -p "$folder"
    exec "$python" "$GOSSIP_SOURCE/tests/parity/models.py" "$GOSSIP_BIN/gossip-simulate" "$folder"
  fi
done
echo "skipped: no python3 here has torch and safetensors; './dev deps --with-torch --with-python' installs them"
exit 77
