"""All nodes of a group at once: stacked parameters, torch.func.vmap over them (functorch.vmap in
PyTorch 1.13). Batch normalisation keeps no running statistics here, which is less work."""
import torch
from torch import nn

from .eager import MOMENTUM, RATE
from .models import network

try:
    from torch.func import functional_call, grad, stack_module_state, vmap
    FROM = "torch.func"
except ImportError:
    try:
        from functorch import combine_state_for_ensemble, grad, vmap
        FROM = "functorch"
    except ImportError:
        FROM = None


def stack(nets):
    """The stacked parameters, as grad wants them, and call(parameters of one node, x)."""
    if FROM == "torch.func":
        parameters, _ = stack_module_state(nets)
        return ({name: p.detach() for name, p in parameters.items()},
                lambda own, x: functional_call(nets[0], own, (x,)))
    call, parameters, _ = combine_state_for_ensemble(nets)
    return tuple(p.detach() for p in parameters), lambda own, x: call(own, (), x)


def tensors(parameters):
    return list(parameters.values() if isinstance(parameters, dict) else parameters)


class VmappedGroup:
    def __init__(self, model, nodes, device="cpu"):
        nets = [network(model, tracks=False).to(device) for _ in range(nodes)]
        self.parameters, call = stack(nets)
        self.momentum = [torch.zeros_like(p) for p in tensors(self.parameters)]

        def loss(own, x, y):
            return nn.functional.cross_entropy(call(own, x), y)

        self.gradients = vmap(grad(loss))

    def step(self, inputs, labels):
        gradients = tensors(self.gradients(self.parameters, inputs, labels))
        for p, m, g in zip(tensors(self.parameters), self.momentum, gradients):
            p.add_(m.mul_(MOMENTUM).add_(g), alpha=-RATE)
