#!/usr/bin/env python3
"""Mutation testing: changes one token of the headers at a time, and sees whether tests find it.

usage: tests/scripts/mutants.py PLACE... [--tests PLACE...] [--link FILE...] [--count N] [--seed N]
                                [--jobs N] [--seconds N] [--again FILE] [--verbose]

A PLACE is a folder, a file (a header, or detail/<name>.ipp with the definitions of its functions),
or FILE:LINE, of include/gossip/; its tests are those of the same folder under tests/, or the
folders and files that are named. Of them only those are compiled that include the file, directly or
not: first those nearest to it, as one text, and if they pass the others. Sources are compiled at
-O0 against a copy of include/ with the change; what --link names is compiled once as it is, such as
exchange/conformance.cpp and exchange/networks.cpp, which tests of exchanges are linked with. --again
tries those that survived in the output of an earlier run. A mutant is caught if a test fails, crashes
or takes too long; refused if it does not compile, which does not count; otherwise it survives and is
printed with its place. Exit status 0 unless the tests fail as they are.
Needs gossip_test_main in build/release. Not part of continuous integration: a mutant takes as long
as its tests take to compile.
"""
import argparse
import collections
import concurrent.futures
import functools
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
    (r' \|\| ', ' && '), (r' \+= ', ' -= '), (r' -= ', ' += '), (r' % ', ' / '), (r' / ', ' * '),
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'), (r'std::max\b', 'std::min'),
    (r'std::min\b', 'std::max'), (r'(?<![\w.:])0(?![\w.])', '1'), (r'(?<![\w.:])1(?![\w.])', '2'),
    (r'\+\+(?=\w)', '--'), (r'!(?=[\w(])', ''),
]
# Lines without behaviour, and from where on a line says what is wrong or what a member means.
SKIPPED = re.compile(r'^\s*(#|static_assert|template|concept|requires|using |\}|"|\{ )')
MESSAGE = re.compile(
    r'//|throw |refuse|std::(?:to_)?string|described\(|\{\.(?:most|least|above|below)')
# Tests that need another library.
APART = re.compile(r'/((cuda|metis|onednn)[^/]*|boost|graphml)\.cpp$')


def places(header):
    """(header, line, offset, old, new) for every token that could change."""
    at = 0
    for number, line in enumerate(pathlib.Path(header).read_text().splitlines(keepends=True), 1):
        code = MESSAGE.split(line)[0]
        if not SKIPPED.match(line):
            for pattern, new in SWAPS:
                for match in re.finditer(pattern, code):
                    if code[:match.start()].count('"') % 2 == 0:
                        yield header, number, at + match.start(), match.group(0), new
        at += len(line)


@functools.cache
def included(path):
    """Files of the tree that a file includes itself, relative to the root."""
    found = []
    for name in re.findall(r'^#include [<"](.*)[>"]', pathlib.Path(path).read_text(), re.M):
        for candidate in (pathlib.Path('include', name), pathlib.Path(path).parent / name):
            if candidate.exists():
                found.append(os.path.relpath(candidate))
    return found


@functools.cache
def distances(test):
    """Steps from a test to every file that it includes; headers of tests/, and the definitions of
    a header's functions, are none."""
    steps, queue = {test: 0}, collections.deque([test])
    while queue:
        at = queue.popleft()
        for path in included(at):
            far = steps[at] + (not path.startswith('tests/') and not path.endswith('.ipp'))
            if far < steps.get(path, 1000):
                steps[path] = far
                queue.append(path)
    return steps


@functools.cache
def texts_for(header, tests):
    """The tests that reach a header, as texts to compile: those nearest to it come first."""
    reach = {t: distances(t)[header] for t in tests if header in distances(t)}
    stem = pathlib.Path(header).stem
    near = [t for t in reach if pathlib.Path(t).stem == stem or reach[t] == 1]
    texts = []
    for group in (near, [t for t in reach if t not in near]):
        alone = [t for t in group
                 if re.search(r'^namespace gossip', pathlib.Path(t).read_text(), re.M)]
        together = tuple(t for t in group if t not in alone)
        texts += ([together] if together else []) + [(t,) for t in alone]
    return texts


def source_of(tests):
    """Tests in one text, each in a namespace of its own, what they include before them."""
    if len(tests) == 1:
        return f'#include "{os.path.abspath(tests[0])}"\n'
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


def run_text(options, folder, tests):
    """'caught', 'refused' or 'survived', and the first lines of what compiler or tests said."""
    program, source = folder / 'tests', folder / 'all.cpp'
    source.write_text(source_of(tests))
    command = options.flags + [f'-I{folder}/include', str(source), options.main, '-o',
                               str(program)] + options.libraries
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode != 0:
        by_test = re.search(r'/tests/.* static assertion failed', built.stderr)
        said = '\n'.join(re.findall(r'.*error.*', built.stderr)[:3])
        return 'caught' if by_test else 'refused', said
    try:
        done = subprocess.run([program, '-a'], capture_output=True, text=True, errors='replace',
                              timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return 'caught', 'too slow'
    return 'survived' if done.returncode == 0 else 'caught', done.stdout[-2000:]


def run_one(options, work, texts, mutant=None):
    """The first outcome of the texts that is not 'survived', or that."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=work))
    try:
        shutil.copytree('include', folder / 'include')
        if mutant:
            header, _, offset, old, new = mutant
            path = folder / header
            text = path.read_text()
            assert text[offset:offset + len(old)] == old
            path.write_text(text[:offset] + new + text[offset + len(old):])
        for tests in texts:
            outcome, said = run_text(options, folder, tests)
            if outcome != 'survived':
                return outcome, said
        return 'survived', ''
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def changed_line(mutant):
    """The line of a mutant with [old -> new] in it."""
    header, line, offset, old, new = mutant
    text = pathlib.Path(header).read_text()
    text = f'{text[:offset]}[{old.strip()} -> {new.strip()}]{text[offset + len(old):]}'
    return text.splitlines()[line - 1].strip()


def mutants_of(options):
    """Tokens to change, in an order that a seed gives, and how many there are in all."""
    everything, without_tests = [], []
    for place in options.places:
        path, _, line = place.partition(':')
        path = pathlib.Path('include/gossip', path)
        for header in [path] if path.suffix else sorted(path.rglob('*.[hi]pp')):
            if texts_for(str(header), options.tests):
                everything += [m for m in places(str(header)) if line in ('', str(m[1]))]
            else:
                without_tests.append(header.name)
    if without_tests:
        print('no test includes', ', '.join(without_tests))
    if options.again:
        known = options.again.read_text()
        everything = [m for m in everything if f'{m[0]}:{m[1]}: {changed_line(m)}\n' in known]
    random.Random(options.seed).shuffle(everything)
    return everything[:options.count], len(everything)


def read_build(options):
    """What the release build compiles and links a test with."""
    commands = json.loads(pathlib.Path('build/release/compile_commands.json').read_text())
    entry = next(e for e in commands if e['file'].endswith('/tests/main.cpp'))
    words = [w for w in shlex.split(entry['command']) if not w.endswith('ccache')]
    options.main = str(pathlib.Path(entry['directory']) / words[words.index('-o') + 1])
    options.flags = [w for w in words[:words.index('-o')]
                     if not re.match(r'-W|-I.*/include$', w)]
    options.flags += [f'-I{os.getcwd()}/tests', '-w', '-O0', '-D_GLIBCXX_ASSERTIONS',
                      '-fmax-errors=1']
    options.libraries = ['-lopenblas', '-lz', '-ltbb']


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('places', nargs='+')
    parser.add_argument('--tests', nargs='+', help='folders and files; default: the same folders')
    parser.add_argument('--link', nargs='+', default=[], help='files compiled as they are')
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--seconds', type=float, default=120, help='the most that a text may take')
    parser.add_argument('--again', type=pathlib.Path, help='only mutants that this file names')
    parser.add_argument('--verbose', action='store_true', help='print what caught a mutant')
    options = parser.parse_args()
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    read_build(options)
    named = [pathlib.Path('tests', t) for t in
             options.tests or dict.fromkeys(p.split('/')[0] for p in options.places)]
    files = [t for n in named for t in ([n] if n.suffix else sorted(n.glob('*.cpp')))]
    options.tests = tuple(str(t) for t in files if not APART.search(str(t)))
    chosen, number_of_places = mutants_of(options)
    counts = collections.Counter()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, source in enumerate(options.link):
            made = f'{work}/{number}.o'
            subprocess.run([*options.flags, '-O1', '-Iinclude', '-c', f'tests/{source}', '-o',
                            made], check=True)
            options.libraries.insert(0, made)
        # Unchanged: what is compiled with others all at once, to save time.
        in_use = dict.fromkeys(t for m in chosen for t in texts_for(m[0], options.tests))
        together = dict.fromkeys(test for tests in in_use if len(tests) > 1 for test in tests)
        alone = [tests for tests in in_use if len(tests) == 1 and tests[0] not in together]
        as_it_is, said = run_one(options, work, [tuple(together)] * bool(together) + alone)
        if as_it_is != 'survived':
            sys.exit(f'the tests must pass as they are: {as_it_is}\n{said}')
        print(f'unchanged, the tests pass: {time.monotonic() - begun:.0f} s', file=sys.stderr)
        futures = {pool.submit(run_one, options, work, texts_for(m[0], options.tests), m): m
                   for m in chosen}
        for done in concurrent.futures.as_completed(futures):
            (outcome, said), mutant = done.result(), futures[done]
            header, line = mutant[:2]
            counts[outcome] += 1
            if outcome != 'caught' or options.verbose:
                print(f'{outcome}: {header}:{line}: {changed_line(mutant)}',
                      *([said] if said else []), sep='\n  ', flush=True)
    print(f'{number_of_places} places, {len(chosen)} mutants: {counts["refused"]} refused by the '
          f'compiler, {counts["caught"]} caught, {counts["survived"]} survived, '
          f'{time.monotonic() - begun:.0f} s')


main()
