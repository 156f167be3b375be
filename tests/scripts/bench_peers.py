"""bench_peers.py: whether what the benchmarks time in PyTorch is the work that gossip does, and
whether their table says so."""
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import beside
from peers import vmapped, ways
from peers.batches import batches
from peers.eager import EagerGroup
from peers.models import network
from peers.processes import Peers
from peers.vmapped import VmappedGroup
from table import Table

PARAMETERS = {"softmax_regression": 7_850, "mlp": 79_510, "lenet5": 431_080, "resnet20": 269_722,
              "resnet18": 11_173_962}


def models_are_those_of_the_zoo():
    for model, count in PARAMETERS.items():
        assert sum(p.numel() for p in network(model).parameters()) == count, model


def stacked_models_step_as_single_ones_do():
    """Two steps in double, where another order of sums makes 1e-16 of values of order 1."""
    if vmapped.FROM is None:
        print("not tried: this PyTorch has neither torch.func nor functorch")
        return
    for model in ["softmax_regression", "mlp", "lenet5", "resnet20"]:
        groups = []
        for kind in (EagerGroup, VmappedGroup):
            torch.manual_seed(3)
            groups.append(kind(model, 3))
        single = [list(net.parameters()) for net in groups[0].nets]
        start = [p.clone() for p in single[0]]
        for inputs, labels in batches(model, 3, 2):
            for group in groups:
                group.step(inputs, labels)
        stacked = vmapped.tensors(groups[1].parameters)
        assert len(stacked) == len(start), model
        for t, together in enumerate(stacked):
            for node in range(3):
                apart = (together[node] - single[node][t]).abs().max().item()
                assert apart < 1e-10, f"{model}, tensor {t}, node {node}: {apart}"
        assert any((p - q).abs().max() > 1e-6 for p, q in zip(start, single[0])), model
        assert any((p - q).abs().max() > 1e-6 for p, q in zip(single[1], single[0])), model


def networks_are_shared_among_processes():
    for model in PARAMETERS:
        for tried in ways.on_cpu(model).values():
            for way in tried:
                asked = way.request(model, 2, 1, 1)
                assert asked["nodes"] == max(1, way.nodes // 2), way.name
                assert asked["nodes"] % asked["at_once"] == 0, way.name


def the_quickest_way_of_each_kind_is_kept():
    said = []
    peers = Peers(said.append)
    assert peers.version == torch.__version__, said
    kinds = {"eager": ways.eager(layouts=(False,)),
             "vmap": [ways.Way("vmap", "vmap", 4, 2)],
             "none": [ways.Way("on no device", "eager", 1, 1, device="cuda")]}
    peers.choose("softmax_regression", kinds, 0.05)
    tried = peers.tried["softmax_regression"]
    best = peers.best["softmax_regression"]["eager"]
    assert tried[best.name] == max(tried["eager"], tried["eager, foreach"]) > 0
    assert peers.train("softmax_regression", "eager", 0.05) > 0
    if not peers.gpu():
        assert tried["on no device"] is None and len(said) == 1, said
        assert peers.train("softmax_regression", "none", 0.05) is None
    if vmapped.FROM is not None:
        assert tried["vmap"] > 0
    peers.end()


class Recorded:
    """Stands in for the programs and for PyTorch."""

    def __init__(self, figures, rates):
        self.figures, self.rates = figures, rates
        self.best = {"mlp": dict.fromkeys(rates)}

    def run(self, *_):
        return self.figures

    def choose(self, *_):
        pass

    def train(self, _, kind, __):
        return self.rates[kind]


def the_table_measures_against_every_kind():
    table = Table()
    ours = Recorded({"mlp.d_psgd.rate": 300.0, "mlp.d_psgd.limit": 400.0}, {})
    theirs = Recorded({}, {"PyTorch eager": 100.0, "PyTorch vmap": 200.0})
    turns = beside.Turns(table, ours, theirs, quick=False)
    rates, others = turns.take("mlp", "throughput", "mlp.", 3, 1)
    turns.add_roofline("mlp", "mlp.d_psgd", rates, 0.85)
    turns.add_peers("mlp", "mlp.d_psgd", rates, others, 2.2)
    turns.add_peers("mlp", "mlp.d_psgd", rates, {}, 2.2)
    seen = [(line["other_name"], line["ratio"], line["met"]) for line in table.lines]
    assert seen == [("roofline", 0.75, False), ("PyTorch eager", 3.0, True),
                    ("PyTorch vmap", 1.5, False), ("PyTorch", None, None)], seen
    assert table.missed() == ["mlp / roofline", "mlp / PyTorch vmap"], table.missed()


torch.set_num_threads(1)
models_are_those_of_the_zoo()
networks_are_shared_among_processes()
the_table_measures_against_every_kind()
the_quickest_way_of_each_kind_is_kept()
torch.set_default_dtype(torch.float64)
stacked_models_step_as_single_ones_do()
print("the peers do the same work, and the table says how they compare")
