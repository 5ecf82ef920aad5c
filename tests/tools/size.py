"""How big the product is: ``make size``, or ``python -m tests.tools.size [FOLDER]``.

A line of code is a line with code on it: blank lines, comments and docstrings do not count. The
core is what lies outside of ``extras/``. A chain is a module that imports a module that imports …;
only imports of the product's own modules count. A repeated block is two places of at least
`BLOCK` consecutive lines of code that are equal but for their indentation.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGES = ("analysis", "dashboard")
BLOCK = 6
LONG = 50

BLANK = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
"""Tokens that do not make a line one of code."""


@dataclass(frozen=True)
class Module:
    """One module: its code by line number, and how many lines of it only explain."""

    name: str
    tree: ast.Module
    code: dict[int, str]
    comments: int
    docstrings: int

    @property
    def extra(self) -> str:
        """The extra that it belongs to, "" in the core."""
        parts = self.name.split(".")
        return parts[2] if len(parts) > 2 and parts[1] == "extras" else ""


def modules(root: Path) -> dict[str, Module]:
    """Read every module of the product below a folder, by its dotted name."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        found[name] = module(name, path.read_text(encoding="utf-8"))
    return found


def module(name: str, text: str) -> Module:
    """Take a module's text apart.

    >>> text = chr(10).join(['\"\"\"Says.\"\"\"', '', 'A = 1  # one', '# two'])
    >>> taken = module("m", text)
    >>> taken.code, taken.comments, taken.docstrings
    ({3: 'A = 1'}, 2, 1)
    """
    tree = ast.parse(text)
    explained = {line for node in ast.walk(tree) for line in _docstring_lines(node)}
    comments, coded = set(), set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        lines = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.COMMENT:
            comments.update(lines)
        elif token.type not in BLANK:
            coded.update(line for line in lines if line not in explained)
    written = text.splitlines()
    code = {line: _without_comment(written[line - 1]) for line in sorted(coded)}
    return Module(name, tree, {k: v for k, v in code.items() if v}, len(comments), len(explained))


def _docstring_lines(node: ast.AST) -> range:
    """Return the lines of a string that is a statement: a docstring, or that of a constant."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return range(0)
    is_text = isinstance(node.value.value, str)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1) if is_text else range(0)


def _without_comment(line: str) -> str:
    """Cut a comment off, where the rest of the line is sure to be code."""
    head, mark, tail = line.rpartition("  # ")
    return (head if mark and "'" not in tail and '"' not in tail else line).strip()


def edges(found: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return which modules of the product each one imports, anywhere in it."""
    graph = {}
    for name, one in found.items():
        targets: set[str] = set()
        for node in ast.walk(one.tree):
            if isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                targets |= {node.module if i not in found else i for i in inner}
        graph[name] = (targets & found.keys()) - {name}
    return graph


def longest_chain(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the longest way from module to imported module; imports go in no circle.

    >>> longest_chain({"a": {"b", "c"}, "b": {"c"}, "c": set()})
    ['a', 'b', 'c']
    """

    @cache
    def below(name: str) -> tuple[str, ...]:
        chains = (below(target) for target in sorted(graph[name]))
        return (name, *max(chains, key=len, default=()))

    return list(max((below(name) for name in sorted(graph)), key=len, default=()))


def long_functions(found: Mapping[str, Module]) -> list[tuple[int, str]]:
    """Return the functions of more than `LONG` lines of code with their lengths, longest first."""
    functions = []
    for name, one in found.items():
        for node in ast.walk(one.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                length = sum(line in one.code for line in lines)
                if length > LONG:
                    functions.append((length, f"{name}.{node.name}"))
    return sorted(functions, reverse=True)


def repeated_blocks(found: Mapping[str, Module]) -> list[tuple[int, str, str]]:
    """Return pairs of places with the same code: how many lines, and where both begin."""
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    lines = {name: list(_comparable(one).items()) for name, one in found.items()}
    for name, numbered in lines.items():
        texts = [text for _, text in numbered]
        for start in range(len(texts) - BLOCK + 1):
            places[tuple(texts[start : start + BLOCK])].append((name, start))
    pairs = []
    for first, second in _pairs_of_places(places):
        if _ends_alike(lines, first, second):
            continue  # a longer block begins further up
        length = _length(lines, first, second)
        where = [f"{name}:{lines[name][start][0]}" for name, start in (first, second)]
        pairs.append((length, *where))
    return sorted(((n, a, b) for n, a, b in pairs), key=lambda pair: (-pair[0], *pair[1:]))


def _comparable(one: Module) -> dict[int, str]:
    """Leave out imports, which modules share for no fault of theirs."""
    imported = {
        line
        for node in ast.walk(one.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return {n: t for n, t in one.code.items() if n not in imported}


def _pairs_of_places(
    places: Mapping[tuple[str, ...], list[tuple[str, int]]],
) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    for some in places.values():
        for i, first in enumerate(some):
            for second in some[i + 1 :]:
                if first[0] != second[0] or second[1] - first[1] >= BLOCK:
                    yield first, second


Lines = Mapping[str, list[tuple[int, str]]]


def _ends_alike(lines: Lines, first: tuple[str, int], second: tuple[str, int]) -> bool:
    """Say whether the lines just above two places are equal as well."""
    (a, i), (b, j) = first, second
    return i > 0 and j > 0 and lines[a][i - 1][1] == lines[b][j - 1][1]


def _length(lines: Lines, first: tuple[str, int], second: tuple[str, int]) -> int:
    (a, i), (b, j) = first, second
    length = 0
    while i + length < len(lines[a]) and j + length < len(lines[b]):
        if lines[a][i + length][1] != lines[b][j + length][1]:
            break
        length += 1
    return length


def table(found: Mapping[str, Module]) -> list[tuple[str, int]]:
    """Return what is counted by name, in the order of the closing note."""
    by_part: dict[str, int] = defaultdict(int)
    for one in found.values():
        by_part[one.extra] += len(one.code)
    core = by_part.pop("", 0)
    return [
        ("lines of code, product", core + sum(by_part.values())),
        ("lines of code, core", core),
        *((f"lines of code, extra {name}", n) for name, n in sorted(by_part.items())),
        ("comment lines", sum(one.comments for one in found.values())),
        ("docstring lines", sum(one.docstrings for one in found.values())),
        ("modules", len(found)),
        ("longest import chain", len(longest_chain(edges(found)))),
        (f"functions over {LONG} lines of code", len(long_functions(found))),
        (f"repeated blocks of {BLOCK} lines and more, pairs", len(repeated_blocks(found))),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with --places also where chains, long functions and blocks are."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.size", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--places", action="store_true", help="print where they are, too")
    options = parser.parse_args(arguments)
    found = modules(options.folder)
    for name, count in table(found):
        print(f"{count:7,}  {name}")
    if options.places:
        print("\nThe longest chain:", " → ".join(longest_chain(edges(found))))
        print(
            "\nLong functions:", *(f"{n:5}  {name}" for n, name in long_functions(found)), sep="\n"
        )
        print(
            "\nRepeated blocks:",
            *(f"{n:5}  {a}  {b}" for n, a, b in repeated_blocks(found)),
            sep="\n",
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
