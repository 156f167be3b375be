"""Runs the compiled benchmarks."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def say(text):
    print(f"== {text}", flush=True)


class Programs:
    """The compiled benchmarks: each prints its figures and writes them as JSON."""

    def __init__(self, folder, quick):
        self.folder, self.options = pathlib.Path(folder), ["--quick"] if quick else []
        self.figures = {}

    def path(self, name):
        return self.folder / f"bench_{name}"

    def has(self, name):
        return self.path(name).exists()

    def run(self, name, *options):
        if not self.has(name):
            say(f"no program {self.path(name)}, its lines stay open")
            return {}
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            command = [self.path(name), "--json", out.name, *self.options, *options]
            begin = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            say(f"{name} {' '.join(options)}: {time.monotonic() - begin:.1f} s")
            if done.returncode != 0:
                print(done.stdout + done.stderr, file=sys.stderr)
                return {}
            figures = json.loads(pathlib.Path(out.name).read_text())
        self.figures.setdefault(name, []).append(figures)
        return figures
