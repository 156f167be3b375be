#!/usr/bin/env bash
# What gossip-iterates writes is given to compare.py and matchings.py, and median_steps.py is run, with the first python3 that has numpy.
set -eu
export PYTHONDONTWRITEBYTECODE=1  # the source tree stays as it is
export OPENBLAS_NUM_THREADS=1      # small matrices, beside other tests

for python in /usr/bin/python3 python3; do
  if "$python" -c 'import numpy' 2>/dev/null; then
    folder=$GOSSIP_BUILD/reference
    rm -rf "$folder"
    mkdir -p "$folder"
    "$GOSSIP_BIN/gossip-iterates" "$folder"
    "$python" "$GOSSIP_SOURCE/tests/reference/matchings.py" "$folder"
    "$python" "$GOSSIP_SOURCE/tests/reference/median_steps.py"
    exec "$python" "$GOSSIP_SOURCE/tests/reference/compare.py" "$folder"
  fi
done
echo "skipped: no python3 here has numpy; './dev deps --with-torch' installs it"
exit 77
