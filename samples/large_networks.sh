#!/usr/bin/env bash
# The memory that large networks need, as dry runs announce it, beside what a poster has measured:
# Y. Tian, Z. Al-Ars, M. Kitsak, "MPI-based decentralized learning framework for large-scale
# networks". gossip-simulate must be in PATH, built with all models.
set -euo pipefail

# memory <exchange> <setting>...: GB that a dry run announces, of two threads: each works on rows of
# its own.
memory() {
  local exchange=$1 settings=() setting
  shift
  for setting in "$@"; do settings+=(--set "$setting"); done
  gossip-simulate --dry-run --set /threads=2 --set /exchange="$exchange" "${settings[@]}" |
    awk '$1 == "memory" && $2 == "needed" { print $4 == "MB" ? $3 / 1000 : $3 }'
}

# row <network> <published GB> <setting>...
row() {
  local network=$1 published=$2 d_psgd buffered
  shift 2
  d_psgd=$(memory d_psgd "$@")
  buffered=$(memory buffered_gossip "$@")
  awk -v network="$network" -v p="$published" -v d="$d_psgd" -v b="$buffered" 'BEGIN {
    printf "%-16s %9.0f %12.4g %12.2f %13.4g %12.2f\n", network, p, d, d / p, b, b / p
  }'
}

photographs=(/model=resnet18 /batch=128 '/optimizer={"kind":"adam"}'
  '/data={"kind":"synthetic","samples":50000}' /stop/epochs=0.1)
digits=(/stop/epochs=0.1)
printf '%-16s %9s %12s %12s %13s %12s\n' 'GB' published d_psgd 'of published' 'buffered' 'of published'
row '50 ResNet-18' 30 /topology/nodes=50 "${photographs[@]}"
row '500 ResNet-18' 280 /topology/nodes=500 "${photographs[@]}"
row '10,000 LeNet-5' 94 /topology/nodes=10000 "${digits[@]}"
row '100,000 LeNet-5' 710 /topology/nodes=100000 "${digits[@]}"
