#!/usr/bin/env python3
"""choose.py TUNING.json RESULTS.csv: the configuration of the baselines, on standard output.

Of every method and split of the tuning sweep the rate whose run had the best mean accuracy on the
held-out samples, run again with three seeds on the whole training set of 8,000 samples: 20 epochs,
as many rounds as 25 epochs of the 6,400 that tuning trains on. A run that failed is never the best.
"""

import csv
import json
import sys

SEEDS = [1, 2, 3]


def best_rates(rows):
    """{(method, split): rate} of the rows of results.csv, by the last accuracy of each run."""
    last = {}
    for row in rows:
        key = row["name"], row["data/split"], float(row["optimizer/rate"])
        if row["error"]:
            last.pop(key, None)
        elif row["metric"] == "accuracy.mean":
            last[key] = float(row["value"])
    best = {}
    for (method, split, rate), accuracy in last.items():
        if accuracy > best.get((method, split), (-1, 0))[0]:
            best[method, split] = accuracy, rate
    return {key: rate for key, (_, rate) in best.items()}


def name_of(split):
    """A split as results.csv and the table name it."""
    if isinstance(split, str):
        return split
    members = [f"{name}={value}" for name, value in split.items() if name != "kind"]
    return " ".join([split["kind"], *members])


def one_a_line(values, indent):
    return ",\n".join(" " * indent + json.dumps(value) for value in values)


def main(tuning_file, results_file):
    with open(tuning_file) as file:
        tuning = json.load(file)
    with open(results_file, newline="") as file:
        rates = best_rates(csv.DictReader(file))
    sweep = tuning.pop("sweep")
    del tuning["evaluate"]["held_out"]
    tuning["stop"] = tuning["evaluate"]["every"] = {"epochs": 20}
    chosen = []
    for split in sweep["/data/split"]:
        for method in sweep[""]:
            if (method["name"], name_of(split)) not in rates:
                sys.exit(f"{results_file}: no run of {method['name']} on {name_of(split)} ended well")
            rate = rates[method["name"], name_of(split)]
            optimizer = {**method["optimizer"], "rate": rate}
            chosen.append({**method, "name": f"{method['name']}, {name_of(split)}",
                           "optimizer": optimizer, "data": {"split": split}})
    fields = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in tuning.items()]
    print("{\n" + ",\n".join(fields) + ',\n "sweep": {\n  "": [')
    print(one_a_line(chosen, 3) + f'\n  ],\n  "/seed": {json.dumps(SEEDS)}\n }}\n}}')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
