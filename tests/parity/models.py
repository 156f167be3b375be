"""models.py SIMULATE FOLDER: every model of gossip-simulate goes from PyTorch to gossip and back.

A model that PyTorch has made is saved by the package safetensors; gossip-simulate --start begins
with it, and its first observation must have PyTorch's scores. Two nodes train it for a round on
data of their own; --export writes them and their mean, which PyTorch loads by name
(strict=True) and must score as gossip did. Scores are accuracy, the same number of samples, and
loss, within 1e-5 of its size or 1e-6.

Ends with status 1 where a score differs.
"""

import json
import pathlib
import subprocess
import sys

import numpy
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

import compare
import zoo

SMALL = {"lenet5", "mlp", "softmax_regression"}
failures = 0


def check(what, right, text):
    global failures
    failures += not right
    print(f"{what:44} {'' if right else 'FAILED: '}{text}")


def build(name):
    return compare.build(name) if name in SMALL else zoo.build(name)


def write_data(path, shape):
    """40 training and 24 test samples of 10 classes that are far from each other."""
    random = numpy.random.default_rng(5)
    classes = random.normal(size=(10,) + shape)
    sets = {}
    for part, n in ("train", 40), ("test", 24):
        y = numpy.arange(n) % 10
        x = 0.3 * classes[y] + random.normal(size=(n,) + shape)
        sets["x_" + part], sets["y_" + part] = x.astype(numpy.float32), y
    numpy.savez(path, **sets)
    return torch.from_numpy(sets["x_test"]), torch.from_numpy(sets["y_test"])


def scores(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
        right = (out.argmax(1) == y).double().mean().item()
        return right, torch.nn.functional.cross_entropy(out, y).item()


def same(ours, theirs):
    return abs(ours[0] - theirs[0]) < 1e-9 and abs(ours[1] - theirs[1]) <= 1e-6 + 1e-5 * theirs[1]


def model_built_in(simulate):
    """The models of --list that are in this build."""
    lines = subprocess.run([simulate, "--list"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("model"))
    names = []
    for line in lines[start + 1:]:
        if not line.startswith("  "):
            break
        if line[2] != " " and "not in this build" not in line:
            names.append(line.split()[0])
    return names


def run(simulate, folder, *settings):
    """The lines of metrics.jsonl."""
    words = [simulate, "--quiet", "--out", str(folder)]
    for pointer, value in settings:
        words += ["--set", f"{pointer}={value if isinstance(value, str) else json.dumps(value)}"]
    words += ["--export", "mean", "--export", "nodes", "--start", f"{folder}.safetensors"]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return [json.loads(line) for line in (folder / "metrics.jsonl").open()]


def check_classifier(name, simulate, folder, data):
    torch.manual_seed(3)
    colours = name in ("lenet5_cifar10",) or name.startswith(("resnet", "vgg"))
    shape = (3, 32, 32) if colours else (1, 28, 28)
    if shape not in data:
        data[shape] = write_data(folder / f"{shape[0]}.npz", shape)
    x, y = data[shape]
    model = build(name)
    model.train()
    for _ in range(3):  # statistics that are not those of the start
        model(x)
    save_file(model.state_dict(), folder / f"{name}.safetensors")
    lines = run(simulate, folder / name, ("/model", {"kind": name}), ("/exchange", "none"),
                ("/data", {"kind": "numpy", "path": str(folder / f"{shape[0]}.npz")}),
                ("/topology", {"kind": "complete", "nodes": 2}), ("/batch", 4),
                ("/optimizer", {"kind": "sgd", "rate": 0.01}), ("/stop", {"rounds": 2}),
                ("/evaluate", {"every": {"rounds": 2}, "nodes": 0, "samples": 0,
                               "each_node": True}))
    theirs = scores(model, x, y)
    ours = lines[0]["accuracy"]["mean"], lines[0]["test_loss"]
    check(f"{name} from PyTorch", same(ours, theirs), f"accuracy, loss {ours}, PyTorch's {theirs}")

    nodes = json.loads((folder / name / "nodes.jsonl").read_text().splitlines()[-1])["nodes"]
    tensors = []
    for i in range(2):
        tensors.append(load_file(folder / name / "nodes" / f"{i}.safetensors"))
        model.load_state_dict(tensors[i], strict=True)
        theirs = scores(model, x, y)
        ours = nodes["accuracy"][i], nodes["loss"][i]  # of four digits
        near = abs(ours[0] - theirs[0]) < 6e-5 and abs(ours[1] - theirs[1]) < 6e-5 + 1e-5 * theirs[1]
        check(f"{name} to PyTorch, node {i}", near, f"accuracy, loss {ours}, PyTorch's {theirs}")
    moved = any((tensors[0][key] != tensors[1][key]).any() for key in tensors[0])
    check(f"{name}, its nodes", moved, "are two models")

    mean = load_file(folder / name / "mean.safetensors")
    far = max(float((mean[key].double() - (tensors[0][key].double() + tensors[1][key]) / 2).abs().max()
                    / (1e-30 + mean[key].abs().max())) for key in mean)
    check(f"{name}, the mean", far < 1e-6, f"{far:.1e} from that of the nodes, of the largest")
    model.load_state_dict(mean, strict=True)
    right, theirs = lines[-1]["averaged_model_accuracy"], scores(model, x, y)[0]
    check(f"{name} to PyTorch, the mean", abs(right - theirs) < 1e-9,
          f"accuracy {right}, PyTorch's {theirs}")


def check_quadratic(simulate, folder):
    """x - rate curvature (x - optimum), written from the formula."""
    rate, curvature, optimum = 0.5, 0.25, numpy.array([3.0, -1.0])
    start = torch.arange(16, dtype=torch.float32) / 8
    save_file({"parameters": start}, folder / "quadratic.safetensors")
    run(simulate, folder / "quadratic", ("/exchange", "none"),
        ("/model", {"kind": "quadratic", "curvature": [curvature], "optimum": [3.0, -1.0],
                    "noise": 0}),
        ("/topology", {"kind": "complete", "nodes": 2}), ("/stop", {"rounds": 1}),
        ("/optimizer", {"kind": "sgd", "rate": rate, "momentum": 0, "weight_decay": 0,
                        "schedule": "constant"}))
    for i in range(2):
        with safe_open(folder / "quadratic" / "nodes" / f"{i}.safetensors", "pt") as file:
            x = file.get_tensor("parameters").double().numpy()
        expected = start.double().numpy() - rate * curvature * (start.double().numpy() - optimum[i])
        far = float(numpy.abs(x - expected).max())
        check(f"quadratic from PyTorch and back, node {i}", far < 1e-6, f"{far:.1e} from its formula")


def main(simulate, folder):
    data, names = {}, model_built_in(simulate)
    for name in names:
        if name == "quadratic":
            check_quadratic(simulate, folder)
        else:
            check_classifier(name, simulate, folder, data)
    print(f"{len(names)} models, {failures} failed")
    return failures > 0 or "mlp" not in names


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
