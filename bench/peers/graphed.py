"""The step of a group as a CUDA graph: one launch instead of one for each kernel."""
import torch


class GraphedGroup:
    """Captures group.step after a few steps have made what it allocates once. Graphs that are given
    one pool share memory, for they run one after the other."""

    def __init__(self, group, inputs, labels, pool):
        self.inputs, self.labels = torch.empty_like(inputs), torch.empty_like(labels)
        self.inputs.copy_(inputs)
        self.labels.copy_(labels)
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                group.step(self.inputs, self.labels)
        torch.cuda.current_stream().wait_stream(aside)
        self.group = group  # holds what the graph works on
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=pool):
            group.step(self.inputs, self.labels)

    def step(self, inputs, labels):
        self.inputs.copy_(inputs)
        self.labels.copy_(labels)
        self.graph.replay()
