"""matchings.py FOLDER: holds probabilities and shares of MATCHA in FOLDER/iterates.json against NumPy.

Of the same matchings. The connectivity lambda_2(sum_m p_m L_m) of any p is at most the greatest sum_m
p_m <L_m, X> over all p of the budget, whatever the density matrix X on vectors of mean 0 is. X comes
from an accelerated ascent of the smoothed connectivity (Y. Nesterov 2007) that starts at the program's
p, whose connectivity must be within 1e-3 of the bound. rho is the greatest eigenvalue of E[W' W] - J, from all of them, over shares.
"""

import json
import pathlib
import sys

import numpy

CLOSE = 1e-3


def laplacian(partners):
    identity = numpy.eye(len(partners))
    return identity - identity[partners]


def projected(p, total):
    low, high = p.min() - 1, p.max()
    for _ in range(60):
        middle = (low + high) / 2
        if numpy.clip(p - middle, 0, 1).sum() > total:
            low = middle
        else:
            high = middle
    return numpy.clip(p - high, 0, 1)


def greatest_sum(slopes, total):
    """Of p times slopes, with 0 <= p <= 1 of this sum."""
    ordered, left = numpy.sort(slopes)[::-1], total
    best = 0.0
    for slope in ordered:
        best += min(left, 1.0) * slope
        left -= min(left, 1.0)
    return best


def bound_of_connectivity(laplacians, p, reached, smoothing=2e-4):
    nodes, total = laplacians.shape[1], p.sum()
    basis = numpy.linalg.qr(numpy.hstack([numpy.ones((nodes, 1)), numpy.eye(nodes)[:, 1:]]))[0][:, 1:]
    inside = numpy.einsum("ia,mij,jb->mab", basis, laplacians, basis)
    length, ahead = smoothing / len(laplacians), p
    bound, momentum = numpy.inf, 1.0
    mean, weight = 0.0, 0.0  # of densities: later ones count more
    for _ in range(20000):
        values, vectors = numpy.linalg.eigh(numpy.tensordot(ahead, inside, 1))
        share = numpy.exp((values[0] - values) / smoothing)
        density = (vectors * (share / share.sum())) @ vectors.T
        slopes = numpy.einsum("ab,mab->m", density, inside)
        mean, weight = mean + momentum * slopes, weight + momentum
        bound = min(bound, greatest_sum(slopes, total), greatest_sum(mean / weight, total))
        if bound < reached + 0.9 * CLOSE:
            break
        following = projected(ahead + length * slopes, total)
        after = (1 + numpy.sqrt(1 + 4 * momentum**2)) / 2
        ahead = following + (momentum - 1) / after * (following - p)
        p, momentum = following, after
    return bound


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
    bound = bound_of_connectivity(laplacians, p, connectivity)
    degree = laplacians.sum(axis=0).diagonal().max()
    least = least_rho(laplacians, p, 1 / degree if plan["keep_positive"] else 2.0)
    differences = {
        "the budget": abs(p.sum() - total),
        "the connectivity": abs(connectivity - plan["connectivity"]),
        "the best connectivity": bound - connectivity,
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
