"""compare.py FOLDER: repeats in PyTorch what gossip-parity wrote and compares every parameter.

gossip in double and in float is held against PyTorch in float64 from the same start. With u the
unit roundoff of its type, 2^-53 or 2^-24, a parameter x of tensor X may differ after t steps by

  rounding  u (4 + 2 t) max|X|: x itself is rounded at every step, its gradient, a sum of thousands
            of terms of either sign, is off by some u max|g|, and rate max|g| is below max|X|
  Adam      sum over steps of rate min(2, 64 u max|G| / (sqrt(v) + epsilon)): it divides a gradient
            by its own size, and what is left of one near 0 is rounding. No step exceeds rate, so
            no two differ by more than 2 rate.
  switches  in float after several steps: a rectifier or a pooling window whose input lies within
            rounding of a tie takes the other branch for a sample; of LeNet-5's million inputs one
            in 20 steps. Two for each parameter are allowed. One moves x by rate / (1 - momentum)
            times a sample's share of the gradient, at most the largest input of its layer times
            the largest gradient of an output; with Adam by 2 rate.

Ends with status 1 and the worst parameter's name where a bound is exceeded.
"""

import json
import pathlib
import sys

import numpy
import torch

import zoo

SWITCHES = 2


def build(name):
    nn = torch.nn
    if name == "lenet5":
        return nn.Sequential(
            nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
    if name == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 100), nn.ReLU(), nn.Linear(100, 10))
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 10))


def optimizer_of(o, parameters):
    if o["kind"] == "sgd":
        return torch.optim.SGD(parameters, lr=o["rate"], momentum=o["momentum"],
                               nesterov=o["nesterov"], weight_decay=o["weight_decay"])
    kind = torch.optim.Adam if o["kind"] == "adam" else torch.optim.AdamW
    return kind(parameters, lr=o["rate"], betas=(o["first_decay"], o["second_decay"]),
                eps=o["epsilon"], weight_decay=o["weight_decay"])


def row_of(tensors):
    return torch.cat([t.detach().reshape(-1) for t in tensors]).numpy()


def model_at(name, start):
    model = build(name).double()
    row = torch.tensor(start, dtype=torch.float64)
    torch.nn.utils.vector_to_parameters(row, model.parameters())
    return model


def largest_of_tensors(row, sizes):
    """The largest magnitude in each tensor, at every place of the row."""
    parts = numpy.split(numpy.abs(row), numpy.cumsum(sizes)[:-1])
    return numpy.concatenate([numpy.full(p.size, p.max()) for p in parts])


def adam_reach(o, optimizer, step, sizes):
    """How far one unit of rounding in a gradient moves each parameter at this step of Adam."""
    states = [optimizer.state[p] for p in optimizer.param_groups[0]["params"]]
    second = row_of([s["exp_avg_sq"] for s in states]) / (1 - o["second_decay"] ** step)
    gradient = row_of([p.grad for p in optimizer.param_groups[0]["params"]])
    return 64 * largest_of_tensors(gradient, sizes) / (numpy.sqrt(second) + o["epsilon"])


def watch_shares(model):
    """A list that holds, after a pass, the largest share of a sample in each tensor's gradient."""
    layers = [m for m in model if len(list(m.parameters())) > 0]
    inputs, shares = {}, [0.0] * (2 * len(layers))

    def forward(layer, given):
        inputs[layer] = float(given[0].abs().max())

    def backward(layer, _, gradient):
        largest = float(gradient[0].abs().max())
        place = 2 * layers.index(layer)
        shares[place:place + 2] = largest * inputs[layer], largest  # weights, biases

    for layer in layers:
        layer.register_forward_pre_hook(forward)
        layer.register_full_backward_hook(backward)
    return shares


def has_branches(model):
    return any(isinstance(m, (torch.nn.ReLU, torch.nn.MaxPool2d)) for m in model)


def switch_reach(o, shares):
    """How far a sample that takes another branch moves the parameters of each tensor."""
    if o["kind"] != "sgd":
        return numpy.full(len(shares), 2 * o["rate"])
    return o["rate"] / (1 - o["momentum"]) * numpy.array(shares)


def train(name, start, o, batches, steps, unit):
    """The parameters after each of the steps, and how far rounding may have moved each by then."""
    model = model_at(name, start)
    optimizer = optimizer_of(o, model.parameters())
    sizes = [p.numel() for p in model.parameters()]
    shares, switch, adam = watch_shares(model), numpy.zeros(len(sizes)), numpy.zeros(sum(sizes))
    after = {}
    for step, (images, labels) in enumerate(batches, 1):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images.double()), labels).backward()
        optimizer.step()
        switch = numpy.maximum(switch, switch_reach(o, shares))
        if o["kind"] != "sgd":
            adam += o["rate"] * numpy.minimum(2, unit * adam_reach(o, optimizer, step, sizes))
        if step not in steps:
            continue
        row = row_of(model.parameters())
        bound = unit * (4 + 2 * step) * largest_of_tensors(row, sizes) + adam
        if unit > 2.0 ** -30 and step > 1 and has_branches(model):
            bound += SWITCHES * numpy.repeat(switch, sizes)
        after[step] = row, bound
    return after


def parameter_name(name, place):
    for tensor, values in build(name).named_parameters():
        if place < values.numel():
            return f"{tensor}[{place}]"
        place -= values.numel()


def compare(what, name, got, exact, bound):
    """Prints the largest difference; returns whether every parameter is within its bound."""
    error = numpy.abs(got - exact)
    shares = numpy.nan_to_num(error / bound, nan=numpy.inf)
    worst = int(numpy.argmax(shares))
    where = parameter_name(name, worst)
    print(f"{what:44} largest difference {error.max():8.2e}, "
          f"of the largest parameter {error.max() / numpy.abs(exact).max():8.2e}; "
          f"{100 * shares[worst]:6.2f} % of its bound at {where}")
    if shares[worst] <= 1:
        return True
    print(f"FAILED: {what}: parameter {worst}, {where}, is {got[worst]!r}, in PyTorch "
          f"{exact[worst]!r}")
    return False


def label(o):
    if o["kind"] != "sgd":
        return o["kind"]
    return "nesterov" if o["nesterov"] else "momentum" if o["momentum"] else "sgd"


def compare_model(folder, entry, batches, steps):
    """Whether each comparison of one model in one precision holds."""
    name, number = entry["model"], entry["number"]
    kind, unit = ("<f4", 2.0 ** -24) if number == "float32" else ("<f8", 2.0 ** -53)
    start = numpy.fromfile(folder / entry["start"], kind).astype("float64")
    yield zoo.loads_by_name(f"{name} {number}", build(name), folder / entry["named"], start)
    for run in entry["runs"]:
        o = run["optimizer"]
        for step, (exact, bound) in train(name, start, o, batches, steps, unit).items():
            got = numpy.fromfile(folder / run["after"][str(step)], kind).astype("float64")
            yield compare(f"{name} {number} {label(o)} after {step}", name, got, exact, bound)


def main(folder):
    torch.set_num_threads(1)
    manifest = json.loads((folder / "manifest.json").read_text())
    batch, steps = manifest["batch"], manifest["steps"]
    images = numpy.fromfile(folder / manifest["images"], "<f4").reshape(-1, batch, 1, 28, 28)
    labels = numpy.fromfile(folder / manifest["labels"], "<u2").astype("int64").reshape(-1, batch)
    batches = [(torch.from_numpy(i), torch.from_numpy(l)) for i, l in zip(images, labels)]
    results = [result for entry in manifest["models"]
               for result in compare_model(folder, entry, batches, steps)]
    print(f"{sum(results)} of {len(results)} comparisons hold, each for every parameter")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
