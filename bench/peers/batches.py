"""Batches that lie ready in memory, a few for each node of a group."""
import torch

SIZES = {"resnet20": 32, "resnet18": 128}  # samples of a batch; the other models have 64


def is_large(model):
    return model in SIZES


def batches(model, nodes, number, device="cpu", channels_last=False):
    """`number` pairs of inputs (nodes, batch, channels, height, width), labels (nodes, batch)."""
    batch = SIZES.get(model, 64)
    shape = (3, 32, 32) if is_large(model) else (1, 28, 28)
    torch.manual_seed(1)
    inputs = torch.rand(number * nodes * batch, *shape, device=device)
    if channels_last:
        inputs = inputs.to(memory_format=torch.channels_last)
    labels = torch.randint(0, 10, (number, nodes, batch), device=device)
    return list(zip(inputs.view(number, nodes, batch, *shape), labels))
