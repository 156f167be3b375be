#!/usr/bin/env python3
"""Runs every benchmark and PyTorch on the same work in turns; prints one table and writes JSON.

usage: bench/run.py [--programs FOLDER] [--json FILE] [--quick] [--strict]

Whatever becomes a ratio is measured side by side, several times in turn, and the ratio reported is
the median of the turns'. --quick takes less than a minute and smaller networks; --strict ends with
status 1 where a bar is missed. Without PyTorch its lines are left open.
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
from statistics import median

HERE = pathlib.Path(__file__).resolve().parent
CORES = len(os.sched_getaffinity(0))

# Rows a node with each optimizer.
OPTIMIZERS = ["sgd", "momentum", "nesterov", "adam"]
ROWS = {
    "adapt_then_combine": [1, 2, 2, 3],
    "combine_then_adapt": [2, 2, 3, 3],
    "ad_psgd": [2, 2, 3, 3],
    "all_reduce": [1, 2, 2, 3],  # of the whole network
}
COHORTS = {16: 6.6, 100: 33, 1000: 290}
TIMES_PYTORCH = {"lenet5": 1.2, "mlp": 1.8, "softmax_regression": 4.0}


def say(text):
    print(f"== {text}", flush=True)


class Programs:
    """The compiled benchmarks: each prints its figures and writes them as JSON."""

    def __init__(self, folder, quick):
        self.folder, self.options = pathlib.Path(folder), ["--quick"] if quick else []
        self.figures = {}

    def run(self, name, *options):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            command = [self.folder / f"bench_{name}", "--json", out.name, *self.options, *options]
            begin = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            say(f"{name} {' '.join(options)}: {time.monotonic() - begin:.1f} s")
            if done.returncode != 0:
                print(done.stdout + done.stderr, file=sys.stderr)
                return {}
            figures = json.loads(pathlib.Path(out.name).read_text())
        self.figures.setdefault(name, []).append(figures)
        return figures


class Peers:
    """Processes of bench/peers.py, one a core, asleep until asked."""

    def __init__(self):
        self.version, self.processes, self.best = None, [], {}
        for core in sorted(os.sched_getaffinity(0)):
            process = subprocess.Popen(
                [sys.executable, str(HERE / "peers.py")], text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.processes.append(process)
            first = process.stdout.readline()
            if not first:
                say("PyTorch: none here (python3-torch), its lines stay open")
                self.processes = []
                return
            self.version = json.loads(first)["torch"]
            if CORES > 1:
                os.sched_setaffinity(process.pid, {core})

    def ask(self, processes, **request):
        for process in processes:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        return [json.loads(process.stdout.readline()) for process in processes]

    def rate(self, model, seconds, together=False, **variant):
        """One process a core, or `together` all cores for one process."""
        threads, asked = (CORES, self.processes[:1]) if together else (1, self.processes)
        if together:
            self.free(asked[0], os.sched_getaffinity(0))
        answers = self.ask(asked, do="train", model=model, seconds=seconds, threads=threads,
                           **variant)
        if together:
            self.free(asked[0], {sorted(os.sched_getaffinity(0))[0]})
        return sum(a["iterations"] / a["seconds"] for a in answers)

    @staticmethod
    def free(process, cores):
        """All threads of a process may run on these cores."""
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            os.sched_setaffinity(int(thread), cores)

    def train(self, model, seconds):
        """Node-iterations a second of all cores, in the form that is best for this model."""
        if not self.processes:
            return None
        if model not in self.best:
            layouts = [True, False] if model == "lenet5" else [model.startswith("resnet")]
            forms = [{"channels_last": c, "foreach": f} for c in layouts for f in (True, False)]
            if model.startswith("resnet"):
                forms = [{"channels_last": True, "foreach": False, "together": t}
                         for t in (False, True)]
            self.best[model] = max(forms, key=lambda form: self.rate(model, 0.5, **form))
        return self.rate(model, seconds, **self.best[model])

    def mix(self, nodes, columns):
        """Bytes a second of the best way to W X, all cores for one process."""
        if not self.processes:
            return None
        one = self.processes[:1]
        os.sched_setaffinity(one[0].pid, os.sched_getaffinity(0))
        rates = {}
        for how in ["dense", "csr", "coo"]:
            (answer,) = self.ask(one, do="mix", how=how, nodes=nodes, columns=columns,
                                 threads=CORES)
            rates[how] = answer["bytes"] / answer["seconds"]
        self.best["mix"] = max(rates, key=rates.get)
        return rates[self.best["mix"]]

    def end(self):
        for process in self.processes:
            process.stdin.close()
            process.wait()


class Table:
    """Lines of what was measured, against which limit or peer, and whether the bar is met."""

    HEAD = ["what", "measured", "limit or peer", "ratio", "bar", "met"]

    def __init__(self):
        self.lines = []

    def add(self, what, measured, unit="", other=None, other_name="", ratio=None, bar=None,
            at_most=False, within=False):
        """The bar is for the ratio, by default measured / other, or for measured if there is none.
        within: the bar says how far from 1 the ratio may be."""
        if ratio is None and measured is not None and other:
            ratio = measured / other
        value = ratio if ratio is not None or other_name else measured
        met = None
        if bar is not None and value is not None:
            met = value <= bar if at_most else value >= bar
            if within:
                met = abs(value - 1) <= bar
        self.lines.append({
            "what": what, "measured": measured, "unit": unit, "other": other,
            "other_name": other_name, "ratio": ratio, "bar": bar,
            "sense": "+-" if within else "<=" if at_most else ">=", "met": met})

    @staticmethod
    def number(value):
        if value is None:
            return "-"
        return f"{value:.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"

    def cells(self, line):
        bar = "" if line["bar"] is None else f"{line['sense']} {self.number(line['bar'])}"
        met = {True: "yes", False: "NO", None: "?" if bar else ""}[line["met"]]
        other = f"{line['other_name']} {self.number(line['other'])}" if line["other_name"] else ""
        ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}"
        measured = f"{self.number(line['measured'])} {line['unit']}".strip()
        return [line["what"], measured, other, ratio, bar, met]

    def show(self):
        rows = [self.HEAD] + [self.cells(line) for line in self.lines]
        widths = [max(len(row[k]) for row in rows) for k in range(len(self.HEAD))]
        rows.insert(1, ["-" * width for width in widths])
        for row in rows:
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")

    def missed(self):
        return [line["what"] for line in self.lines if line["met"] is False]


def middle(values):
    values = [v for v in values if v is not None]
    return median(values) if values else None


def throughput(table, programs, peers, quick):
    """Whole simulations, next to the roofline and to PyTorch."""
    for model, bar in TIMES_PYTORCH.items():
        ours, theirs = [], []
        for _ in range(1 if quick else 3):
            before = peers.train(model, 0.7 if quick else 1.5)
            ours.append(programs.run("throughput", "--only", model + "."))
            after = peers.train(model, 0.7 if quick else 1.5)
            theirs.append(before and (before + after) / 2)
        for exchange in ["d_psgd", "ad_psgd"]:
            name = f"{model}.{exchange}"
            rates = [turn.get(name + ".rate") for turn in ours]
            limits = [turn.get(name + ".limit") for turn in ours]
            fractions = [r and r / l for r, l in zip(rates, limits)]
            times = [r / t if r and t else None for r, t in zip(rates, theirs)]
            title = f"{model}, {exchange}, 100 nodes"
            table.add(title, middle(rates), "/s", middle(limits), "roofline", middle(fractions),
                      bar=0.7 if model == "lenet5" else None)
            table.add(title, middle(rates), "/s", middle(theirs), "PyTorch", middle(times),
                      bar=bar)


def resnets(table, programs, peers, quick):
    """Residual networks in D-PSGD, next to PyTorch without exchange."""
    for model, title in [("resnet20", "ResNet-20, d_psgd, batch 32, 8 nodes"),
                         ("resnet18", "ResNet-18, d_psgd, batch 128, 2 nodes")]:
        turns = []
        for _ in range(1 if quick else 2):
            before = peers.train(model, 3)
            ours = programs.run("resnets", "--only", model)
            after = peers.train(model, 3)
            rate, limit = ours.get(f"{model}.d_psgd.rate"), ours.get(f"{model}.d_psgd.limit")
            turns.append((rate, limit, before and (before + after) / 2))
        rate, limit, theirs = (middle(values) for values in zip(*turns))
        table.add(title, rate, "/s", limit, "roofline",
                  middle([r and r / l for r, l, _ in turns]))
        table.add(title, rate, "/s", theirs, "PyTorch",
                  middle([r / t if r and t else None for r, _, t in turns]), bar=1)


def mixing(table, programs, peers):
    nodes, columns = 1000, 43_108  # a tenth of LeNet-5's for PyTorch: time goes with columns
    before = peers.mix(nodes, columns)
    ours = programs.run("mixing")
    theirs = before and max(before, peers.mix(nodes, columns))
    rate, copy = ours.get("mixing"), ours.get("copy.plain")
    what = f"W X, {ours.get('nodes', nodes):.0f} LeNet-5, degree 8"
    table.add(what, rate, "GB/s", copy, "plain copy", bar=0.55)
    table.add(what, rate, "GB/s", theirs and theirs * 1e-9, "PyTorch", bar=3)


def planning(table, programs):
    got = programs.run("planning")
    table.add("planning AD-PSGD, 1,000 nodes, one core", got.get("events"), "M trainings/s", bar=2)
    table.add("planning AD-PSGD, 1,000 nodes, one core", got.get("operations"), "M operations/s",
              bar=5)
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
    if not (programs.folder / "bench_ranks").exists():
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", default="build/release/bin")
    parser.add_argument("--json")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--strict", action="store_true")
    given = parser.parse_args()

    begin, place = time.monotonic(), where()
    if place["load_before"] > 0.3 * CORES:
        say(f"others are at work here (load {place['load_before']:.1f}): figures will be off")
    programs, peers, table = Programs(given.programs, given.quick), Peers(), Table()
    machine(table, programs)
    throughput(table, programs, peers, given.quick)
    resnets(table, programs, peers, given.quick)
    mixing(table, programs, peers)
    peers.end()
    planning(table, programs)
    scale(table, programs)
    memory(table, programs)
    ranks(table, programs)
    compile_time(table, pathlib.Path(given.programs).parent)

    place["torch"] = peers.version or "none"
    place["torch_best"] = peers.best
    place["seconds"] = round(time.monotonic() - begin)
    print()
    table.show()
    print(f"\n{place['processor']}, {place['cores']} cores, {place['date']}, "
          f"PyTorch {place['torch']}, took {place['seconds']} s; "
          + (f"missed: {'; '.join(table.missed())}" if table.missed() else "no bar missed"))
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(
            {"where": place, "table": table.lines, "figures": programs.figures}, indent=1) + "\n")
    return 1 if given.strict and table.missed() else 0


if __name__ == "__main__":
    sys.exit(main())
