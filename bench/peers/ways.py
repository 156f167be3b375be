"""The ways in which PyTorch is tried on a model."""

LARGE = ["resnet20", "resnet18"]


class Way:
    """nodes: of all processes; at_once: of a step, or as many as a process has. together: one
    process with all cores, else one a core with a thread each and its share of the nodes."""

    def __init__(self, name, way, nodes, at_once, together=False, device="cpu", **options):
        self.name, self.way, self.nodes, self.at_once = name, way, nodes, at_once
        self.together, self.device, self.options = together, device, options

    def request(self, model, processes, threads, seconds):
        share = max(1, self.nodes // processes)
        return {"do": "train", "model": model, "way": self.way, "nodes": share,
                "at_once": min(self.at_once, share), "device": self.device, "threads": threads,
                "seconds": seconds, "options": self.options}


def eager(device="cpu", nodes=1, layouts=(True, False), **more):
    """One model again and again, or a loop over nodes: every layout with fused SGD and without."""
    name = "eager" if nodes == 1 else f"eager loop over {nodes} nodes"
    return [Way(", ".join([name] + ["channels-last"] * layout + ["foreach"] * fused), "eager",
                nodes, nodes, device=device, channels_last=layout, foreach=fused, **more)
            for layout in layouts for fused in (True, False)]


def one_model(model):
    """Of a single model: what it takes on every core, all its weights in the cache."""
    if model in LARGE:
        return [Way("eager, channels-last" + ", all cores" * t, "eager", 1, 1, together=t,
                    channels_last=True, foreach=False) for t in (False, True)]
    return eager(layouts=(True, False) if model == "lenet5" else (False,))


def on_cpu(model):
    """Lists of ways by kind, of each of which the quickest counts: the work of a network of 100
    small nodes, and of one model again and again."""
    if model == "resnet18":
        return {"PyTorch eager": one_model(model)}
    if model == "resnet20":
        return {"PyTorch eager": one_model(model),
                "PyTorch vmap": [Way("vmap over 4 nodes", "vmap", 8, 4)]}
    layouts = (True, False) if model == "lenet5" else (False,)
    return {"PyTorch eager": one_model(model) + eager(nodes=100, layouts=layouts),
            "PyTorch vmap": [Way(f"vmap over {n} nodes", "vmap", 100, n) for n in (10, 50)] +
                            [Way("vmap over 100 nodes, all cores", "vmap", 100, 100,
                                 together=True)]}


def on_gpu(model):
    """The same: a thousand small nodes, or one ResNet-18."""
    if model == "resnet18":
        forms = [{"channels_last": True, "foreach": True, "precision": p}
                 for p in ("fp16", "bf16")]
        return {
            "PyTorch eager, AMP": [
                Way(f"eager, channels-last, {f['precision']}", "eager", 1, 1, device="cuda", **f)
                for f in forms],
            "PyTorch graphs": [Way("CUDA graph, channels-last, bf16", "eager", 1, 1, device="cuda",
                                graphs=True, **forms[1])]}
    nodes = 1000
    return {
        "PyTorch eager": eager("cuda", nodes, layouts=(False,)),
        "PyTorch vmap": [Way(f"vmap over {n} nodes", "vmap", nodes, n, device="cuda")
                         for n in (100, 500)],
        "PyTorch graphs": [
            Way("CUDA graphs of 50 eager nodes", "eager", nodes, 50, device="cuda", foreach=True,
                graphs=True),
            Way("CUDA graphs of vmap over 100 nodes", "vmap", nodes, 100, device="cuda",
                graphs=True)]}
