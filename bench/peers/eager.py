"""The loop over nodes that most simulators are: a model and an optimizer each."""
import torch
from torch import nn

from .models import network

RATE, MOMENTUM = 0.01, 0.9
PRECISIONS = {"fp16": torch.float16, "bf16": torch.bfloat16}


def loss_scaler():
    if hasattr(torch, "amp") and hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler("cuda")
    return torch.cuda.amp.GradScaler()  # before PyTorch 2.3


class EagerGroup:
    """precision: of autocast on a GPU, where None is what PyTorch does by default. fp16 scales its
    loss, which makes the host wait at every step."""

    def __init__(self, model, nodes, device="cpu", channels_last=False, foreach=False,
                 precision=None):
        layout = torch.channels_last if channels_last else torch.contiguous_format
        self.nets = [network(model).to(device, memory_format=layout) for _ in range(nodes)]
        self.optimizers = [
            torch.optim.SGD(net.parameters(), lr=RATE, momentum=MOMENTUM, foreach=foreach)
            for net in self.nets]
        self.loss = nn.CrossEntropyLoss()
        self.precision = PRECISIONS.get(precision)
        scales = precision == "fp16"
        self.scalers = [loss_scaler() if scales else None for _ in range(nodes)]

    def step(self, inputs, labels):
        for x, y, net, optimizer, scaler in zip(inputs, labels, self.nets, self.optimizers,
                                                self.scalers):
            optimizer.zero_grad(set_to_none=True)
            if self.precision is None:
                loss = self.loss(net(x), y)
            else:
                with torch.autocast("cuda", dtype=self.precision):
                    loss = self.loss(net(x), y)
            if scaler is None:
                loss.backward()
                optimizer.step()
            else:
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
