#!/usr/bin/env python3
"""Mutation testing: changes one token of a folder's headers at a time, and sees whether tests find it.

usage: tests/scripts/mutants.py FOLDER [--tests FOLDER...] [--count N] [--seed N] [--jobs N]

FOLDER is one of include/gossip/; its tests are tests/FOLDER/, or those of the folders that are named.
All tests are compiled as one text against a copy of include/ with the change, and run. A mutant is
caught if one fails, crashes or takes too long; refused if it does not compile, which does not count;
otherwise it survives and is printed with its place. Exit status 0 unless the tests fail as they are.
Needs build/release (./dev build). Not part of continuous integration: a mutant takes as long as its
tests take to compile.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

# A token between spaces, as the formatter leaves binary operators, and what becomes of it.
SWAPS = [
    (r' < ', ' <= '), (r' <= ', ' < '), (r' > ', ' >= '), (r' >= ', ' > '), (r' == ', ' != '),
    (r' != ', ' == '), (r' \+ ', ' - '), (r' - ', ' + '), (r' \* ', ' + '), (r' && ', ' || '),
    (r' \|\| ', ' && '), (r' \+= ', ' -= '), (r' -= ', ' += '), (r' % ', ' / '),
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'), (r'std::max\b', 'std::min'),
    (r'std::min\b', 'std::max'), (r'(?<![\w.:])0(?![\w.])', '1'), (r'(?<![\w.:])1(?![\w.])', '2'),
    (r'\+\+(?=\w)', '--'),
]
# Lines without behaviour.
SKIPPED = re.compile(r'^\s*(//|#|static_assert|template|concept|requires|using |\}|"|"gossip)')


def places(header, text):
    """(header, offset, old, new) for every token that could change."""
    found, at, in_string = [], 0, False
    for line in text.splitlines(keepends=True):
        code = line.split('//')[0]
        if not SKIPPED.match(line) and 'throw ' not in code and 'refuse' not in code:
            for pattern, new in SWAPS:
                for match in re.finditer(pattern, code):
                    quoted = code[:match.start()].count('"') % 2 == 1
                    if not quoted:
                        found.append((header, at + match.start(), match.group(0), new))
        at += len(line)
    return found


def text_of(tests):
    """All tests in one text, each in a namespace of its own, what they include before them."""
    includes, bodies = [], []
    for number, test in enumerate(tests):
        path = pathlib.Path(test).resolve()
        for line in path.read_text().splitlines():
            found = re.match(r'#include "(.*)"', line)
            own = found and (path.parent / found.group(1)).resolve()
            if line.startswith('#include'):
                includes.append(f'#include "{own}"' if own and own.exists() else line)
        bodies.append(f'namespace text_{number} {{\n#include "{path}"\n}}\n')
    return '\n'.join(dict.fromkeys(includes)) + '\n' + ''.join(bodies)


def run_one(options, work, mutant=None):
    """'caught', 'refused' or 'survived'."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=work))
    try:
        shutil.copytree('include', folder / 'include')
        if mutant:
            header, offset, old, new = mutant
            path = folder / header
            text = path.read_text()
            assert text[offset:offset + len(old)] == old
            path.write_text(text[:offset] + new + text[offset + len(old):])
        program, source = folder / 'tests', folder / 'all.cpp'
        source.write_text(text_of(options.tests))
        command = options.flags + ['-w', '-O0', f'-I{folder}/include', str(source), options.main, '-o',
                           str(program)] + options.libraries
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            if not mutant:
                print(built.stderr[:3000], file=sys.stderr)
            return 'refused'
        try:
            done = subprocess.run([program], capture_output=True, timeout=options.seconds)
        except subprocess.TimeoutExpired:
            return 'caught'
        return 'survived' if done.returncode == 0 else 'caught'
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# Tests that need another library, or a file of their own for names of namespace gossip.
APART = re.compile(r'/(cuda|boost|graphml|metis|onednn)[^/]*\.cpp$')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('folder')
    parser.add_argument('--tests', nargs='+', help='folders of tests; default: the same')
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--seconds', type=float, default=120, help='the most that tests may take')
    options = parser.parse_args()
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    commands = json.loads(pathlib.Path('build/release/compile_commands.json').read_text())
    entry = next(e for e in commands if e['file'].endswith('tests/main.cpp'))
    words = [w for w in shlex.split(entry['command']) if w != 'ccache']
    options.main = str(pathlib.Path(entry['directory']) / words[words.index('-o') + 1])
    options.flags = [w for w in words[:words.index('-o')] if not w.endswith('/include')]
    options.libraries = ['-lopenblas', '-lz']
    options.headers = sorted(map(str, pathlib.Path('include/gossip', options.folder).rglob('*.hpp')))
    options.tests = [str(t) for folder in options.tests or [options.folder]
                     for t in sorted(pathlib.Path('tests', folder).glob('*.cpp'))
                     if not APART.search(str(t)) and
                     not re.search(r'^namespace gossip', t.read_text(), re.M)]
    everything = [p for h in options.headers for p in places(h, pathlib.Path(h).read_text())]
    random.Random(options.seed).shuffle(everything)
    chosen = everything[:options.count]
    counts = {'caught': 0, 'refused': 0, 'survived': 0}
    with tempfile.TemporaryDirectory() as work:
        as_it_is = run_one(options, work)
        if as_it_is != 'survived':
            sys.exit('the tests do not pass as they are' if as_it_is == 'caught' else
                     'the tests do not compile as they are')
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            futures = {pool.submit(run_one, options, work, m): m for m in chosen}
            for done in concurrent.futures.as_completed(futures):
                outcome, (header, offset, old, new) = done.result(), futures[done]
                counts[outcome] += 1
                if outcome == 'survived':
                    text = pathlib.Path(header).read_text()
                    line = text.count('\n', 0, offset) + 1
                    whole = text.splitlines()[line - 1].strip()
                    print(f'survived: {header}:{line}: "{old.strip()}" -> "{new.strip()}": {whole}',
                          flush=True)
                number = sum(counts.values())
                left = (time.monotonic() - begun) / number * (len(chosen) - number)
                print(f'\r{number} of {len(chosen)}, {left:.0f} s left ', end='', file=sys.stderr)
    tried = counts['caught'] + counts['survived']
    print(f'{len(everything)} places, {len(chosen)} mutants: {counts["refused"]} refused by the '
          f'compiler, {counts["caught"]} of {tried} caught')


main()
