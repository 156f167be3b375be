"""compare.py FOLDER: repeats FOLDER/iterates.json with methods.py and compares every iterate.

Two programs that compute the same recursion in double, summing in other orders, differ by rounding:
some 2^-53 of the largest parameter in every operation, of which the tens of rounds of a run make
some hundreds; no run amplifies it, since each converges. That is below 1e-13, the bound 1e-12; a wrong
sign or a row that is used a round late moves iterates by more than 1e-3.

Ends with status 1 and a sentence for each run that differs.
"""

import inspect
import itertools
import json
import pathlib
import sys

import numpy

import methods

BOUND = 1e-12  # of the largest parameter of a run
# Directions of differences that are small beside the models they are of.
WIDER = {"power_gossip": 1e-11}


class Problem:
    """Weights and start of a network; subclasses have gradient(X)."""

    def __init__(self, written, problem):
        self.metropolis = numpy.array(written["metropolis"])
        self.lazy = numpy.array(written["lazy"])
        self.shares = numpy.array(written["shares"])
        self.matchings = written["matchings"]
        self.active = written["active"]
        self.matcha = written["matcha"]
        self.first = numpy.array(problem["runs"][0]["iterates"][0])

    def start(self):
        return self.first.copy()


class Quadratic(Problem):
    """f_i(x) = a_i |x - b_i|^2 / 2."""

    matrix = 0, 0  # no tensor but vectors

    def __init__(self, written, problem):
        super().__init__(written, problem)
        self.a = numpy.array(problem["curvature"])[:, None]
        self.b = numpy.array(problem["optimum"])[:, None]

    def gradient(self, X):
        return self.a * (X - self.b)


class Logistic(Problem):
    """Softmax regression: the mean cross-entropy of the node's samples, which lie side by side.

    Parameters of a node: weights (classes, features), then biases (classes).
    """

    def __init__(self, written, problem):
        super().__init__(written, problem)
        nodes = len(self.metropolis)
        self.matrix = problem["classes"], len(problem["features"][0])
        features = numpy.array(problem["features"])
        self.samples = features.reshape(nodes, -1, features.shape[1])
        self.targets = numpy.eye(problem["classes"])[problem["labels"]].reshape(
            nodes, -1, problem["classes"])

    def gradient(self, X):
        return numpy.array([self.of_node(*one) for one in zip(X, self.samples, self.targets)])

    @staticmethod
    def of_node(x, samples, targets):
        classes, features = targets.shape[1], samples.shape[1]
        weights, biases = x[:classes * features].reshape(classes, features), x[classes * features:]
        scores = numpy.exp(samples @ weights.T + biases)
        error = (scores / scores.sum(axis=1, keepdims=True) - targets) / len(samples)
        return numpy.concatenate([(error.T @ samples).ravel(), error.sum(axis=0)])


def compare(problem_name, problem, run):
    """Prints a line of the table; whether the run is that of methods.py."""
    name, got = run["method"], numpy.array(run["iterates"])
    method = getattr(methods, name, None)
    if method is None:
        print(f"FAILED: methods.py has no {name}, which the table of iterates.cpp names")
        return False
    problem.happened = run["happened"]
    made = method(problem, run["rate"], **run["parameters"])
    expected = numpy.array(list(itertools.islice(made, len(got))))
    if got.shape != expected.shape:
        print(f"FAILED: {name} on {problem_name}: {got.shape} numbers, in NumPy {expected.shape}")
        return False
    away = numpy.abs(got - expected) / numpy.abs(expected).max()
    far = numpy.abs(expected - expected[0]).max()
    given = " ".join(f"{key}={value}" for key, value in run["parameters"].items())
    print(f"{name + ' ' + given:52} {problem_name:10} {away.max():10.2e} {far:10.2e}")
    if far < 1e-3:
        print(f"FAILED: {name} on {problem_name} does not move, so nothing is compared")
        return False
    bound = WIDER.get(name, BOUND)
    if not away.max() <= bound:
        place = numpy.unravel_index(numpy.nanargmax(away), away.shape)
        round_number = int(numpy.argmax((away > bound).any(axis=(1, 2))))
        print(f"FAILED: {name} on {problem_name}: after {round_number} rounds the library and NumPy "
              f"differ by more than {bound} of the largest parameter, most after {place[0]} at "
              f"parameter {place[2]} of node {place[1]}: {got[place]!r}, in NumPy {expected[place]!r}")
        return False
    return True


def main(folder):
    written = json.loads((folder / "iterates.json").read_text())
    print(f"{'method':52} {'problem':10} {'difference':>10} {'moved':>10}")
    results, used = [], set()
    for problem in written["problems"]:
        kind = Quadratic if problem["name"] == "quadratic" else Logistic
        for run in problem["runs"]:
            results.append(compare(problem["name"], kind(written, problem), run))
            used.add(run["method"])
    unused = [name for name, _ in inspect.getmembers(methods, inspect.isgeneratorfunction)
              if name not in used]
    for name in unused:
        print(f"FAILED: no line of the table of iterates.cpp names {name} of methods.py")
    print(f"{sum(results)} of {len(results)} runs are those of NumPy in every iterate")
    return 0 if all(results) and results and not unused else 1


if __name__ == "__main__":
    numpy.seterr(all="ignore")
    sys.exit(main(pathlib.Path(sys.argv[1])))
