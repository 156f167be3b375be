#!/usr/bin/env bash
# run.sh PROGRAM SCRIPT ARGUMENT...: what PROGRAM writes into a folder is given to SCRIPT, with the
# first python3 that has torch.
set -eu
export PYTHONDONTWRITEBYTECODE=1  # the source tree stays as it is

program=$1 script=$2
shift 2
for python in /usr/bin/python3 python3; do
  if "$python" -c 'import numpy, torch' 2>/dev/null; then
    folder=$GOSSIP_BUILD/parity/$program
    rm -rf "$folder"
    mkdir -p "$folder"
    "$GOSSIP_BIN/$program" "$@" "$folder"
    exec "$python" "$GOSSIP_SOURCE/tests/parity/$script" "$folder"
  fi
done
echo "skipped: no python3 here has torch; './dev deps --with-torch' installs it"
exit 77
