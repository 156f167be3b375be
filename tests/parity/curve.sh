#!/usr/bin/env bash
# Compares the losses of 200 steps of ResNet-20 on CIFAR-10 with PyTorch's: minutes, so only ctest
# of a tree configured with GOSSIP_LONG_TESTS runs it.
set -eu

images=${GOSSIP_DATA:-}/cifar-10
if [ ! -d "$images" ]; then
  echo "skipped: there is no $images; GOSSIP_DATA names the folder that holds cifar-10"
  exit 77
fi
exec bash "$GOSSIP_SOURCE/tests/parity/run.sh" gossip-parity-curve curve.py "$images"
