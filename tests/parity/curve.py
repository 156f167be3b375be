"""curve.py FOLDER: repeats in PyTorch what gossip-parity-curve wrote, in float and in double;
prints both curves and ends with status 1 where they part.

Training at this rate spreads what is apart, several times over at every step, in any program. So
the first ten steps say that both do the same in double, where 1e-16 does not reach 1e-6 by then. In
float it does reach the loss, and the differences are printed beside those of PyTorch's own float
and double. Later two courses of one process go on: the mean loss of the last 50 steps differs by
what is left of chance, 32 images a step, below 0.05.
"""

import json
import pathlib
import sys

import numpy
import torch

import zoo

LAST, WINDOW = 50, 20


def train(manifest, run, images, labels):
    """PyTorch's losses from the same start in the same precision."""
    kind, number = ("<f4", torch.float32) if run["number"] == "float32" else ("<f8", torch.float64)
    start = numpy.fromfile(manifest["folder"] / run["start"], kind)
    model = zoo.load_row(zoo.build("resnet20").to(number), start).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=manifest["rate"],
                                momentum=manifest["momentum"],
                                weight_decay=manifest["weight_decay"])
    losses = []
    for batch, truth in zip(images, labels[:len(run["losses"])]):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(batch.to(number)), truth)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return numpy.array(losses)


def written(differences):
    return " ".join(f"{d:.0e}" for d in differences)


def main(folder):
    torch.set_num_threads(1)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["folder"] = folder
    batch = manifest["batch"]
    images = torch.from_numpy(numpy.fromfile(folder / manifest["images"], "<f4"))
    labels = torch.from_numpy(
        numpy.fromfile(folder / manifest["labels"], "<u2").astype("int64")).view(-1, batch)
    theirs, theirs_in_double = [train(manifest, run, images.view(-1, batch, 3, 32, 32), labels)
                                for run in manifest["runs"]]
    ours, ours_in_double = [numpy.array(run["losses"]) for run in manifest["runs"]]

    print("steps        gossip   PyTorch   (mean loss, float)")
    for end in range(WINDOW, len(ours) + 1, WINDOW):
        part = slice(end - WINDOW, end)
        print(f"{end - WINDOW + 1:4}-{end:3}     {ours[part].mean():6.4f}   "
              f"{theirs[part].mean():6.4f}")
    first = numpy.abs(ours_in_double - theirs_in_double)
    last = abs(ours[-LAST:].mean() - theirs[-LAST:].mean())
    print("differences at the first steps")
    print("  gossip and PyTorch in double   " + written(first))
    print("  gossip and PyTorch in float    " + written(numpy.abs(ours - theirs)[:len(first)]))
    print("  PyTorch in float and double    "
          + written(numpy.abs(theirs[:len(first)] - theirs_in_double)))
    print(f"mean loss of the last {LAST} steps: {last:.4f} apart")
    return 0 if first.max() < 1e-6 and last < 0.05 else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
