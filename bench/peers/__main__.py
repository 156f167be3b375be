"""python3 -m peers, in bench/: says which PyTorch this is, then times what each line asks for.

Each line is a JSON object and is answered by one:
  {"do": "train", "model": "lenet5", "way": "eager", "nodes": 100, "at_once": 1, "device": "cpu",
   "threads": 1, "seconds": 1, "options": {"channels_last": true, "foreach": false}}
      -> {"iterations": ..., "seconds": ...}      of all nodes together; SGD with momentum
  {"do": "gpu"} -> {"name": ...}                  of the one that "device": "cuda" means
  {"do": "mix", "how": "dense", "nodes": 1000, "columns": 43108, "threads": 2}
      -> {"bytes": ..., "seconds": ...}           W X, the best of several
A way that this PyTorch does not have, or that fails, is answered by {"refused": "why"}.
"""
import gc
import json
import sys
import time

import torch

from . import vmapped
from .batches import batches, is_large
from .eager import EagerGroup
from .graphed import GraphedGroup
from .mixing import mix
from .vmapped import VmappedGroup

GROUPS = {"eager": EagerGroup, "vmap": VmappedGroup}


def groups_of(model, way, nodes, at_once, device, options):
    """Pairs of a group of `at_once` nodes and its batches."""
    options = dict(options)
    graphs = options.pop("graphs", False)
    pool = torch.cuda.graph_pool_handle() if graphs else None
    number = 4 if is_large(model) else max(2, 50 // nodes)
    work = []
    for _ in range(max(1, nodes // at_once)):
        group = GROUPS[way](model, at_once, device, **options)
        ready = batches(model, at_once, number, device, options.get("channels_last", False))
        if graphs:
            group = GraphedGroup(group, *ready[0], pool)
        work.append((group, ready))
    return work


def train(model, way, nodes, at_once, device, threads, seconds, options):
    """Batches are views of tensors that lie ready; nothing is exchanged."""
    if way == "vmap" and vmapped.FROM is None:
        return {"refused": "neither torch.func nor functorch"}
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    torch.backends.cudnn.benchmark = True
    work = groups_of(model, way, nodes, at_once, device, options)
    between_looks = 1 if is_large(model) or at_once > 5 else 5  # steps between looks at the clock

    def step(k):
        group, ready = work[k % len(work)]
        group.step(*ready[k // len(work) % len(ready)])

    def wait():
        if device == "cuda":
            torch.cuda.synchronize()

    for k in range(max(between_looks, min(len(work), 20))):
        step(k)
    wait()
    steps, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(between_looks):
            step(steps)
            steps += 1
    wait()
    return {"iterations": steps * at_once, "seconds": time.perf_counter() - begin}


def gpu():
    return {"name": torch.cuda.get_device_name()}


def answer(request):
    try:
        return {"train": train, "mix": mix, "gpu": gpu}[request.pop("do")](**request)
    except Exception as failure:  # PyTorch refuses with many kinds; the next request may work
        return {"refused": f"{type(failure).__name__}: {str(failure).splitlines()[0:1]}"}


def main():
    print(json.dumps({"torch": torch.__version__, "vmap": vmapped.FROM,
                      "gpu": torch.cuda.is_available()}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
        gc.collect()
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()  # others use this GPU in turns


main()
