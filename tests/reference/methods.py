"""Methods of decentralized learning in NumPy, each from the equations of its paper.

A method is a generator: method(problem, rate, ...) yields X (nodes, parameters) at the start and
after every round. problem has start() X, gradient(X) with row i the gradient of node i at row i, and
the weights metropolis and lazy, (nodes, nodes). Other arguments have the paper's names. Nothing here is
taken from the library: where it rearranges a recursion, this is the recursion.
"""


def d_psgd(problem, rate):
    """Lian et al. 2017, Algorithm 1: X+ = W X - rate G(X)."""
    X, W = problem.start(), problem.metropolis
    while True:
        yield X
        X = W @ X - rate * problem.gradient(X)


def d_psgd_adapting(problem, rate):
    """Adapt then combine: X+ = W (X - rate G(X))."""
    X, W = problem.start(), problem.metropolis
    while True:
        yield X
        X = W @ (X - rate * problem.gradient(X))


def diging(problem, rate):
    """Nedic, Olshevsky, Shi 2017: X+ = W X - rate Y, Y+ = W Y + G(X+) - G(X), Y = G at first."""
    X, W = problem.start(), problem.metropolis
    G = Y = problem.gradient(X)
    while True:
        yield X
        X = W @ X - rate * Y
        before, G = G, problem.gradient(X)
        Y = W @ Y + G - before


def atc_tracking(problem, rate):
    """Di Lorenzo, Scutari 2016: X+ = W (X - rate Y), Y+ = W Y + G(X+) - G(X)."""
    X, W = problem.start(), problem.metropolis
    G = Y = problem.gradient(X)
    while True:
        yield X
        X = W @ (X - rate * Y)
        before, G = G, problem.gradient(X)
        Y = W @ Y + G - before


def momentum_mixing(problem, rate, beta):
    """Yu, Jin, Yang 2019: V = beta U + G(X), X+ = W (X - rate V), U = W V."""
    X, W = problem.start(), problem.metropolis
    U = 0 * X
    while True:
        yield X
        V = beta * U + problem.gradient(X)
        X, U = W @ (X - rate * V), W @ V
