#!/usr/bin/env python3
"""Texts that show of every header that it compiles alone, in far less time than one text a header.

texts.py <form> <include folder> <folder for the texts> <header>...: writes text_<k>.cpp and prints their names. Form:
inline, where a header includes its functions (detail/<name>.ipp), or compiled, where it declares them.

A header that follows others in a text compiles as if it were alone where what the others include is what it includes
itself: what it lacks, it lacks there too. So headers follow each other by what they include, and the headers of the
system that come before one must be among its own. Another header of gossip may come before one that does not include
it, if that one mentions no name that the other defines; this is as good as what we see of names, which is not operators
and specialisations.
"""
import pathlib
import re
import sys

form, root, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]

INCLUDE = re.compile(r"^ *# *include <([^>]+)>", re.M)
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
# At the beginning of a line, where clang-format has what a namespace holds.
DEFINITIONS = [
    re.compile(r"^(?:template <.*>\s*)?(?:class|struct|enum class|concept)\s+(\w+)", re.M),
    re.compile(r"^using (\w+) =", re.M),
    re.compile(r"^(?!using|return|namespace|static_assert|friend)[\w:<>,&*\[\] ]+?[ &*](\w+)\(", re.M),
    re.compile(r"^(?:inline )?constexpr [\w:<>, ]+ (\w+)(?: =|\{)", re.M),
]


class Header:
    def __init__(self, name):
        text = (root / name).read_text()
        for own in re.findall(r"^#include <(gossip/[^>]+\.ipp)>$", text, re.M):
            if form == "inline":
                text += (root / own).read_text()
        self.includes = [one for one in INCLUDE.findall(text) if not one.endswith(".ipp") and one != name]
        code = NO_CODE.sub("", text)
        self.words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"^ *#.*", "", code, flags=re.M)))
        self.defines = {found for pattern in DEFINITIONS for found in pattern.findall(code)}


read = {}


def header(name):
    if name not in read:
        read[name] = Header(name)
    return read[name]


def reach(name):
    """All that a header includes, itself among it; headers of the system by their names alone."""
    seen, open_ones = set(), [name]
    while open_ones:
        one = open_ones.pop()
        if one not in seen:
            seen.add(one)
            if one.startswith("gossip/"):
                open_ones += header(one).includes
    return frozenset(seen)


def compiles_alone_behind(name, text):
    """text: the headers before, and all that they include."""
    more = text["seen"] - reached[name]
    if not all(one.startswith("gossip/") for one in more):
        return False
    known = set().union(*(header(one).defines for one in reached[name] if one.startswith("gossip/")))
    return all(not ((header(one).defines - known) & header(name).words) for one in more)


reached = {name: reach(name) for name in names}
texts = []
for name in sorted(names, key=lambda one: (len(reached[one]), one)):
    fitting = [text for text in texts if compiles_alone_behind(name, text)]
    if fitting:
        text = max(fitting, key=lambda one: len(one["seen"]))
    else:
        text = {"headers": [], "seen": set()}
        texts.append(text)
    text["headers"].append(name)
    text["seen"] |= reached[name]

folder.mkdir(parents=True, exist_ok=True)
for number, text in enumerate(texts):
    path = folder / f"text_{number}.cpp"
    lines = "".join(f"#include <{name}>\n#include <{name}>\n" for name in text["headers"])
    if not path.exists() or path.read_text() != lines:
        path.write_text(lines)
    print(path)
