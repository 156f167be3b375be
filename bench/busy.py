#!/usr/bin/env python3
"""Measures the rate that a run keeps while other programs use cores.

usage: bench/busy.py FOLDER [--before FOLDER] [--rounds N] [--quick] [--json FILE]

FOLDER has the compiled benchmarks (build/release/bin). Measures node-iterations per second of
bench_throughput in turns: on a quiet machine, with one core used by a different program, and with every core
used, where the program is an endless loop that is pinned to its core. Prints medians over N rounds (5) of the
rate and of its ratio to the quiet run of its round. --before: folder with benchmarks of an earlier commit,
which are measured in turns with these, with OpenMP threads that wait passively (OMP_WAIT_POLICY). The bar is
0.35 of the quiet rate, or 0.9 of the ratio of the earlier commit. Exit status 1 if a bar is missed.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys

from programs import measured, say


@contextlib.contextmanager
def taken(cores):
    """Each of these cores has a program of its own that never waits."""
    loop = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"
    loops = [subprocess.Popen([sys.executable, "-c", loop, str(core)]) for core in cores]
    try:
        yield
    finally:
        for one in loops:
            one.kill()
            one.wait()


def rates_of(folder, quick):
    figures, output = measured(pathlib.Path(folder) / "bench_throughput", *(["--quick"] if quick else []))
    if not figures:
        sys.exit(f"{folder}/bench_throughput: failed: {output.strip()}")
    return {key[:-len(".rate")]: value for key, value in figures.items() if key.endswith(".rate")}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--before", type=pathlib.Path)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--json", type=pathlib.Path)
    given = options.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    conditions = {"quiet": [], "one core taken": cores[:1], "all cores taken": cores}
    folders = [given.folder] + ([given.before] if given.before else [])
    rates = {(folder, condition): [] for folder in folders for condition in conditions}
    for number in range(given.rounds):
        for condition, busy in conditions.items():
            for folder in folders if number % 2 == 0 else folders[::-1]:
                if folder == given.before:
                    os.environ["OMP_WAIT_POLICY"] = "passive"
                with taken(busy):
                    rates[folder, condition].append(rates_of(folder, given.quick))
                os.environ.pop("OMP_WAIT_POLICY", None)
        say(f"round {number + 1} of {given.rounds}")

    def kept(folder, condition, name):
        return statistics.median(busy[name] / quiet[name] for busy, quiet in
                                 zip(rates[folder, condition], rates[folder, "quiet"]))

    table, missed = [], 0
    print(f"{'':28s} {'':16s}  node-iterations/s   kept" + ("  kept before" if given.before else ""))
    for name in rates[given.folder, "quiet"][0]:
        for condition in conditions:
            row = {"name": name, "condition": condition, "kept": kept(given.folder, condition, name),
                   "rate": statistics.median(r[name] for r in rates[given.folder, condition])}
            met = row["kept"] >= 0.35
            if given.before:
                row["kept_before"] = kept(given.before, condition, name)
                row["rate_before"] = statistics.median(r[name] for r in rates[given.before, condition])
                met = met or row["kept"] >= 0.9 * row["kept_before"]
            missed += not met
            table.append(row)
            before = f"         {row['kept_before']:4.2f}" if given.before else ""
            print(f"{name:28s} {condition:16s}  {row['rate']:17,.0f}   {row['kept']:4.2f}{before}"
                  + ("" if met else "  below the bar"))
    if given.json:
        given.json.write_text(json.dumps(table, indent=1) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
