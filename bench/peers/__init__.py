"""What a PyTorch user gets on gossip's benchmarks.

models, batches   the networks and the samples, as the benchmark programs have them
eager, vmapped    one step of a group of nodes: one model after the other, or all stacked
graphed           the same step as a CUDA graph
mixing            W X
__main__          the process that times them, told on standard input what to do
ways              which of them a model is tried in
processes         what bench/run.py asks those processes with; needs no PyTorch
"""
