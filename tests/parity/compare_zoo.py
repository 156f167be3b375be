"""compare_zoo.py FOLDER: repeats in PyTorch what gossip-parity-zoo wrote and compares every
parameter, every running statistic of batch normalisation and the losses in evaluation mode.

gossip in double and in float is held against PyTorch in float64 from the same start. How far
rounding may carry a network of 20 layers is measured, not guessed: PyTorch repeats the steps while
each layer's output, and each gradient on its way back, is off by what a sum may be off by. With u
the unit roundoff, 2^-53 or 2^-24, and m the terms of the network's longest sum (a filter's inputs,
or a channel's values in a batch), m roundings of partial sums no larger than the result add up to
about u sqrt(m) of its size. A draw moves each value by twice that, times the root mean square of
its channel and a normal number, and so each channel as a whole, for what its values share. In
float a rectifier or pooling window whose input lies within rounding of a tie may take the other
branch; one in the last block of ResNet-18 moves all that lies before it by a hundredth. So in a
draw for float that unit of each such layer takes it which is nearest its tie. Then each value of
tensor X, of gradient G, may differ after t steps by

  draws     twice the largest difference in the tensor that a draw makes
  gradient  2 t rate u sqrt(m) max|G|: the gradient's own sums
  rounding  u (4 + 2 t) max|X|: x itself is rounded at every step

and so each training loss, from twice its draws. In evaluation PyTorch has the row that gossip has
after the steps, statistics included: its losses say that both read it alike. The bound's share of
a tensor's largest move, printed as the median over tensors and the largest, says what such a
comparison would find: in double all of it must be below 1e-9, so that no error in a formula hides;
in float the median must be below a half.

Ends with status 1 and the worst tensor's name where a bound is exceeded.
"""

import json
import pathlib
import sys

import numpy
import torch
from torch import nn

import zoo

DRAWS, LARGER = 2, 2


class Perturbed(torch.autograd.Function):
    """The identity, but for errors of a relative size in values and in gradients."""

    @staticmethod
    def forward(context, x, size):
        context.size = size
        return x + errors(x, size)

    @staticmethod
    def backward(context, gradient):
        return gradient + errors(gradient, context.size), None


def errors(x, size):
    channels = (1, x.shape[1]) + (1,) * (x.dim() - 2)
    others = tuple(d for d in range(x.dim()) if d != 1)
    root_mean_square = x.square().mean(others).sqrt().view(channels)
    return size * root_mean_square * (torch.randn_like(x) + torch.randn(channels, dtype=x.dtype))


def switched(layer, x, out):
    """The output, but that the unit nearest its tie takes the other branch."""
    if isinstance(layer, nn.ReLU):
        unit = x.abs().argmin()
        step = x.flatten()[unit] * (-1 if x.flatten()[unit] > 0 else 1)
    elif isinstance(layer, nn.MaxPool2d):
        windows = x.unfold(2, 2, 2).unfold(3, 2, 2).reshape(-1, 4).topk(2).values
        gaps = windows[:, 0] - windows[:, 1]
        unit = torch.where(gaps > 0, gaps, torch.full_like(gaps, torch.inf)).argmin()
        step = -gaps[unit]
    else:
        return out
    return out.flatten().index_add(0, unit.view(1), step.view(1)).view_as(out)


def perturb(model, size, switches):
    """Makes each layer err by that relative size and, where it has branches, at its nearest tie."""

    def hook(layer, given, out):
        return Perturbed.apply(switched(layer, given[0], out) if switches else out, size)

    for layer in model.modules():
        if not list(layer.children()):
            layer.register_forward_hook(hook)


def longest_sum(model, images):
    """Terms of the longest sum: inputs of a unit, or a channel's values in the batch."""
    terms = [1]

    def watch(layer, given, out):
        if isinstance(layer, (nn.Conv2d, nn.Linear)):
            terms.append(layer.weight[0].numel())
        if isinstance(layer, (nn.Conv2d, nn.BatchNorm2d)):
            terms.append(out.numel() // out.shape[1])

    hooks = [layer.register_forward_hook(watch) for layer in model.modules()]
    with torch.no_grad():
        model.eval()(images)
    for hook in hooks:
        hook.remove()
    return max(terms)


def undisturbed(model):
    pass


class Outcome:
    """What training leaves: row, losses, and the largest gradient of each parameter tensor."""

    def __init__(self, entry, manifest, start, batches, disturb):
        model = zoo.load_row(zoo.build(entry["model"]).double(), start)
        disturb(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=manifest["rate"],
                                    momentum=manifest["momentum"],
                                    weight_decay=manifest["weight_decay"])
        self.losses = numpy.zeros(len(batches))
        for step, (images, labels) in enumerate(batches):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
            self.losses[step] = loss.item()
        self.row = zoo.row_of(model)
        self.names = [name for name, _ in zoo.named_columns(model)]
        self.sizes = [tensor.numel() for _, tensor in zoo.named_columns(model)]
        self.gradients = [float(p.grad.abs().max()) for p in model.parameters()]

    def tensors(self, row):
        return numpy.split(row, numpy.cumsum(self.sizes)[:-1])

    def largest(self, row):
        """The largest magnitude in each tensor."""
        return numpy.array([numpy.abs(part).max() for part in self.tensors(row)])


def test_losses(entry, row, tested, disturb):
    """Losses of images in evaluation mode, each and their sum, and how many are right."""
    model = zoo.load_row(zoo.build(entry["model"]).double(), row).eval()
    disturb(model)
    with torch.no_grad():
        scores = model(tested[0])
    each = nn.functional.cross_entropy(scores, tested[1], reduction="none")
    return numpy.append(each.numpy(), each.sum()), int((scores.argmax(1) == tested[1]).sum())


def compare_rows(what, manifest, start, got, exact, draws, unit, size):
    steps, gradients = len(exact.losses), numpy.zeros(len(exact.sizes))
    gradients[:len(exact.gradients)] = exact.gradients
    bound = 2 * numpy.max([exact.largest(d.row - exact.row) for d in draws], axis=0)
    bound += LARGER * steps * manifest["rate"] * size * gradients
    bound += unit * (4 + 2 * steps) * exact.largest(exact.row)
    error = exact.largest(got - exact.row)
    worst = int(numpy.argmax(error / bound))
    move = exact.largest(exact.row - start)[:len(exact.gradients)]
    moving = move > 1e-6  # a bias before normalisation does not
    shares = bound[:len(move)][moving] / move[moving]
    print(f"{what:24} largest difference {error.max():8.2e}; "
          f"{100 * error[worst] / bound[worst]:5.2f} % of its bound at {exact.names[worst]}; "
          f"bounds of moves {numpy.median(shares):8.2e}, {shares.max():8.2e}")
    finds = shares.max() < 1e-9 if unit < 2.0 ** -30 else numpy.median(shares) < 0.5
    return bool((error <= bound).all()) and bool(finds)


def compare_losses(what, got, exact, draws, unit):
    bound = 2 * numpy.max([numpy.abs(d - exact) for d in draws], axis=0) + 8 * unit * exact
    error = numpy.abs(numpy.array(got) - exact)
    worst = int(numpy.argmax(error / bound))
    print(f"{what:24} largest difference {error.max():8.2e} of {exact[error.argmax()]:6.4f}; "
          f"{100 * error[worst] / bound[worst]:5.2f} % of its bound")
    return bool((error <= bound).all())


def compare(entry, run, manifest, batches, tested, folder):
    """Whether one model in one precision is what PyTorch says."""
    kind, unit = ("<f4", 2.0 ** -24) if run["number"] == "float32" else ("<f8", 2.0 ** -53)
    start = numpy.fromfile(folder / run["start"], kind).astype("float64")
    got = numpy.fromfile(folder / run["after"], kind).astype("float64")
    terms = longest_sum(zoo.build(entry["model"]).double(), batches[0][0])
    size = unit * terms ** 0.5

    def disturb(model):
        perturb(model, LARGER * size, model.training and unit > 2.0 ** -30)

    exact = Outcome(entry, manifest, start, batches, undisturbed)
    draws = [Outcome(entry, manifest, start, batches, disturb) for _ in range(DRAWS)]
    tests, correct = test_losses(entry, got, tested, undisturbed)
    test_draws = [test_losses(entry, got, tested, disturb)[0] for _ in range(DRAWS)]
    what = f"{entry['model']} {run['number']}"
    results = [compare_rows(what, manifest, start, got, exact, draws, unit, size),
               compare_losses("  losses in training", run["losses"], exact.losses,
                              [d.losses for d in draws], unit),
               compare_losses("  losses in evaluation", run["test_losses"], tests, test_draws,
                              unit),
               run["correct"] == correct,
               zoo.loads_by_name(what, zoo.build(entry["model"]), folder / run["named"], got)]
    return all(results)


def batches_of(entry, folder):
    """The batches of the steps, and the images tested on."""
    labels = numpy.fromfile(folder / entry["labels"], "<u2").astype("int64")
    images = numpy.fromfile(folder / entry["images"], "<f4").astype("float64")
    shape = (1, 28, 28) if entry["model"] == "lenet5_classic" else (3, 32, 32)
    images, labels = torch.from_numpy(images).view(-1, *shape), torch.from_numpy(labels)
    parts = list(zip(images.split(entry["batch"]), labels.split(entry["batch"])))
    return parts[:entry["steps"]], parts[entry["steps"]]


def main(folder):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    manifest = json.loads((folder / "manifest.json").read_text())
    results = []
    for entry in manifest["models"]:
        batches, tested = batches_of(entry, folder)
        for run in entry["runs"]:
            results.append(compare(entry, run, manifest, batches, tested, folder))
            if not results[-1]:
                print(f"FAILED: {entry['model']} {run['number']}")
    print(f"{sum(results)} of {len(results)} comparisons hold, each for every number of the row")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
