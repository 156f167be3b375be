#!/usr/bin/env bash
# The comparison of samples/heterogeneity: every method runs, the table has a row of each, and the
# committed rates are of the committed grid. With perceptrons, which are quick and always built in.
. "$(dirname "$0")/comparison.bash"

check_comparison heterogeneity --set /model=mlp
finish
