"""The large models of gossip's zoo in PyTorch, their tensors in the order of gossip's rows."""

import json

import numpy
import torch
from torch import nn
from torch.nn import functional


class Subsample(nn.Module):
    """Every second row and column, behind them channels of zeros: option A of He et al."""

    def forward(self, x):
        x = x[:, :, ::2, ::2]
        return functional.pad(x, (0, 0, 0, 0, 0, x.shape[1]))


def filters(inputs, outputs, kernel=3, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False)


class Block(nn.Module):
    def __init__(self, inputs, outputs, project):
        super().__init__()
        stride = 1 if inputs == outputs else 2
        self.body = nn.Sequential(
            filters(inputs, outputs, 3, stride), nn.BatchNorm2d(outputs), nn.ReLU(),
            filters(outputs, outputs), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Sequential()
        if inputs != outputs:
            self.shortcut = nn.Sequential(filters(inputs, outputs, 1, stride),
                                          nn.BatchNorm2d(outputs)) if project else Subsample()
        self.rectifier = nn.ReLU()

    def forward(self, x):
        return self.rectifier(self.body(x) + self.shortcut(x))


def resnet(widths, project):
    layers = [filters(3, widths[0]), nn.BatchNorm2d(widths[0]), nn.ReLU()]
    layers += [Block(i, o, project) for i, o in zip(widths[:1] + widths, widths)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(widths[-1], 10))


def vgg(plan):
    layers, inputs = [], 3
    for entry in plan:
        if entry == "pool":
            layers.append(nn.MaxPool2d(2))
            continue
        layers += [nn.Conv2d(inputs, entry, 3, padding=1), nn.BatchNorm2d(entry), nn.ReLU()]
        inputs = entry
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(512, 10))


def build(name):
    if name == "lenet5_classic":
        return nn.Sequential(
            nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5),
            nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(),
            nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))
    if name == "lenet5_cifar10":
        return nn.Sequential(
            nn.Conv2d(3, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
            nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84),
            nn.ReLU(), nn.Linear(84, 10))
    if name == "resnet20":
        return resnet([16] * 3 + [32] * 3 + [64] * 3, project=False)
    if name == "resnet18":
        return resnet([64] * 2 + [128] * 2 + [256] * 2 + [512] * 2, project=True)
    if name == "vgg11":
        return vgg([64, "pool", 128, "pool", 256, 256, "pool", 512, 512, "pool", 512, 512, "pool"])
    if name == "vgg16":
        return vgg([64, 64, "pool", 128, 128, "pool", 256, 256, 256, "pool", 512, 512, 512, "pool",
                    512, 512, 512, "pool"])
    raise ValueError(name)


def named_columns(model):
    """Name and tensor of everything in a row: parameters, then means and variances of each batch
    normalisation."""
    columns = [(name, p.data) for name, p in model.named_parameters()]
    for name, layer in model.named_modules():
        if isinstance(layer, nn.BatchNorm2d):
            columns.append((name + ".mean", layer.running_mean))
            columns.append((name + ".variance", layer.running_var))
    return columns


def tensors_in(path):
    """The tensors of a safetensors file by name: 8 bytes with the length of a JSON header, then it,
    then the numbers."""
    content = path.read_bytes()
    begin = 8 + int.from_bytes(content[:8], "little")
    tensors = {}
    for name, entry in json.loads(content[8:begin]).items():
        first, last = (begin + offset for offset in entry["data_offsets"])
        numbers = numpy.frombuffer(content[first:last], {"F32": "<f4", "F64": "<f8"}[entry["dtype"]])
        tensors[name] = torch.from_numpy(numbers.copy()).view(entry["shape"])
    return tensors


def loads_by_name(what, model, path, row):
    """Whether a model takes the tensors of a file by their names and shapes, none left out or over,
    and is then what a row says."""
    tensors = tensors_in(path)
    model = model.to(next(iter(tensors.values())).dtype)
    model.load_state_dict(tensors, strict=True)
    same = bool((row_of(model) == row).all())
    print(f"{what:44} {len(tensors)} tensors by name: {'the same' if same else 'FAILED: others'}")
    return same


def row_of(model):
    return torch.cat([tensor.reshape(-1) for _, tensor in named_columns(model)]).double().numpy()


def load_row(model, row):
    place = 0
    for _, tensor in named_columns(model):
        part = torch.from_numpy(row[place:place + tensor.numel()]).to(tensor.dtype)
        tensor.copy_(part.view_as(tensor))
        place += tensor.numel()
    assert place == row.size, f"{place} numbers in PyTorch's model, {row.size} in gossip's row"
    return model
