"""gossip's programs and PyTorch on the same work, in turns.

Whatever becomes a ratio is measured side by side, several times in turn, and the ratio reported is
the median of the turns'."""
from peers import ways
from table import middle

SMALL = ["lenet5", "mlp", "softmax_regression"]
RESNETS = {"resnet20": "ResNet-20, d_psgd, batch 32, 8 nodes",
           "resnet18": "ResNet-18, d_psgd, batch 128, 2 nodes"}

# What ./dev bench holds the tree to: ratios to the roofline, to PyTorch, to a plain copy.
HELD = {"roofline": {"lenet5": 0.85}, "copy": 0.75,
        "PyTorch": {"lenet5": 1.4, "mlp": 2, "softmax_regression": 4.5, "resnet20": 1,
                    "resnet18": 1, "mixing": 5}}
# What ./dev bench peers measures it by: the aims, against PyTorch in every way that it has.
AIMED = {"roofline": {"lenet5": 0.85}, "copy": 0.75,
         "PyTorch": {"lenet5": 1.4, "mlp": 2.2, "softmax_regression": 5, "resnet20": 1,
                     "resnet18": 1, "mixing": 5},
         "GPU": {"lenet5": {"PyTorch eager": 20, "PyTorch vmap": 3},
                 "resnet18": {"PyTorch eager, AMP": 1}, "copy": 0.8}}


def one_model(model):
    return {"PyTorch": ways.one_model(model)}


class Turns:
    """Runs of ours between runs of theirs, and the lines that come of them."""

    def __init__(self, table, programs, peers, quick):
        self.table, self.programs, self.peers, self.quick = table, programs, peers, quick

    def take(self, model, program, prefix, turns, seconds):
        """Figures of ours, and rates of theirs by kind, turn by turn."""
        kinds = list(self.peers.best.get(model, {}))
        ours, theirs = [], {kind: [] for kind in kinds}
        for _ in range(1 if self.quick else turns):
            before = [self.peers.train(model, kind, seconds) for kind in kinds]
            ours.append(self.programs.run(program, "--only", prefix))
            after = [self.peers.train(model, kind, seconds) for kind in kinds]
            for kind, b, a in zip(kinds, before, after):
                theirs[kind].append((b + a) / 2 if b and a else None)
        return ours, theirs

    def add_roofline(self, title, name, ours, bar):
        rates, limits = ([turn.get(f"{name}.{what}") for turn in ours]
                         for what in ("rate", "limit"))
        self.table.add(title, middle(rates), "/s", middle(limits), "roofline",
                       middle([r and r / l for r, l in zip(rates, limits)]), bar=bar)

    def add_peers(self, title, name, ours, theirs, bars):
        """A line for each kind of theirs; one without figures where there is none."""
        rates = [turn.get(f"{name}.rate") for turn in ours]
        for kind, others in (theirs or {"PyTorch": [None] * len(rates)}).items():
            ratios = [r / t if r and t else None for r, t in zip(rates, others)]
            bar = bars.get(kind) if isinstance(bars, dict) else bars
            self.table.add(title, middle(rates), "/s", middle(others), kind, middle(ratios),
                           bar=bar)


def throughput(turns, bars, kinds):
    """Whole simulations, next to the roofline and to PyTorch."""
    for model in SMALL:
        turns.peers.choose(model, kinds(model))
        ours, theirs = turns.take(model, "throughput", model + ".", 3, 0.7 if turns.quick else 1.5)
        for exchange in ["d_psgd", "ad_psgd"]:
            name, title = f"{model}.{exchange}", f"{model}, {exchange}, 100 nodes"
            turns.add_roofline(title, name, ours, bars["roofline"].get(model))
            turns.add_peers(title, name, ours, theirs, bars["PyTorch"][model])


def resnets(turns, bars, kinds):
    """Residual networks in D-PSGD, next to PyTorch without exchange."""
    for model, title in RESNETS.items():
        turns.peers.choose(model, kinds(model))
        ours, theirs = turns.take(model, "resnets", model, 2, 3)
        turns.add_roofline(title, model + ".d_psgd", ours, None)
        turns.add_peers(title, model + ".d_psgd", ours, theirs, bars["PyTorch"][model])


def mixing(turns, bars):
    nodes, columns = 1000, 43_108  # a tenth of LeNet-5's for PyTorch: time goes with columns
    before = turns.peers.mix(nodes, columns)
    ours = turns.programs.run("mixing")
    theirs = before and max(before, turns.peers.mix(nodes, columns))
    rate, copy = ours.get("mixing"), ours.get("copy.plain")
    what = f"W X, {ours.get('nodes', nodes):.0f} LeNet-5, degree 8"
    turns.table.add(what, rate, "GB/s", copy, "plain copy", bar=bars["copy"])
    turns.table.add(what, rate, "GB/s", theirs and theirs * 1e-9, "PyTorch",
                    bar=bars["PyTorch"]["mixing"])


def on_gpu(turns, bars):
    """A thousand resident LeNet-5s, one ResNet-18, W X."""
    if not turns.peers.gpu():
        return
    for model, title in [("resnet18", "GPU: resnet18, one node, batch 128"),
                         ("lenet5", "GPU: lenet5, d_psgd, 1000 nodes")]:
        turns.peers.choose(model, ways.on_gpu(model), 3)
        ours, theirs = turns.take(model, "cuda_training", model, 2, 5)
        turns.add_peers(title, model, ours, theirs, bars["GPU"][model])
    got = turns.programs.run("cuda_training", "--only", "mixing")
    turns.table.add("GPU: W X, 1000 LeNet-5, degree 8", got.get("mixing"), "GB/s",
                    got.get("copy"), "copy", bar=bars["GPU"]["copy"])
