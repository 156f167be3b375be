#!/usr/bin/env python3
"""Compares the benchmarks of two builds in alternating pairs, so that a noisy machine is fair to both.

usage: bench/pairs.py BEFORE AFTER [NAME...] [--pairs N] [--quick] [--json FILE]

BEFORE and AFTER are folders of programs (build/release/bin of two trees). NAME is a benchmark as in
'./dev bench NAME'; without a NAME all benchmarks of both folders run. Prints for every number of a
benchmark the median over N pairs (11) of after / before, the least and the greatest ratio of the middle pairs
(of 11 seven: without a fifth of the pairs at either end) and of all pairs, and the medians of both sides. Omits
numbers that do not change. Exit status 0 unless a program fails.
"""
import argparse
import json
import pathlib
import statistics
import sys

from programs import measured


def numbers_of(program, quick):
    figures, output = measured(program, *(["--quick"] if quick else []))
    if not figures:
        sys.exit(f"{program}: failed: {output.strip()}")
    return figures


def pairs_of(before, after, count, quick):
    """Numbers of `count` runs of either program; which is first alternates."""
    runs = {before: [], after: []}
    for pair in range(count):
        for program in (before, after) if pair % 2 == 0 else (after, before):
            runs[program].append(numbers_of(program, quick))
    return runs[before], runs[after]


def middle(ratios):
    """The ratios without a fifth of them, rounded to the nearest, at either end."""
    cut = round(len(ratios) / 5)
    return sorted(ratios)[cut:len(ratios) - cut]


def rows(name, before, after):
    """(name, median, least and greatest of the middle, of all, median before, after) of the numbers that change."""
    for key in before[0]:
        both = [(b[key], a[key]) for b, a in zip(before, after) if b.get(key) and key in a]
        if not both or all(b == a for b, a in both):
            continue
        ratios = [a / b for b, a in both]
        most = middle(ratios)
        yield [f"{name}.{key}", statistics.median(ratios), most[0], most[-1], min(ratios), max(ratios),
               statistics.median(b for b, _ in both), statistics.median(a for _, a in both)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("before", type=pathlib.Path)
    options.add_argument("after", type=pathlib.Path)
    options.add_argument("names", nargs="*")
    options.add_argument("--pairs", type=int, default=11)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--json", type=pathlib.Path)
    given = options.parse_args()
    names = given.names or sorted(p.name[6:] for p in given.before.glob("bench_*")
                                  if (given.after / p.name).exists() and p.name != "bench_machine")
    table = []
    print(f"{'after / before':44s}  median  middle            least to greatest     before      after", flush=True)
    for name in names:
        runs = pairs_of(given.before.resolve() / f"bench_{name}", given.after.resolve() / f"bench_{name}",
                        given.pairs, given.quick)
        for row in rows(name, *runs):
            table.append(row)
            print("{:44s}  {:6.3f}  {:6.3f} to {:6.3f}  {:6.3f} to {:6.3f}  {:10.5g} {:10.5g}".format(*row), flush=True)
    if given.json:
        given.json.write_text(json.dumps({row[0]: row[1:] for row in table}, indent=1) + "\n")


if __name__ == "__main__":
    main()
