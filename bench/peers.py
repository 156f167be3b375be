#!/usr/bin/env python3
"""What a PyTorch user gets: one process of bench/run.py's, told what to time on standard input.

Each line is a JSON object and is answered by one:
  {"do": "train", "model": "lenet5", "channels_last": true, "foreach": false, "threads": 1,
   "seconds": 1}
      -> {"iterations": ..., "seconds": ...}      eager, SGD with momentum
  {"do": "mix", "how": "dense", "nodes": 1000, "columns": 43108, "threads": 2}
      -> {"bytes": ..., "seconds": ...}           W X, the best of several
"""
import json
import sys
import time

import torch
from torch import nn

BATCHES = {"resnet20": 32, "resnet18": 128}
BATCH = 64  # of the others


class Block(nn.Module):
    """Two convolutions and a shortcut: a projection, or subsampled with zeros for new channels."""

    def __init__(self, channels, filters, stride, projects):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, filters, 3, stride, 1, bias=False), nn.BatchNorm2d(filters),
            nn.ReLU(inplace=True),
            nn.Conv2d(filters, filters, 3, 1, 1, bias=False), nn.BatchNorm2d(filters))
        self.more, self.shortcut = filters - channels, None
        if projects and self.more:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels, filters, 1, stride, bias=False), nn.BatchNorm2d(filters))

    def forward(self, x):
        beside = x
        if self.shortcut is not None:
            beside = self.shortcut(x)
        elif self.more:
            beside = nn.functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, 0, self.more))
        return nn.functional.relu(self.body(x) + beside, inplace=True)


def residual_network(widths, blocks, projects):
    layers = [nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), nn.BatchNorm2d(widths[0]),
              nn.ReLU(inplace=True)]
    channels = widths[0]
    for filters in widths:
        for _ in range(blocks):
            stride = 2 if filters > channels else 1
            layers.append(Block(channels, filters, stride, projects))
            channels = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10))


def network(model):
    if model == "resnet20":
        return residual_network([16, 32, 64], 3, projects=False)
    if model == "resnet18":
        return residual_network([64, 128, 256, 512], 2, projects=True)
    if model == "lenet5":
        return nn.Sequential(
            nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
    if model == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 100), nn.ReLU(), nn.Linear(100, 10))
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 10))


def train(model, channels_last, foreach, threads, seconds):
    """Batches are views of tensors that lie ready; nothing is exchanged."""
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    net = network(model)
    batch, large = BATCHES.get(model, BATCH), model in BATCHES
    number = 4 if large else 50
    shape = (3, 32, 32) if large else (1, 28, 28)
    inputs = torch.rand(batch * number, *shape)
    labels = torch.randint(0, 10, (batch * number,))
    if channels_last:
        net = net.to(memory_format=torch.channels_last)
        inputs = inputs.to(memory_format=torch.channels_last)
    batches = list(zip(inputs.split(batch), labels.split(batch)))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, foreach=foreach)
    loss = nn.CrossEntropyLoss()

    def step(k):
        x, y = batches[k % number]
        optimizer.zero_grad(set_to_none=True)
        loss(net(x), y).backward()
        optimizer.step()

    at_once = 1 if large else 5
    for k in range(at_once):
        step(k)
    iterations, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(at_once):
            step(iterations)
            iterations += 1
    return {"iterations": iterations, "seconds": time.perf_counter() - begin}


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


print(json.dumps({"torch": torch.__version__}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    answer = {"train": train, "mix": mix}[request.pop("do")](**request)
    print(json.dumps(answer), flush=True)
