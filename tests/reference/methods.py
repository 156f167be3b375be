"""Methods of decentralized learning in NumPy, each from the equations of its paper.

A method is a generator: method(problem, rate, ...) yields X (nodes, parameters) at the start and
after every round. problem has start() X, gradient(X) with row i the gradient of node i at row i, and
(nodes, nodes) the weights metropolis and lazy, and shares, whose columns sum to 1; and matchings,
lists of the partner of every node, and active, lists of three nodes, in the order in which they are
drawn; matcha, its matchings, alpha, and those at work in every round; and of methods by event
happened: [time, kind, node, other node, first column] in their order, see KINDS. Other arguments have
the paper's names. Nothing here is taken from the library: where it rearranges a recursion, this is
the recursion.
"""

import itertools

import numpy


KINDS = TRAINED, ARRIVED, SENT = range(3)


def mean_of_all(X):
    """The mean of the nodes, on every node."""
    return numpy.tile(X.mean(axis=0), (len(X), 1))


def largest_of_rows(X, ratio):
    """Of every row the numbers of greatest magnitude, of equal ones the first; 0 for others."""
    order = numpy.argsort(-numpy.abs(X), axis=1, kind="stable")
    kept = order[:, :max(1, int(ratio * X.shape[1]))]
    sparse = 0 * X
    numpy.put_along_axis(sparse, kept, numpy.take_along_axis(X, kept, axis=1), axis=1)
    return sparse


def aggregated(problem, rate, rule):
    """Iterates of nodes that step, then take rule(own model, all models of the neighborhood)."""
    near = problem.metropolis != 0

    def iterates(X):
        while True:
            yield X
            H = X - rate * problem.gradient(X)
            X = numpy.array([rule(h, H[inputs]) for h, inputs in zip(H, near)])
    return iterates(problem.start())


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


def d_psgd_mixed(problem, rate):
    """Combine then adapt with gradients of mixtures: X+ = W X - rate G(W X)."""
    X, W = problem.start(), problem.metropolis
    while True:
        yield X
        X = W @ X - rate * problem.gradient(W @ X)


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


def local_sgd(problem, rate, H):
    """Stich 2019, Algorithm 1: X - rate G(X), in every H-th round averaged."""
    X = problem.start()
    for t in itertools.count(1):
        yield X
        X = X - rate * problem.gradient(X)
        X = mean_of_all(X) if t % H == 0 else X


def local_sgd_momentum(problem, rate, H, beta, buffers):
    """Yu, Jin, Yang 2019, Algorithm 1, U and X averaged together; or U kept, or 0 again."""
    X = problem.start()
    U = 0 * X
    for t in itertools.count(1):
        yield X
        U = beta * U + problem.gradient(X)
        X = X - rate * U
        if t % H == 0:
            X = mean_of_all(X)
            U = {"average": mean_of_all(U), "keep": U, "reset": 0 * U}[buffers]


def d2(problem, rate):
    """Tang et al. 2018, Algorithm 1: X++ = W (2 X+ - X - rate (G(X+) - G(X)))."""
    X, W = problem.start(), problem.metropolis
    yield X
    G = problem.gradient(X)
    before, X = X, W @ (X - rate * G)
    while True:
        yield X
        old, G = G, problem.gradient(X)
        before, X = X, W @ (2 * X - before - rate * (G - old))


def exact_diffusion(problem, rate):
    """Yuan et al. 2019: adapt P, correct F = P+ + X - P, combine X+ = W F; lazy weights."""
    X, W = problem.start(), problem.lazy
    P = X
    while True:
        yield X
        adapted = X - rate * problem.gradient(X)
        X, P = W @ (adapted + X - P), adapted


def extra(problem, rate):
    """Shi et al. 2015, (2.13): X++ = (I + W) X+ - (I + W) / 2 X - rate (G(X+) - G(X))."""
    X, W = problem.start(), problem.metropolis
    identity = numpy.eye(len(W))
    yield X
    G = problem.gradient(X)
    before, X = X, W @ X - rate * G
    while True:
        yield X
        old, G = G, problem.gradient(X)
        before, X = X, (identity + W) @ X - (identity + W) / 2 @ before - rate * (G - old)


def gut(problem, rate, mu, mixed):
    """Aketi et al. 2023: Y = D + mu (W Y' - G'), D = G - (W - I) X / rate, X+ = X - rate Y, with a
    prime for the round before; gradients at X or at W X."""
    X, W = problem.start(), problem.metropolis
    Y = G = 0 * X
    while True:
        yield X
        tracked = W @ Y - G
        G = problem.gradient(W @ X if mixed else X)
        Y = G - (W @ X - X) / rate + mu * tracked
        X = X - rate * Y


def quasi_global_momentum(problem, rate, beta, mu, nesterov):
    """Lin et al. 2021, Algorithm 1, with its Nesterov form as PyTorch has it."""
    X, W = problem.start(), problem.metropolis
    M = 0 * X
    while True:
        yield X
        G = problem.gradient(X)
        U = beta * M + G
        before, X = X, W @ (X - rate * (G + beta * U if nesterov else U))
        M = mu * M + (1 - mu) * (before - X) / rate


def slow_mo(problem, rate, tau, alpha, beta, mixed=False):
    """Wang et al. 2020, Algorithm 1; the base is local SGD, or D-PSGD where models are mixed."""
    X, W = problem.start(), problem.metropolis
    start, U = X, 0 * X
    for t in itertools.count(1):
        yield X
        X = (W @ X if mixed else X) - rate * problem.gradient(X)
        if t % tau == 0:
            U = beta * U + (start - mean_of_all(X)) / rate
            X = start = start - alpha * rate * U


def diloco(problem, rate, H, outer_rate, mu):
    """Douillard et al. 2023, Algorithm 1; Nesterov's method as he wrote it, in two sequences:
    z+ = y - outer_rate D(y), y+ = z+ + mu (z+ - z), y the model that nodes start from."""
    X = problem.start()
    y = z = X
    for t in itertools.count(1):
        yield X
        X = X - rate * problem.gradient(X)
        if t % H == 0:
            old, z = z, y - outer_rate * (y - mean_of_all(X))
            X = y = z + mu * (z - old)


def streaming_diloco(problem, rate, H, P, tau, alpha, outer_rate, mu):
    """Douillard et al. 2025, Algorithm 2: the mean of fragment p begins t steps in, t = p H / P modulo
    H, and its outer step of Nesterov's comes tau steps later."""
    X = Y = problem.start()
    d = X.shape[1]
    U, sent = 0 * X, {}
    for t in itertools.count(1):
        yield X
        X = X - rate * problem.gradient(X)
        for p in range(P):
            part, turn = slice(p * d // P, (p + 1) * d // P), p * H // P
            X, Y, U = X.copy(), Y.copy(), U.copy()
            if t % H == turn:
                sent[p] = (Y - mean_of_all(X))[:, part]
            if t > tau and (t - tau) % H == turn:
                U[:, part] = mu * U[:, part] + sent[p]
                Y[:, part] -= outer_rate * (sent[p] + mu * U[:, part])
                X[:, part] = alpha * X[:, part] + (1 - alpha) * Y[:, part]


def noloco(problem, rate, H, alpha, beta, gamma):
    """Kolehmainen et al. 2025: M = alpha M + beta mean (X - Y) + gamma (mean Y - Y), Y+ = Y + M, with
    means of pairs."""
    X = Y = problem.start()
    M, matchings = 0 * X, iter(problem.matchings)
    for t in itertools.count(1):
        yield X
        X = X - rate * problem.gradient(X)
        if t % H == 0:
            other = next(matchings)
            D = X - Y
            M = alpha * M + beta * (D + D[other]) / 2 + gamma * ((Y + Y[other]) / 2 - Y)
            X = Y = Y + M


def gasloc(problem, rate, H, eta, alpha, gamma, pairs=False):
    """Cagnasso et al. 2026: U = Y + eta (X - Y), Y+ = U - alpha (I - W) U + gamma (U - U before), with
    W of the graph or of pairs that average."""
    X = Y = before = problem.start()
    matchings = iter(problem.matchings)
    for t in itertools.count(1):
        yield X
        X = X - rate * problem.gradient(X)
        if t % H == 0:
            U = Y + eta * (X - Y)
            mixed = (U + U[next(matchings)]) / 2 if pairs else problem.metropolis @ U
            X = Y = U - alpha * (U - mixed) + gamma * (U - before)
            before = U


def fed_prox(problem, rate, H, mu):
    """Li et al. 2020, Algorithm 2, of all clients, by H steps; of McMahan et al. 2017 with mu = 0. The
    model of the server."""
    X = problem.start()
    while True:
        yield X[:1]
        Y = X
        for _ in range(H):
            Y = Y - rate * (problem.gradient(Y) + mu * (Y - X))
        X = mean_of_all(Y)


def fed_opt(problem, rate, H, by, eta, beta1, beta2=0, tau=0):
    """Reddi et al. 2021, Algorithm 2, of all clients; momentum as Hsu et al. 2019 have it. The model
    of the server."""
    X = problem.start()
    M, V = 0 * X, 0 * X + tau ** 2
    while True:
        yield X[:1]
        Y = X
        for _ in range(H):
            Y = Y - rate * problem.gradient(Y)
        D = mean_of_all(Y) - X
        M = beta1 * M + (D if by == "momentum" else (1 - beta1) * D)
        V = {"momentum": V,
             "adagrad": V + D ** 2,
             "yogi": V - (1 - beta2) * D ** 2 * numpy.sign(V - D ** 2),
             "adam": beta2 * V + (1 - beta2) * D ** 2}[by]
        X = X + (eta * M if by == "momentum" else eta * M / (numpy.sqrt(V) + tau))


def scaffold(problem, rate, K, eta, option):
    """Karimireddy et al. 2020, Algorithm 1, of all clients. The model of the server."""
    X = problem.start()
    C, own = 0 * X, 0 * X
    while True:
        yield X[:1]
        Y = X
        for _ in range(K):
            Y = Y - rate * (problem.gradient(Y) - own + C)
        new = problem.gradient(X) if option == 1 else own - C + (X - Y) / (K * rate)
        X = X + eta * mean_of_all(Y - X)
        C, own = C + mean_of_all(new - own), new


def decent_lam(problem, rate, beta):
    """Yuan et al. 2021, Algorithm 2: momentum of (X - W (X - rate G(X))) / rate."""
    X, W = problem.start(), problem.metropolis
    M = 0 * X
    while True:
        yield X
        M = beta * M + (X - W @ (X - rate * problem.gradient(X))) / rate
        X = X - rate * M


def momentum_tracking(problem, rate, beta):
    """Takezawa et al. 2023, Algorithm 1: U = beta U + G(X), X+ = W X - rate (U - C),
    C+ = W (C - U) + U. With fixed weights it is gradient tracking of an optimizer with momentum:
    both filters are linear and commute."""
    X, W = problem.start(), problem.metropolis
    U = C = 0 * X
    while True:
        yield X
        U = beta * U + problem.gradient(X)
        X = W @ X - rate * (U - C)
        C = W @ (C - U) + U


def relay_sgd(problem, rate):
    """Vogels et al. 2021, Algorithm 1, on the tree that a search by breadth from node 0 finds; for models
    that have not come a node takes its own."""
    X, n = problem.start(), len(problem.metropolis)
    found, edges = [0], []
    for i in found:
        for j in range(n):
            if problem.metropolis[i, j] != 0 and j not in found:
                found.append(j)
                edges += [(i, j), (j, i)]
    sums = {edge: 0 * X[0] for edge in edges}
    counts = dict.fromkeys(edges, 0)
    while True:
        yield X
        H = X - rate * problem.gradient(X)
        relayed = {(i, j): [(k, l) for k, l in edges if l == i and k != j] for i, j in edges}
        sums, counts = ({(i, j): H[i] + sum(sums[e] for e in relayed[i, j]) for i, j in edges},
                        {e: 1 + sum(counts[r] for r in relayed[e]) for e in edges})
        arrived = [[e for e in edges if e[1] == i] for i in range(n)]
        missing = [n - 1 - sum(counts[e] for e in arrived[i]) for i in range(n)]
        X = numpy.array([(H[i] + sum(sums[e] for e in arrived[i]) + missing[i] * H[i]) / n
                         for i in range(n)])


def sam_d_psgd(problem, rate, rho):
    """Foret et al. 2021, Algorithm 1, by every node, then mixed: G at X + rho G(X) / |G(X)|."""
    X, W = problem.start(), problem.metropolis
    while True:
        yield X
        G = problem.gradient(X)
        ahead = X + rho * G / numpy.linalg.norm(G, axis=1, keepdims=True)
        X = W @ (X - rate * problem.gradient(ahead))


def epidemic_learning(problem, rate):
    """De Vos et al. 2023 with all others for peers, which leaves nothing to chance."""
    X = problem.start()
    while True:
        yield X
        X = mean_of_all(X - rate * problem.gradient(X))


def matcha(problem, rate):
    """Wang et al. 2022: W = I - alpha sum_j L_j of the matchings at work, of the Laplacians I - P_j."""
    X, drawn = problem.start(), problem.matcha
    identity = numpy.eye(len(X))
    laplacians = [identity - identity[partners] for partners in drawn["matchings"]]
    for at_work in itertools.chain(drawn["at_work"], [[]]):
        yield X
        W = identity - drawn["share"] * sum(L for L, works in zip(laplacians, at_work) if works)
        X = W @ (X - rate * problem.gradient(X))


def suda(problem, rate, form):
    """Alghunaim, Yuan 2022: X+ = A (C X - rate G(X)) - B Y, Y+ = Y + B X+, with A, B^2 and C polynomials
    of W: exact diffusion, EXTRA and gradient tracking are one recursion."""
    X, W, L = problem.start(), problem.metropolis, problem.lazy
    I = numpy.eye(len(X))
    A, square, C = {"exact_diffusion": (L, I - L, I), "extra": (I, (I - W) / 2, (I + W) / 2),
                    "diging": (I, (I - W) @ (I - W), W @ W), "next": (W, (I - W) @ (I - W), W)}[form]
    values, vectors = numpy.linalg.eigh(square)
    B = vectors @ numpy.diag(numpy.sqrt(numpy.maximum(values, 0))) @ vectors.T
    Y = 0 * X
    while True:
        yield X
        X = A @ (C @ X - rate * problem.gradient(X)) - B @ Y
        Y = Y + B @ X


def ad_psgd(problem, rate):
    """Lian et al. 2018, Algorithm 1: a node averages with another, then steps by its gradient at what
    it had when it began."""
    X = problem.start()
    read = X.copy()
    for k, (_, _, i, j, _) in enumerate(problem.happened):
        if k % len(X) == 0:
            yield X.copy()
        G = problem.gradient(read)[i]
        X[i] = X[j] = (X[i] + X[j]) / 2
        X[i] = read[i] = X[i] - rate * G
    yield X


def a2cid2(problem, rate):
    """Nabli et al. 2023, Algorithm 1, with averages where nodes have trained: chi_1 is the inverse of
    the second smallest eigenvalue of the Laplacian of the rates of edges, chi_2 half of its greatest
    effective resistance."""
    X = problem.start()
    n, near = len(X), (problem.metropolis != 0) & ~numpy.eye(len(X), dtype=bool)
    often = near * (1 / near.sum(axis=1)[:, None] + 1 / near.sum(axis=1))
    laplacian = numpy.diag(often.sum(axis=1)) - often
    inverse = numpy.linalg.pinv(laplacian)
    apart = numpy.diag(inverse)[:, None] + numpy.diag(inverse) - 2 * inverse
    chi_1, chi_2 = 1 / numpy.linalg.eigvalsh(laplacian)[1], apart[near].max() / 2
    eta, alpha = 0.5 / numpy.sqrt(chi_1 * chi_2), 0.5 * numpy.sqrt(chi_1 / chi_2)
    Y, read, mixed = X.copy(), X.copy(), numpy.zeros(n)
    for k, (time, _, i, j, _) in enumerate(problem.happened):
        if k % n == 0:
            yield X.copy()
        G = problem.gradient(read)[i]
        for l in (i, j):
            c = numpy.exp(-2 * eta * (time - mixed[l]) / 1e7)
            X[l], Y[l] = ((1 + c) * X[l] + (1 - c) * Y[l]) / 2, ((1 - c) * X[l] + (1 + c) * Y[l]) / 2
            mixed[l] = time
        D = X[j] - X[i]
        X[i], X[j], Y[i], Y[j] = X[i] + D / 2, X[j] - D / 2, Y[i] + alpha * D, Y[j] - alpha * D
        X[i], Y[i] = X[i] - rate * G, Y[i] - rate * G
        read[i] = X[i]
    yield X


def softsync(problem, rate, c, stale):
    """Zhang et al. 2016: a server steps by c gradients, each divided by its staleness, and answers each
    with its model, which a node has once it arrives."""
    X = problem.start()
    n, made, heard = len(X), numpy.zeros(len(X), dtype=int), 0
    x, gradients, steps, answers = X[0].copy(), [], 0, {}
    yield X.copy()
    for _, kind, i, j, _ in problem.happened:
        if kind == ARRIVED and i < n:
            X[i], made[i] = answers.pop(i)
        if kind != ARRIVED or i < n:
            continue
        gradients.append(problem.gradient(X)[j] / (max(steps - made[j], 1) if stale else 1))
        if len(gradients) == c:
            x, gradients, steps = x - rate * sum(gradients) / c, [], steps + 1
        answers[j], heard = (x, steps), heard + 1
        if heard % n == 0:
            yield X.copy()


def swift(problem, rate):
    """Bornstein et al. 2023, Algorithm 1, with fixed weights: a node mixes with the last models that it
    has heard, by the gradient at what it had; a message arrives before its sender has trained again."""
    X, W = problem.start(), problem.metropolis
    heard, trained = numpy.tile(X, (len(X), 1, 1)), 0
    yield X.copy()
    for _, kind, i, j, _ in problem.happened:
        if kind == ARRIVED:
            heard[i][j] = X[j]
            continue
        heard[i][i] = X[i]
        X[i] = W[i] @ heard[i] - rate * problem.gradient(X)[i]
        trained += 1
        if trained % len(X) == 0:
            yield X.copy()


def div_share(problem, rate, P):
    """Biswas et al. 2025: a node steps to H, sends the P fragments of H, and takes in each the mean of H
    and what it has heard, of every sender the last; a message arrives before its sender has trained
    again."""
    X = problem.start()
    n, d = X.shape
    sent, heard, trained = X.copy(), [{} for _ in X], 0
    yield X.copy()
    for _, kind, i, j, first in problem.happened:
        if kind == ARRIVED:
            heard[i][first, j] = sent[j].copy()
            continue
        X[i] = sent[i] = X[i] - rate * problem.gradient(X)[i]
        for p in range(P):
            first, last = p * d // P, (p + 1) * d // P
            models = [X[i]] + [model for (begin, _), model in heard[i].items() if begin == first]
            X[i, first:last] = numpy.mean(models, axis=0)[first:last]
        heard[i], trained = {}, trained + 1
        if trained % n == 0:
            yield X.copy()


def gossip_learning(problem, rate):
    """Ormandi et al. 2013, Algorithms 1 and 2, MU, merged by age as Hegedus et al. 2019: the update of
    what is received and of what was received before; of models that come meanwhile the last waits."""
    X = problem.start()
    n, age = len(X), [0] * len(X)
    last, waiting, busy = [(x.copy(), 0) for x in X], {}, {}
    ways = {}

    def receive(i, model):
        (x, a), (y, b) = model, last[i]
        share = a / (a + b) if a + b > 0 else 0.5
        busy[i], last[i] = (share * x + (1 - share) * y, max(a, b)), model
    trained = 0
    yield X.copy()
    for _, kind, i, j, _ in problem.happened:
        if kind == SENT:
            ways.setdefault((i, j), []).append((X[i].copy(), age[i]))
        elif kind == ARRIVED:
            model = ways[j, i].pop(0)
            if i in busy:
                waiting[i] = model
            else:
                receive(i, model)
        else:
            Z, (z, a) = X.copy(), busy.pop(i)
            Z[i] = z
            X[i], age[i] = z - rate * problem.gradient(Z)[i], a + 1
            if i in waiting:
                receive(i, waiting.pop(i))
            trained += 1
            if trained % n == 0:
                yield X.copy()


def teleportation(problem, rate, neighbor):
    """Takezawa, Stich 2025, Algorithm 1, with three active nodes: a ring of three is complete; or
    each takes half of the model of one other, 1 and 2 places further on in turns. Rounds are looked
    at whose end makes another n node-iterations complete."""
    X, before = problem.start(), None
    J, after = numpy.full((3, 3), 1 / 3), [numpy.roll(numpy.eye(3), d, axis=1) for d in (1, 2)]
    for t, active in enumerate(problem.active):
        if t == 0 or 3 * t // len(X) > 3 * (t - 1) // len(X):
            yield X
        X = X.copy()
        if before is not None:
            X[active] = X[before]
        H = X[active] - rate * problem.gradient(X)[active]
        X[active] = (numpy.eye(3) + after[t % 2]) / 2 @ H if neighbor else J @ H
        before = active


def k_gt(problem, rate, K, scale):
    """Liu et al. 2023, Algorithm 1: K steps by G(Y) + C; then Z is their mean step."""
    X, W = problem.start(), problem.metropolis
    Y, C = X, 0 * X
    for t in itertools.count(1):
        yield Y
        Y = Y - rate * (problem.gradient(Y) + C)
        if t % K == 0:
            Z = (X - Y) / (K * rate)
            C = C - Z + W @ Z
            X = Y = W @ (X - scale * rate * K * Z)


def global_merge(problem, rate, T):
    """Zhu et al. 2026: D-PSGD, after T rounds merged once."""
    for t, X in enumerate(d_psgd(problem, rate)):
        yield X if t < T else mean_of_all(X)
        if t == T:
            break
    X, W = mean_of_all(X), problem.metropolis
    while True:
        X = W @ X - rate * problem.gradient(X)
        yield X


def choco_sgd(problem, rate, ratio, gamma):
    """Koloskova et al. 2019, Algorithm 2, with the largest `ratio` of a row's numbers for Q."""
    X, W = problem.start(), problem.metropolis
    known = 0 * X
    while True:
        yield X
        H = X - rate * problem.gradient(X)
        known = known + largest_of_rows(H - known, ratio)
        X = H + gamma * (W - numpy.eye(len(W))) @ known


def deep_squeeze(problem, rate, ratio, eta):
    """Tang et al. 2019, Algorithm 1, with the largest `ratio` of a row's numbers for C: V = X - rate G + D,
    D+ = V - C(V), X+ = X - rate G + eta (W - I) C(V)."""
    X, W = problem.start(), problem.metropolis
    D = 0 * X
    while True:
        yield X
        X = X - rate * problem.gradient(X)
        sent = largest_of_rows(X + D, ratio)
        D = X + D - sent
        X = X + eta * (W - numpy.eye(len(W))) @ sent


def power_gossip(problem, rate, first, s):
    """Vogels et al. 2020, Algorithm 1 of rank 1 behind a step: s products a round, v first."""
    X, W, (m, n) = problem.start(), problem.metropolis, problem.matrix
    edges = [(i, j) for i, j in zip(*W.nonzero()) if i < j]
    u, v = {}, dict.fromkeys(edges, numpy.array(first[:n]))
    for t in itertools.count():
        yield X
        H = X - rate * problem.gradient(X)
        X = H.copy()
        for i, j in edges:
            P, Q = (H[k][:m * n].reshape(m, n) for k in (i, j))
            for k in range(s * t, s * t + s):
                if k % 2 == 0:
                    v[i, j] = v[i, j] / numpy.linalg.norm(v[i, j])
                    u[i, j] = P @ v[i, j] - Q @ v[i, j]
                else:
                    u[i, j] = u[i, j] / numpy.linalg.norm(u[i, j])
                    v[i, j] = P.T @ u[i, j] - Q.T @ u[i, j]
            known = numpy.outer(u[i, j], v[i, j]).ravel()
            moved = W[i, j] * numpy.concatenate([known, (H[i] - H[j])[m * n:]])
            X[i], X[j] = X[i] - moved, X[j] + moved


def motef(problem, rate, ratio, gamma, lam):
    """Islamov et al. 2025, Algorithm 1, with the largest `ratio` of a row's numbers for C; of Zhao et
    al. 2022, BEER, with lam = 1."""
    X, W = problem.start(), problem.metropolis
    identity = numpy.eye(len(W))
    H = G = 0 * X
    M = V = problem.gradient(X)
    while True:
        yield X
        X = X + gamma * (W - identity) @ H - rate * V
        H = H + largest_of_rows(X - H, ratio)
        before, M = M, (1 - lam) * M + lam * problem.gradient(X)
        V = V + gamma * (W - identity) @ G + M - before
        G = G + largest_of_rows(V - G, ratio)


def coordinate_median(problem, rate):
    """Yin et al. 2018, definition 1."""
    yield from aggregated(problem, rate, lambda _, models: numpy.median(models, axis=0))


def krum(problem, rate, f, best):
    """Blanchard et al. 2017: the mean of the `best` models by the sum of the m - f - 2 smallest
    squared distances to others."""
    def rule(_, models):
        apart = ((models[:, None] - models[None]) ** 2).sum(axis=2)
        others = numpy.sort(apart + numpy.diag(numpy.full(len(models), numpy.inf)), axis=1)
        scores = others[:, :len(models) - f - 2].sum(axis=1)
        return models[numpy.argsort(scores, kind="stable")[:best]].mean(axis=0)
    yield from aggregated(problem, rate, rule)


def geometric_median(problem, rate, T, nu, start):
    """Pillutla et al. 2022, Algorithm 2: T of Weiszfeld's iterations from the mean on, or from the
    median of every number."""
    def rule(_, models):
        v = {"mean": numpy.mean, "median": numpy.median}[start](models, axis=0)
        for _ in range(T):
            weights = 1 / numpy.maximum(nu, numpy.linalg.norm(models - v, axis=1))
            v = weights @ models / weights.sum()
        return v
    yield from aggregated(problem, rate, rule)


def centered_clipping(problem, rate, L, tau):
    """Karimireddy et al. 2021, Algorithm 2, from the node's own model on."""
    def rule(v, models):
        for _ in range(L):
            lengths = numpy.linalg.norm(models - v, axis=1)
            clips = tau / numpy.maximum(tau, lengths)
            v = v + (clips[:, None] * (models - v)).mean(axis=0)
        return v
    yield from aggregated(problem, rate, rule)


def attacked_clipped_gossip(problem, rate, tau, m, epsilon):
    """He et al. 2022, Algorithm 1 with one tau, and dissensus of the last m: with W of the graph,
    node i hears x_i - epsilon sum_h w_ih (x_h - x_i) / sum_b w_ib from attackers b."""
    X, W = problem.start(), problem.metropolis
    good = len(W) - m
    while True:
        yield X
        H = X - rate * problem.gradient(X)
        X = H.copy()
        for i in range(len(W)):
            heard = H.copy()
            if i < good and W[i, good:].sum() > 0:
                apart = H[:good] - H[i]
                heard[good:] = H[i] - epsilon * W[i, :good] @ apart / W[i, good:].sum()
            for j in range(len(W)):
                length = numpy.linalg.norm(heard[j] - H[i])
                if j != i and length > 0:
                    X[i] = X[i] + W[i, j] * min(1, tau / length) * (heard[j] - H[i])


def little_is_enough(problem, rate, m, z):
    """Baruch et al. 2019, section 3: the last m send the mean of the others less z deviations."""
    X, W = problem.start(), problem.metropolis
    while True:
        yield X
        H = X - rate * problem.gradient(X)
        H[-m:] = H[:-m].mean(axis=0) - z * H[:-m].std(axis=0)
        X = W @ H


def ef_sgd(problem, rate, ratio):
    """Alistarh et al. 2018, Algorithm 1: P = E + rate G(X), E+ = P - Q(P), X+ = X - mean Q(P)."""
    X = problem.start()
    E = 0 * X
    while True:
        yield X
        P = E + rate * problem.gradient(X)
        sent = largest_of_rows(P, ratio)
        X, E = X - mean_of_all(sent), P - sent


def sparse_loco(problem, rate, H, alpha, beta, ratio, senders=False):
    """Sarfi et al. 2025, Algorithm 1, with one chunk a row and numbers of all digits; a column divided
    by all nodes, or by those that have sent it."""
    theta = X = problem.start()
    E = 0 * X
    for t in itertools.count(1):
        yield X
        X = X - rate * problem.gradient(X)
        if t % H == 0:
            E = beta * E + theta - X
            sent = largest_of_rows(E, ratio)
            E = E - sent
            count = numpy.maximum((sent != 0).sum(axis=0), 1) if senders else len(X)
            theta = X = theta - alpha * (sent.sum(axis=0) / count)


def decoupled_momentum(problem, rate, beta, s, k):
    """Peng et al. 2024, Algorithm 1, with signs for Q: M+ = M - Q(M) for M = beta M + rate G(X)."""
    def largest_waves(m):
        n = numpy.arange(len(m))
        dct = numpy.sqrt(2 / len(m)) * numpy.cos(numpy.pi / len(m) * numpy.outer(n, n + 0.5))
        dct[0] /= numpy.sqrt(2)
        q = dct @ m
        q[numpy.argsort(-numpy.abs(q), kind="stable")[k:]] = 0
        return dct.T @ q
    X = problem.start()
    M = 0 * X
    while True:
        yield X
        M = beta * M + rate * problem.gradient(X)
        sent = numpy.array([numpy.concatenate([largest_waves(m[c:c + s]) for c in range(0, len(m), s)])
                            for m in M])
        X, M = X - rate * numpy.sign(mean_of_all(sent)), M - sent


def push_sum(problem, rate):
    """Assran et al. 2019, Algorithm 1: gradients at Z = X / w, which nodes end with."""
    X, P = problem.start(), problem.shares
    w = numpy.ones((len(X), 1))
    while True:
        yield X / w
        X, w = P @ (X - rate * problem.gradient(X / w)), P @ w


def overlapped_push_sum(problem, rate, tau, period):
    """Assran et al. 2019, tau-overlap SGP: what leaves is added tau rounds later, what stays at once."""
    X, P = problem.start(), problem.shares
    own = numpy.diag(numpy.diag(P))
    w, sent = numpy.ones((len(X), 1)), {}
    for t in itertools.count():
        yield X / w
        X = X - rate * problem.gradient(X / w)
        if t % period == 0:
            sent[t + tau] = (P - own) @ X, (P - own) @ w
            X, w = own @ X, own @ w
        if t in sent:
            X, w = X + sent[t][0], w + sent[t][1]
