"""compare_digests.py: programs of two trees on the same configurations; a table of what differs."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

COMPARED = ["digest", "virtual_seconds", "bytes_sent", "node_iterations", "loss"]

GRAPH = {"kind": "random_regular", "nodes": 8, "degree": 3}
SMALL = {"/topology": GRAPH, "/model": "softmax_regression", "/stop": {"rounds": 20},
         "/evaluate": {"every": {"rounds": 10}, "nodes": 2, "samples": 64,
                       "at_end": {"nodes": 2, "samples": 64}}, "/threads": 1}
COLOURS = {"/data": {"kind": "synthetic", "samples": 400, "test_samples": 64},
           "/topology": {"kind": "ring", "nodes": 4}, "/stop": {"rounds": 2}, "/batch": 8}


def d_psgd(**fields):
    return {"/exchange": {"kind": "d_psgd", **fields}}


def all_runs(folder):
    """(name, ranks, fields beside SMALL) of every run; a second or so each."""
    runs = [*exchanges(), *optimizers(), *graphs(folder), *data(), *clocks(), *models()]
    return [(name, rest[1] if len(rest) > 1 else 1, rest[0]) for name, *rest in runs]


def exchanges():
    every = {"none": {"/exchange": "none"}, "all_reduce": {"/exchange": "all_reduce"},
             "ad_psgd": {"/exchange": "ad_psgd"}}
    for order in "combine_then_adapt", "adapt_then_combine":
        for barrier in "neighbors", "global":
            every[f"d_psgd {order} {barrier}"] = d_psgd(order=order, barrier=barrier)
    for name, fields in every.items():
        yield name, fields
        yield f"{name}, reference engine", {**fields, "/engine": "reference"}
        yield f"{name}, 2 threads", {**fields, "/threads": 2, "/topology/nodes": 32}
        yield f"{name}, 2 ranks", fields, 2
        yield f"{name}, 3 ranks", fields, 3
        yield f"{name}, seed 2, every round observed", {
            **fields, "/seed": 2, "/evaluate/every": {"rounds": 1}}
    yield "ad_psgd, observed by epochs", {"/evaluate/every": {"epochs": 0.07}}
    yield "d_psgd, observed by epochs", {**d_psgd(), "/evaluate/every": {"epochs": 0.07}}
    yield "stop by epochs", {"/stop": {"epochs": 0.3}}


def optimizers():
    plain = {"kind": "sgd", "momentum": 0.0, "weight_decay": 0.0}
    every = {"sgd": plain, "momentum": {**plain, "momentum": 0.9},
             "nesterov": {**plain, "momentum": 0.9, "nesterov": True},
             "weight decay": {**plain, "weight_decay": 0.01}, "adam": {"kind": "adam"},
             "adam with weight decay": {"kind": "adam", "weight_decay": 0.01},
             "adamw": {"kind": "adamw"}}
    for name, optimizer in every.items():
        for exchange in "ad_psgd", "all_reduce", "d_psgd":
            yield f"{name}, {exchange}", {"/optimizer": optimizer, "/exchange": exchange}
    for schedule in [{"kind": "constant"}, {"kind": "cosine", "last": 0.1},
                     {"kind": "step", "at": [0.1, 0.2]},
                     {"kind": "warm_up", "epochs": 0.1, "first": 0.1, "then": "constant"}]:
        yield f"schedule {schedule['kind']}", {"/optimizer/schedule": schedule}


def graphs(folder):
    path = folder / "graph.txt"
    path.write_text("".join(f"{i} {(3 * i + 1) % 11}\n{i} {(i + 1) % 11}\n" for i in range(11)))
    every = {"ring": {"nodes": 9}, "torus": {"rows": 3, "columns": 4}, "complete": {"nodes": 7},
             "star": {"nodes": 9}, "random_regular": {"nodes": 20, "degree": 5},
             "erdos_renyi": {"nodes": 24, "probability": 0.3},
             "edge_list": {"path": str(path)}}
    for kind, fields in every.items():
        for exchange in "ad_psgd", "d_psgd":
            yield f"{kind}, {exchange}", {"/topology": {"kind": kind, **fields},
                                          "/exchange": exchange}
    yield "in pieces", {"/topology": {"kind": "erdos_renyi", "nodes": 24, "probability": 0.05,
                                      "allow_disconnected": True}}
    for rule in "metropolis_hastings", "max_degree":
        yield f"{rule} on a star", {"/topology": {"kind": "star", "nodes": 6},
                                    **d_psgd(weights=rule)}
    yield "uniform_neighbor", d_psgd(weights="uniform_neighbor")


def data():
    for split in [{"kind": "iid"}, {"kind": "dirichlet", "alpha": 0.1},
                  {"kind": "dirichlet", "alpha": 0.05, "minimum": 20}, {"kind": "shards"},
                  {"kind": "shards", "per_node": 3}]:
        yield f"split {' '.join(map(str, split.values()))}", {"/data/split": split}
    yield "synthetic", {"/data": {"kind": "synthetic", "samples": 500, "test_samples": 64}}
    yield "augmented", {"/data/augmentation": "crop_and_flip"}
    for batch in 1, 100, 1001:
        yield f"batch {batch}", {"/batch": batch}


def clocks():
    every = {"constant": {"compute": "constant"},
             "lognormal": {"compute": {"kind": "lognormal", "cv": 0.7}},
             "a slow node": {"slow": [{"node": 3, "factor": 4}, {"node": 0, "factor": 0.5}]},
             "slow links": {"link": {"latency": "5ms", "bandwidth": "10MB/s"}},
             "no latency": {"compute": "constant", "link": {"latency": "0ns"}}}
    for name, clock in every.items():
        for exchange in "ad_psgd", "d_psgd":
            yield f"clock: {name}, {exchange}", {"/clock": clock, "/exchange": exchange}
    yield "clock: a slow node, d_psgd global", {"/clock": every["a slow node"],
                                                **d_psgd(barrier="global")}


def models():
    short = {"/stop": {"rounds": 4}, "/topology": {"kind": "ring", "nodes": 4}}
    yield "mlp", {"/model": "mlp"}
    yield "mlp, 2 ranks", {"/model": "mlp", **d_psgd()}, 2
    for name, fields in {"ad_psgd": {"/exchange": "ad_psgd"}, "d_psgd": d_psgd(),
                         "adapt_then_combine": d_psgd(order="adapt_then_combine")}.items():
        yield f"quadratic, {name}", {**fields, "/stop": {"rounds": 300}, "/model": {
            "kind": "quadratic", "curvature": [1.0, 0.5, 2.0], "noise": 0.1, "start": 1.0}}
    for precision in "fp32", "bf16", "fp16":
        yield f"lenet5 {precision}", {"/model": "lenet5", "/precision": precision, **short}
    yield "lenet5 fp16, a scale that overflows", {
        "/model": "lenet5", "/precision": {"kind": "fp16", "loss_scale": 16777216}, **short}
    yield "lenet5, batch 80, 2 ranks", {"/model": "lenet5", "/batch": 80, **short}, 2
    for statistics in "mixed", "own", "reestimated":
        yield f"resnet20, statistics {statistics}", {
            **COLOURS, "/model": {"kind": "resnet20", "statistics": statistics}, **d_psgd()}
    yield "resnet20 bf16, batch 20", {**COLOURS, "/model": "resnet20", "/precision": "bf16",
                                      "/batch": 20, "/stop": {"rounds": 1}}


def outcome(program, run, folder):
    """The numbers of one run as {name: value}, or what went wrong."""
    name, ranks, fields = run
    shutil.rmtree(folder, ignore_errors=True)
    words = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    words += [str(program), "--quiet", "--out", str(folder)]
    for pointer, value in {**SMALL, **fields}.items():
        words += ["--set", f"{pointer}={json.dumps(value)}"]
    # Open MPI's own variables, as in ranks.bash; others ignore them.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive",
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "OMPI_MCA_hwloc_base_binding_policy": "none"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"error": f"exit status {done.returncode}: {done.stderr.strip()[:200]}"}
    summary = json.loads((folder / "summary.json").read_text())
    return {key: summary[key] for key in COMPARED}


def compare(programs, run, folder):
    """What differs, as lines (what, there, here)."""
    place = folder / re.sub(r"\W+", "_", run[0])
    there, here = (outcome(program, run, place) for program in programs)
    if "error" in there or "error" in here:
        return [("result", there.get("error", "a run"), here.get("error", "a run"))]
    return [(key, there[key], here[key]) for key in COMPARED if there[key] != here[key]]


def lines_of(program):
    """The runs of one precisions, {name: {value: text}}."""
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    split = [line.split("\t") for line in done.stdout.splitlines()]
    return {name: dict(zip(COMPARED, values)) for name, *values in split}


def compare_precisions(programs, only):
    """What differs between runs that gossip-simulate has no field for; how many there are."""
    there, here = (lines_of(program) for program in programs)
    names = [name for name in here if re.search(only, name)]
    return [(name, key, there.get(name, {}).get(key, "no run"), here[name][key])
            for name in names for key in COMPARED
            if there.get(name, {}).get(key) != here[name][key]], len(names)


def can_run_ranks(programs):
    return shutil.which("mpirun") is not None and all(
        "libmpi" in subprocess.run(["ldd", program], capture_output=True, text=True,
                                   check=False).stdout for program in programs)


def progress(done, count, begin):
    left = (time.monotonic() - begin) * (count - done) / done
    last = "\n" if done == count or not sys.stderr.isatty() else ""
    if last == "" or done % 10 == 0 or done == count:
        print(f"\r{done} of {count} runs compared, {left:.0f} s left ", end=last, file=sys.stderr,
              flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default=".")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--precisions", nargs=2, type=pathlib.Path, metavar=("THERE", "HERE"))
    parser.add_argument("programs", nargs=2, type=pathlib.Path, metavar=("THERE", "HERE"))
    given = parser.parse_args()
    work = given.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    programs = [program.resolve() for program in given.programs]
    runs = [run for run in all_runs(work) if re.search(given.only, run[0])]
    names = [name for name, _, _ in runs]
    assert len(set(names)) == len(names), "two runs of one name"
    if not can_run_ranks(programs):
        left_out = sum(ranks > 1 for _, ranks, _ in runs)
        print(f"left out: {left_out} runs on several ranks, which need mpirun and MPI built in")
        runs = [run for run in runs if run[1] == 1]
    last, others = compare_precisions(given.precisions, given.only)
    if not runs and others == 0:
        print(f"compare_digests: --only: expected the pattern of a run, got '{given.only}'",
              file=sys.stderr)
        sys.exit(2)

    begin, rows = time.monotonic(), []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = {pool.submit(compare, programs, run, work): run[0] for run in runs}
        for done, future in enumerate(concurrent.futures.as_completed(found), 1):
            rows += [(found[future], *line) for line in future.result()]
            progress(done, len(runs), begin)
    rows.sort(key=lambda row: names.index(row[0]))
    rows += last
    count = len(runs) + others
    if rows:
        rows.insert(0, ("run", "what", "there", "here"))
        widths = [max(len(str(row[c])) for row in rows) for c in range(3)]
        for row in rows:
            print("  ".join(str(cell).ljust(width) for cell, width in zip(row, [*widths, 0])))
    different = len({row[0] for row in rows[1:]})
    print(f"{different} of {count} runs differ" if rows else f"{count} runs, none differs")
    sys.exit(1 if rows else 0)


if __name__ == "__main__":
    main()
