"""median_steps.py: how far steps of Weiszfeld's iteration end from the geometric median under attack.

Models of a neighborhood are drawn: honest ones evenly between 0.9 and 1.1 in every column, or about
a point of their own; attackers send -1e4 times the honest mean, points 1e4 away in a direction of
their own, or points as near as honest ones; several at one place or apart. Where the coordinate-wise
median of few columns is one of the models the iteration leaves it slowly: such draws are left out.
Errors are shares of the greatest distance between honest models.

Prints the table of docs/policies/exchange.md, the greatest error of each row's draws. Ends with
status 1 and a sentence where the page has another one, or where the default of geometric_median is
not the least number of steps by which every error is within 1e-2.
"""

import pathlib
import re
import sys

import numpy

SOURCE = pathlib.Path(__file__).parents[2]
SMOOTHING = 1e-6
BOUND = 1e-2


def models(random, draws, honest, attackers, columns, spread, attack, apart):
    """(draws, honest + attackers, columns), the honest ones first."""
    if spread == "even":
        good = random.uniform(0.9, 1.1, (draws, honest, columns))
    else:
        good = random.normal(size=(draws, 1, columns)) + \
            0.1 * random.normal(size=(draws, honest, columns))
    mean = good.mean(axis=1, keepdims=True)
    shape = draws, attackers if apart else 1, columns
    if attack == "opposite":
        bad = -1e4 * mean * random.uniform(0.5 if apart else 1, 1, shape[:2] + (1,))
    elif attack == "far":
        bad = mean + 1e4 * random.normal(size=shape)
    else:
        bad = mean + good.std(axis=1, keepdims=True) * random.normal(size=shape)
    return numpy.concatenate([good, numpy.broadcast_to(bad, (draws, attackers, columns))], axis=1)


def lengths(x, y):
    return numpy.linalg.norm(x - y[:, None], axis=2)


def step(x, y):
    weights = 1 / numpy.maximum(SMOOTHING, lengths(x, y))
    return numpy.einsum("km,kmd->kd", weights, x) / weights.sum(axis=1, keepdims=True)


def in_their_span(x, points):
    """Coordinates of models and of points of their affine hull, as many as models less one."""
    basis = numpy.linalg.qr((x[:, 1:] - x[:, :1]).transpose(0, 2, 1))[0]
    return (x - x[:, :1]) @ basis, [((p - x[:, 0])[:, None] @ basis)[:, 0] for p in points]


def medians(x, start):
    """A model to which the others' unit vectors add up to no more than its count, or else the least
    sum of distances by Newton's method, with a step of Weiszfeld's where that is lower."""
    y = start
    for _ in range(100):
        y = step(x, y)
    eye = numpy.eye(x.shape[2])
    for _ in range(30):
        apart = numpy.maximum(1e-300, lengths(x, y))[:, :, None]
        unit = (y[:, None] - x) / apart
        hessian = ((eye - unit[:, :, :, None] * unit[:, :, None]) / apart[..., None]).sum(axis=1)
        newton = y - numpy.linalg.solve(hessian, unit.sum(axis=1)[:, :, None])[:, :, 0]
        weiszfeld = step(x, y)
        lower = lengths(x, newton).sum(axis=1) < lengths(x, weiszfeld).sum(axis=1)
        y = numpy.where(lower[:, None], newton, weiszfeld)
    for k in range(x.shape[1]):
        apart = lengths(x, x[:, k])
        same = apart < 1e-9
        unit = (x - x[:, k:k + 1]) / numpy.where(same, numpy.inf, apart)[:, :, None]
        is_median = numpy.linalg.norm(unit.sum(axis=1), axis=1) <= same.sum(axis=1)
        y = numpy.where(is_median[:, None], x[:, k], y)
    return y


def errors(x, honest, steps):
    """(2, steps + 1): the greatest errors after 0, 1, ... steps, from the median and the mean."""
    good = x[:, :honest]
    span = numpy.linalg.norm(good[:, :, None] - good[:, None], axis=3).max(axis=(1, 2))
    start = numpy.median(x, axis=1)
    kept = lengths(x, start).min(axis=1) > 1e-9 * span
    x, start, span = x[kept], start[kept], span[kept]
    found = []
    flat, begun = in_their_span(x, [step(x, s) for s in (start, x.mean(axis=1))])
    median = medians(flat, begun[0])
    for y in begun:
        left = [numpy.inf]
        for _ in range(steps):
            left.append((numpy.linalg.norm(y - median, axis=1) / span).max())
            y = step(flat, y)
        found.append(left)
    return numpy.array(found)


def main():
    header = (SOURCE / "include/gossip/aggregation/geometric_median.hpp").read_text()
    default = int(re.search(r"iterations = (\d+);", header)[1])
    random = numpy.random.default_rng(1)
    rows = []
    needed = 0
    for columns, draws in (10, 4000), (1000, 200):
        for honest, attackers in (2, 1), (4, 1), (5, 2):
            worst = numpy.zeros((2, 2 * default + 1))
            for spread in "even", "about a point":
                for attack in "opposite", "far", "near":
                    for apart in (False, True)[:attackers]:
                        x = models(random, draws, honest, attackers, columns, spread, attack, apart)
                        worst = numpy.maximum(worst, errors(x, honest, 2 * default))
            least = [int(numpy.argmax(one <= BOUND)) for one in worst]
            needed = max(needed, least[0])
            left = [f"{one[n]:.4f}" for one in worst for n in (default, 2 * default)]
            rows.append(f"| {honest + attackers}, {attackers} | {columns:,} | " + " | ".join(left) +
                        f" | {least[0]} | {least[1]} |")
    print("\n".join(rows))
    page = (SOURCE / "docs/policies/exchange.md").read_text()
    wrong = [row for row in rows if row not in page]
    for row in wrong:
        print(f"docs/policies/exchange.md: expected the row {row}")
    if needed != default:
        print(f"geometric_median: iterations: expected {needed} by default, got {default}")
    sys.exit(bool(wrong) or needed != default)


if __name__ == "__main__":
    main()
