"""matchings.py FOLDER: holds probabilities and shares of MATCHA in FOLDER/iterates.json against NumPy.

Of the same matchings. The connectivity lambda_2(sum_m p_m L_m) of any p is at most the greatest sum_m
p_m <L_m, X> over all p of the budget, whatever the density matrix X on vectors of mean 0 is. X comes
from Newton steps on the logarithmic barrier of all of the semidefinite program, from equal
probabilities on, without what the program found. rho is the greatest eigenvalue of E[W' W] - J, from
all of them, over shares.
"""

import functools
import json
import pathlib
import sys

import numpy

CLOSE = 1e-3


def laplacian(partners):
    identity = numpy.eye(len(partners))
    return identity - identity[partners]


def greatest_sum(slopes, total):
    """Of p times slopes, with 0 <= p <= 1 of this sum."""
    ordered, left = numpy.sort(slopes)[::-1], total
    best = 0.0
    for slope in ordered:
        best += min(left, 1.0) * slope
        left -= min(left, 1.0)
    return best


def barrier(sum_of, p, t, price):
    """t / price + log det S + sum log p + sum log(1 - p), minus infinity outside."""
    if p.min() <= 0 or p.max() >= 1:
        return -numpy.inf
    try:
        pivots = numpy.linalg.cholesky(sum_of(p, t)).diagonal()
    except numpy.linalg.LinAlgError:
        return -numpy.inf
    return t / price + 2 * numpy.log(pivots).sum() + numpy.log(p).sum() + numpy.log(1 - p).sum()


@functools.cache
def bound_of_connectivity(matchings, total, close=1e-4):
    """Above the best connectivity by about `close` of it; S has 1 as the eigenvalue of constant vectors."""
    matchings = numpy.array(matchings)
    count, nodes = matchings.shape
    laplacians = numpy.array([laplacian(m) for m in matchings])
    inside = numpy.eye(nodes) - 1 / nodes
    p = numpy.full(count, total / count)
    unit = numpy.linalg.eigvalsh(numpy.tensordot(p, laplacians, 1))[1]
    sum_of = lambda p, t: numpy.tensordot(p / unit, laplacians, 1) - t * inside + 1 / nodes
    t, price, bound = 0.0, 1.0, numpy.inf
    while bound > t * (1 + close):
        for _ in range(50):
            x = numpy.linalg.inv(sum_of(p, t))
            steps = numpy.array([(x - x[:, m]) / unit for m in matchings] + [-x @ inside])
            traces = numpy.trace(steps, axis1=1, axis2=2)  # <S^-1, L_m>, and <S^-1, -(I - J)>
            bound = min(bound, greatest_sum(traces[:-1] / -traces[-1], total))
            slope = traces + numpy.append(1 / p - 1 / (1 - p), 1 / price)
            curvature = steps.reshape(count + 1, -1) @ steps.transpose(0, 2, 1).reshape(count + 1, -1).T
            curvature[:-1, :-1] += numpy.diag(1 / p**2 + 1 / (1 - p) ** 2)
            normal = numpy.append(numpy.ones(count), 0.0)
            change, across = numpy.linalg.solve(curvature, numpy.array([slope, normal]).T).T
            change -= (normal @ change) / (normal @ across) * across
            gain, share, before = slope @ change, 1.0, barrier(sum_of, p, t, price)
            if gain < 1e-6:
                break
            while share > 1e-6 and barrier(sum_of, p + share * change[:-1], t + share * change[-1], price) < before:
                share /= 2
            p, t = p + share * change[:-1], t + share * change[-1]
        price /= 8
    return bound * unit


def rho(laplacians, p, share):
    nodes = laplacians.shape[1]
    mean = numpy.tensordot(p, laplacians, 1)
    spread = numpy.tensordot(p * (1 - p), laplacians, 1)
    squares = numpy.eye(nodes) - 2 * share * mean + share**2 * (mean @ mean + 2 * spread)
    return numpy.linalg.eigvalsh(squares - 1 / nodes)[-1]


def least_rho(laplacians, p, most):
    low, high = 0.0, most
    for _ in range(80):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        if rho(laplacians, p, first) < rho(laplacians, p, second):
            high = second
        else:
            low = first
    return rho(laplacians, p, (low + high) / 2)


def holds(plan):
    laplacians = numpy.array([laplacian(m) for m in plan["matchings"]])
    p = numpy.array(plan["probability"])
    total = plan["budget"] * len(p)
    connectivity = numpy.linalg.eigvalsh(numpy.tensordot(p, laplacians, 1))[1]
    bound = bound_of_connectivity(tuple(map(tuple, plan["matchings"])), plan["budget"] * len(p))
    degree = laplacians.sum(axis=0).diagonal().max()
    least = least_rho(laplacians, p, 1 / degree if plan["keep_positive"] else 2.0)
    differences = {
        "the budget": abs(p.sum() - total),
        "the connectivity": abs(connectivity - plan["connectivity"]),
        "the best connectivity, in shares of it": bound / connectivity - 1,
        "rho of the share": abs(rho(laplacians, p, plan["share"]) - plan["rho"]),
        "the least rho": abs(least - plan["rho"]),
    }
    wrong = [f"{name} by {value:.2g}" for name, value in differences.items() if not value < CLOSE]
    print(f"{plan['network']:16} {plan['budget']:4} {connectivity:.4f} of at most {bound:.4f}, "
          f"share {plan['share']:.3f}, rho {plan['rho']:.4f} of at least {least:.4f}")
    if wrong:
        print(f"FAILED: {plan['network']} differs from NumPy in {', '.join(wrong)}")
    return not wrong


if __name__ == "__main__":
    plans = json.loads((pathlib.Path(sys.argv[1]) / "iterates.json").read_text())["planned_matchings"]
    results = [holds(plan) for plan in plans]
    sys.exit(0 if results and all(results) else 1)
