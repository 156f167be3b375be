"""W X for the models X of all nodes and a sparse W."""
import time

import torch


def mix(how, nodes, columns, threads):
    """W has the pattern of an 8-regular graph with self-loops; 4 bytes a number, in and out."""
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    offsets = torch.randperm(nodes - 1)[:8] + 1
    rows = torch.arange(nodes).repeat_interleave(9)
    steps = torch.cat([torch.zeros(1, dtype=torch.long), offsets])
    neighbors = (torch.arange(nodes)[:, None] + steps[None, :]) % nodes
    entries = torch.stack([rows, neighbors.flatten()])
    w = torch.sparse_coo_tensor(entries, torch.full((9 * nodes,), 1 / 9), (nodes, nodes)).coalesce()
    w = {"dense": w.to_dense, "csr": w.to_sparse_csr, "coo": lambda: w}[how]()
    x = torch.rand(nodes, columns)
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        y = w @ x
        best = min(best, time.perf_counter() - begin)
        del y
    return {"bytes": 2 * 4 * nodes * columns, "seconds": best}
