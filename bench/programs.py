"""Runs the compiled benchmarks."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def say(text):
    print(f"== {text}", flush=True)


def measured(program, *options):
    """(numbers that one run of a benchmark writes, by name; output): no numbers where it fails."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [program, "--json", out.name, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return {}, done.stdout + done.stderr
        return json.loads(pathlib.Path(out.name).read_text()), done.stdout


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
        begin = time.monotonic()
        figures, output = measured(self.path(name), *self.options, *options)
        say(f"{name} {' '.join(options)}: {time.monotonic() - begin:.1f} s")
        if not figures:
            print(output, file=sys.stderr)
            return {}
        self.figures.setdefault(name, []).append(figures)
        return figures
