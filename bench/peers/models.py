"""The networks of gossip's zoo that the benchmarks train."""
from torch import nn


def norm(channels, tracks):
    return nn.BatchNorm2d(channels, track_running_stats=tracks)


class Block(nn.Module):
    """Two convolutions and a shortcut: a projection, or subsampled with zeros for new channels."""

    def __init__(self, channels, filters, stride, projects, tracks):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, filters, 3, stride, 1, bias=False), norm(filters, tracks),
            nn.ReLU(inplace=True),
            nn.Conv2d(filters, filters, 3, 1, 1, bias=False), norm(filters, tracks))
        self.more, self.shortcut = filters - channels, None
        if projects and self.more:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels, filters, 1, stride, bias=False), norm(filters, tracks))

    def forward(self, x):
        beside = x
        if self.shortcut is not None:
            beside = self.shortcut(x)
        elif self.more:
            beside = nn.functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, 0, self.more))
        return nn.functional.relu(self.body(x) + beside, inplace=True)


def residual_network(widths, blocks, projects, tracks):
    layers = [nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), norm(widths[0], tracks),
              nn.ReLU(inplace=True)]
    channels = widths[0]
    for filters in widths:
        for _ in range(blocks):
            stride = 2 if filters > channels else 1
            layers.append(Block(channels, filters, stride, projects, tracks))
            channels = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10))


def network(model, tracks=True):
    """tracks: whether batch normalisation keeps running statistics, which torch.func cannot."""
    if model == "resnet20":
        return residual_network([16, 32, 64], 3, projects=False, tracks=tracks)
    if model == "resnet18":
        return residual_network([64, 128, 256, 512], 2, projects=True, tracks=tracks)
    if model == "lenet5":
        return nn.Sequential(
            nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
    if model == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 100), nn.ReLU(), nn.Linear(100, 10))
    if model == "softmax_regression":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    raise ValueError(f"no model {model}")
