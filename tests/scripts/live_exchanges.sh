#!/usr/bin/env bash
# Live AD-PSGD over MPI: 10,000 averages between learners of random speed end, on any number of
# ranks, and keep the sum of the models where nobody learns.
. "$(dirname "$0")/live.bash"

for setting in "2 ring" "3 chain" "4 ring" "8 ring" "5 even_odd"; do
  read -r ranks topology <<<"$setting"
  completes "$ranks" --topology "$topology" --model softmax_regression --rate 0 \
    --simulate 100us,2 --exchanges 10000 --epochs 1000000 --patience 5us
  exchanges=$(field exchanges | head -n 1)
  error=$(field sum_error)
  echo "$ranks ranks, $topology: $exchanges averages, $(field gradients | head -n 1) gradients in" \
    "$(field wall_seconds) s, sum kept to $error"
  holds "${exchanges:-0} >= 10000" || fault "$ranks ranks: $exchanges averages"
  # An average rounds once, by at most 2^-25 of a number; so rarely do all round alike.
  holds "${error:-1} >= 0 && ${error:-1} < 1e-6" || fault "$ranks ranks: the sum moved by $error"
done
finish
