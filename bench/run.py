#!/usr/bin/env python3
"""Runs every benchmark and PyTorch on equal work in turns; prints one table and writes JSON.

usage: bench/run.py [--programs FOLDER] [--json FILE] [--quick] [--strict] [--peers]

--quick uses smaller networks and takes less than a minute; --strict exits with status 1 if a bar is
missed. --peers runs only the comparisons with PyTorch, in every mode in which PyTorch trains many
nodes, and compares them with the targets instead of the bars; with a GPU it also runs the programs of
the cuda preset. Without PyTorch its lines are empty.
"""
import argparse
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import beside
from peers import ways
from peers.processes import CORES, Peers
from programs import Programs, say
from table import Table

# Rows a node with each optimizer.
OPTIMIZERS = ["sgd", "momentum", "nesterov", "adam"]
ROWS = {
    "adapt_then_combine": [1, 2, 2, 3],
    "combine_then_adapt": [2, 2, 3, 3],
    "ad_psgd": [2, 2, 3, 3],
    "all_reduce": [1, 2, 2, 3],  # of the whole network
}
COHORTS = {16: 6.6, 100: 33, 1000: 290}
def planning(table, programs):
    got = programs.run("planning")
    table.add("planning AD-PSGD, 1,000 nodes, one core", got.get("events"), "M trainings/s", bar=2)
    table.add("planning AD-PSGD, 1,000 nodes, one core", got.get("operations"), "M operations/s",
              bar=5)
    table.add("planning, exchange chosen at run time, to specialised",
              got.get("events.erased_over_specialised"), "times", bar=0.95)
    table.add("run of tiny models, exchange chosen at run time, to specialised",
              got.get("run.erased_over_specialised"), "times")
    for nodes, expected in COHORTS.items():
        table.add(f"mean cohort, {nodes} nodes", got.get(f"mean_cohort.{nodes}"), "", expected,
                  "expected", bar=0.1, within=True)


def memory(table, programs):
    got = programs.run("memory")
    for exchange, expected in ROWS.items():
        rows = [got.get(f"rows.{exchange}.{optimizer}") for optimizer in OPTIMIZERS]
        right = sum(r == e for r, e in zip(rows, expected))
        table.add(f"rows as they should be, {exchange}", right, "of 4", bar=4)
    for exchange in ["d_psgd", "ad_psgd", "all_reduce"]:
        table.add(f"allocations in the loop, {exchange}", got.get(f"allocations.{exchange}"),
                  bar=0, at_most=True)


def scale(table, programs):
    got = programs.run("scale")
    nodes = got.get("nodes", 4000)
    table.add(f"cost of a node-iteration, {nodes:.0f} nodes", got.get("cost.large"), "ms",
              got.get("cost.40"), "40 nodes", bar=1.1, at_most=True)
    resident, announced = got.get("memory.resident"), got.get("memory.announced")
    table.add(f"resident memory, {nodes:.0f} LeNet-5", resident, "GB", announced, "announced",
              bar=0.05, within=True)


def ranks(table, programs):
    """Two ranks of a thread against a process of two threads, in turns."""
    if not programs.has("ranks"):
        say("ranks: built without MPI, its lines are left out")
        return
    got = programs.run("ranks")
    for exchange in ["d_psgd", "ad_psgd"]:
        for graph, title, bar in [("regular", "random 8-regular", 0.85), ("ring", "ring", 0.95)]:
            name = f"{exchange}.{graph}"
            table.add(f"2 ranks, {exchange}, {title}", got.get(f"{name}.ranks"), "/s",
                      got.get(f"{name}.threads"), "2 threads", got.get(f"{name}.ratio"), bar=bar)
            table.add(f"bytes between ranks, {exchange}, {title}", got.get(f"{name}.sent"), "MB",
                      other_name="plan", other=None, ratio=got.get(f"{name}.sent_of_plan"),
                      bar=0.01, within=True)


def compile_time(table, build):
    """The umbrella header alone, with the flags of a benchmark."""
    commands = build / "compile_commands.json"
    if not commands.exists():
        return
    entry = next(e for e in json.loads(commands.read_text()) if e["file"].endswith("machine.cpp"))
    words = shlex.split(entry["command"])
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "umbrella.cpp"
        source.write_text("#include <gossip/gossip.hpp>\nint main() {}\n")
        words[words.index("-o") + 1] = f"{folder}/umbrella.o"
        words[words.index("-c") + 1] = str(source)
        times = []
        for _ in range(2):
            begin = time.monotonic()
            subprocess.run(words, cwd=entry["directory"], check=True)
            times.append(time.monotonic() - begin)
    table.add("compiling the umbrella header", min(times), "s", bar=5, at_most=True)


def machine(table, programs):
    got = programs.run("machine")
    table.add("SGEMM, all cores", got.get("sgemm"), "GFLOP/s")
    table.add("copy, plain stores, all cores", got.get("copy.plain"), "GB/s")
    table.add("copy, non-temporal stores", got.get("copy.streaming"), "GB/s")


def where():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {
        "processor": model, "cores": CORES, "date": datetime.date.today().isoformat(),
        "blas_kernels": os.environ.get("OPENBLAS_CORETYPE", "the library's choice"),
        "load_before": os.getloadavg()[0]}


def everything(turns, build):
    table, programs = turns.table, turns.programs
    machine(table, programs)
    beside.throughput(turns, beside.HELD, beside.one_model)
    beside.resnets(turns, beside.HELD, beside.one_model)
    beside.mixing(turns, beside.HELD)
    turns.peers.end()
    planning(table, programs)
    scale(table, programs)
    memory(table, programs)
    ranks(table, programs)
    compile_time(table, build)


def peers_alone(turns):
    if turns.programs.has("throughput"):
        beside.throughput(turns, beside.AIMED, ways.on_cpu)
        beside.resnets(turns, beside.AIMED, ways.on_cpu)
        beside.mixing(turns, beside.AIMED)
    if turns.programs.has("cuda_training"):
        beside.on_gpu(turns, beside.AIMED)
    turns.peers.end()


def show_ways(tried):
    """What each way of PyTorch's gave when it was tried, before the turns."""
    print("\nPyTorch, node-iterations a second, when the ways were tried:")
    for model, rates in tried.items():
        for way, rate in rates.items() if model != "mix" else ():
            print(f"  {model:20} {way:50} {'-' if rate is None else f'{rate:10.4g}'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", default="build/release/bin")
    parser.add_argument("--json")
    for option in ("--quick", "--strict", "--peers"):
        parser.add_argument(option, action="store_true")
    given = parser.parse_args()

    begin, place = time.monotonic(), where()
    if place["load_before"] > 0.3 * CORES:
        say(f"others are at work here (load {place['load_before']:.1f}): figures will be off")
    table, peers = Table(), Peers(say)
    gpu = peers.gpu()
    turns = beside.Turns(table, Programs(given.programs, given.quick), peers, given.quick)
    if given.peers:
        peers_alone(turns)
        show_ways(peers.tried)
    else:
        everything(turns, pathlib.Path(given.programs).parent)

    place.update({"torch": peers.version or "none", "torch_vmap": peers.about.get("vmap"),
                  "torch_best": peers.chosen(), "gpu": gpu,
                  "seconds": round(time.monotonic() - begin)})
    print()
    table.show()
    print(f"\n{place['processor']}, {place['cores']} cores, {place['date']}, "
          + (f"{gpu}, " if gpu else "")
          + f"PyTorch {place['torch']}, took {place['seconds']} s; "
          + (f"missed: {'; '.join(table.missed())}" if table.missed() else "no bar missed"))
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(
            {"where": place, "table": table.lines, "figures": turns.programs.figures,
             "torch": peers.tried}, indent=1) + "\n")
    return 1 if given.strict and table.missed() else 0


if __name__ == "__main__":
    sys.exit(main())
