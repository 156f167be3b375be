"""compare_mixed.py FOLDER: repeats in PyTorch the gradients in fp16 that gossip-parity-mixed wrote.

PyTorch computes in float64 and numpy rounds to float16: parameters, images, what each layer writes,
and every gradient on its way back, once where it leaves a layer and once more where the gradients
of a value that two layers read are added. A rectifier behind normalisation or behind a sum is one
layer with it. Statistics, softmax and loss are not rounded. The sums of both programs differ in
their last digits only, so that a number can round the other way where it lies that close to the
middle of two; all others are the same, and the mean difference shows that nothing else is done.
"""

import json
import pathlib
import sys

import numpy
import torch
from torch import nn

import zoo


def rounded(x):
    return torch.from_numpy(x.detach().numpy().astype(numpy.float16).astype(numpy.float64))


class Rounded(torch.autograd.Function):
    """The nearest numbers of fp16, and of the gradient on its way back."""

    @staticmethod
    def forward(context, x):
        return rounded(x)

    @staticmethod
    def backward(context, gradient):
        return rounded(gradient)


def round_layers(model):
    """Makes every layer read and write numbers of fp16."""
    joined = set()  # rectifiers that are one layer with what stands before them
    before_one = set()
    for group in model.modules():
        if isinstance(group, zoo.Block):
            joined.add(group.rectifier)
        if isinstance(group, nn.Sequential):
            for first, second in zip(group, list(group)[1:]):
                if isinstance(first, nn.BatchNorm2d) and isinstance(second, nn.ReLU):
                    before_one.add(first)
                    joined.add(second)
    for layer in model.modules():
        if list(layer.children()) or (isinstance(layer, nn.Sequential) and not len(layer)):
            continue
        if layer not in joined:
            layer.register_forward_pre_hook(lambda _, given: tuple(map(Rounded.apply, given)))
        if layer not in before_one:
            layer.register_forward_hook(lambda _, given, out: Rounded.apply(out))


def gradient(entry, folder):
    start = numpy.fromfile(folder / entry["start"], "<f8")
    labels = torch.from_numpy(numpy.fromfile(folder / entry["labels"], "<u2").astype("int64"))
    shape = (1, 28, 28) if entry["model"].startswith("lenet5") else (3, 32, 32)
    images = torch.from_numpy(numpy.fromfile(folder / entry["images"], "<f8")).view(-1, *shape)
    model = zoo.load_row(zoo.build(entry["model"]).double(), start)
    for parameter in model.parameters():
        parameter.data = rounded(parameter.data)
    round_layers(model)
    loss = nn.functional.cross_entropy(model(images), labels)
    (loss * entry["scale"]).backward()
    parts = [rounded(p.grad).reshape(-1) / entry["scale"] for p in model.parameters()]
    return torch.cat(parts).numpy(), loss.item()


def compare(entry, folder):
    expected, loss = gradient(entry, folder)
    got = numpy.fromfile(folder / entry["gradient"], "<f8")[:expected.size]
    same = float((got == expected).mean())
    apart = numpy.abs(got - expected).max() / numpy.abs(expected).max()
    print(f"{entry['model']:16} loss {entry['loss']:.12f}, {loss:.12f}; {expected.size} numbers, "
          f"{100 * same:.4f} % the same, the others at most {apart:.1e} of the largest apart")
    return same > 0.999 and apart < 2.0 ** -10 and abs(loss - entry["loss"]) < 1e-6


def main(folder):
    torch.set_num_threads(1)
    manifest = json.loads((folder / "manifest.json").read_text())
    results = [compare(entry, folder) for entry in manifest]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
