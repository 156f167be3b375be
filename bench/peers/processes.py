"""The processes that time PyTorch: one a core, asleep until asked."""
import json
import os
import pathlib
import subprocess
import sys

CORES = len(os.sched_getaffinity(0))


class Peers:
    """`say` reports what goes wrong. Without PyTorch there are no processes, and None for all.

    tried: the rate of each way by model; best: the quickest way by model and kind."""

    def __init__(self, say):
        self.say, self.about, self.processes = say, {}, []
        self.tried, self.best = {}, {}
        for core in sorted(os.sched_getaffinity(0)):
            process = subprocess.Popen(
                [sys.executable, "-B", "-m", "peers"], text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                cwd=pathlib.Path(__file__).resolve().parent.parent)
            self.processes.append(process)
            first = process.stdout.readline()
            if not first:
                say("PyTorch: none here (python3-torch), its lines stay open")
                self.processes = []
                return
            self.about = json.loads(first)
            if CORES > 1:
                os.sched_setaffinity(process.pid, {core})

    def __bool__(self):
        return bool(self.processes)

    @property
    def version(self):
        return self.about.get("torch")

    def gpu(self):
        """Its name, or None."""
        if not self.about.get("gpu"):
            return None
        (answer,) = self.ask(self.processes[:1], {"do": "gpu"})
        return answer.get("name")

    @staticmethod
    def ask(processes, request):
        for process in processes:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        return [json.loads(process.stdout.readline()) for process in processes]

    @staticmethod
    def free(process, cores):
        """All threads of a process may run on these cores."""
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            os.sched_setaffinity(int(thread), cores)

    def rate(self, model, way, seconds):
        """Node-iterations a second of all cores, or of the GPU; None where the way is refused."""
        alone = way.together or way.device != "cpu"
        threads, asked = (CORES, self.processes[:1]) if alone else (1, self.processes)
        if alone:
            self.free(asked[0], os.sched_getaffinity(0))
        answers = self.ask(asked, way.request(model, len(asked), threads, seconds))
        if alone:
            self.free(asked[0], {sorted(os.sched_getaffinity(0))[0]})
        refused = [a["refused"] for a in answers if "refused" in a]
        if refused:
            self.say(f"PyTorch, {model}, {way.name}: {refused[0]}")
            return None
        return sum(a["iterations"] / a["seconds"] for a in answers)

    def choose(self, model, kinds, seconds=0.5):
        """Times all ways of these kinds and keeps the quickest of each."""
        for kind, tried in kinds.items() if self else ():
            rates = {way: self.rate(model, way, seconds) for way in tried}
            self.tried.setdefault(model, {}).update({way.name: rates[way] for way in tried})
            if any(rates.values()):
                self.best.setdefault(model, {})[kind] = max(tried, key=lambda w: rates[w] or 0)

    def train(self, model, kind, seconds):
        """Node-iterations a second in the quickest way of this kind, or None if there is none."""
        way = self.best.get(model, {}).get(kind)
        return way and self.rate(model, way, seconds)

    def mix(self, nodes, columns):
        """Bytes a second of the best way to W X, all cores for one process."""
        if not self:
            return None
        one = self.processes[:1]
        self.free(one[0], os.sched_getaffinity(0))
        rates = {}
        for how in ["dense", "csr", "coo"]:
            (answer,) = self.ask(one, {"do": "mix", "how": how, "nodes": nodes,
                                       "columns": columns, "threads": CORES})
            if "refused" not in answer:
                rates[how] = answer["bytes"] / answer["seconds"]
        self.free(one[0], {sorted(os.sched_getaffinity(0))[0]})
        self.tried["mix"] = rates
        return max(rates.values(), default=None)

    def chosen(self):
        return {model: {kind: way.name for kind, way in kinds.items()}
                for model, kinds in self.best.items()}

    def end(self):
        for process in self.processes:
            process.stdin.close()
            process.wait()
