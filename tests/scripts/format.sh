#!/usr/bin/env bash
# The sources are as clang-format leaves them; './dev format' does it.
command -v clang-format-19 >/dev/null || { echo "skipped: clang-format-19 is not installed"; exit 77; }
cd "$GOSSIP_SOURCE" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: the sources are in no repository"; exit 77; }
./dev format --check
