"""Whether the tests notice a mistake: ``make mutants``, or ``python -m tests.tools.mutants``.

A mutant is the product with one small mistake in one function: another comparison, constant, sign
or logical operator, or two arguments the wrong way round. It is killed if a test fails. Mutants
are sampled with a seed, the same number from each folder. Each is written into a copy of the
repository; there the tests of its module run first, then those of its folder, until one fails.
What survives is either a hole in the tests or an `EQUIVALENT` mutant, which no test can notice.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("ranking", "rankers", "judges", "drawing", "formats")
PATIENCE = 240
"""Seconds after which a mutant counts as killed: it made a test run on and on."""

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip

COMMUTES = {"max", "min", "maximum", "minimum", "isclose", "zip", "hypot", "logaddexp", "gcd"}
"""Functions whose first two arguments may change places."""

EQUIVALENT: dict[str, str] = {}
"""Mutants that change nothing a user could notice, by `Mutant.name`, each with the reason."""


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, the code before and the code after."""

    path: str
    start: int
    end: int
    line: int
    before: str
    after: str

    @property
    def name(self) -> str:
        """What was changed, without the line, which moves."""
        return f"{self.path}: {' '.join(self.before.split())} → {self.after}"

    def applied(self, source: str) -> str:
        """Return the module's text with the mistake in it."""
        data = source.encode()
        return (data[: self.start] + self.after.encode() + data[self.end :]).decode()


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a module's functions."""
    starts = [0]
    for text in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    found = {}
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in _code(function):
            for changed in _changes(node):
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
                before = source.encode()[start:end].decode()
                after = f"({ast.unparse(ast.fix_missing_locations(changed))})"
                found[start, end, after] = Mutant(path, start, end, node.lineno, before, after)
    return list(found.values())


def _code(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the expressions of a function's body; not those of its annotations and f-strings."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr | ast.FunctionDef | ast.Raise):
            continue
        if isinstance(node, ast.expr):
            yield node
        waiting += [
            child
            for name, value in ast.iter_fields(node)
            if name != "annotation"
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        ]


def _changes(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression could have been by mistake."""
    changed = copy.deepcopy(node)
    match changed:
        case ast.Compare(ops=[operator, *_]) if type(operator) in SWAPPED:
            changed.ops[0] = SWAPPED[type(operator)]()  # type: ignore[call-overload]
            yield changed
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in SWAPPED:
            changed.op = SWAPPED[type(operator)]()  # type: ignore[assignment]
            yield changed
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield changed.operand
        case ast.Constant(value=bool()):
            return
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
        case ast.Constant(value=float(number)):
            yield ast.Constant(2 * number if number else 1.0)
        case ast.Call(func=called, args=[first, second, *_]) if (
            ast.unparse(called).rpartition(".")[2] not in COMMUTES
            and ast.dump(first) != ast.dump(second)
            and not any(isinstance(one, ast.Starred) for one in (first, second))
        ):
            changed.args[:2] = [second, first]
            yield changed


def sampled(number: int, seed: int, folders: tuple[str, ...] = FOLDERS) -> list[Mutant]:
    """Sample as many mutants, the same number from each folder of ``analysis/``."""
    chosen = []
    for folder in folders:
        generator = random.Random(f"{seed} {folder}")
        paths = sorted((ROOT / "analysis" / folder).rglob("*.py"))
        names = [path.relative_to(ROOT).as_posix() for path in paths]
        every = [m for name in names for m in mutants_of(name, (ROOT / name).read_text())]
        chosen += generator.sample(every, min(-(-number // len(folders)), len(every)))
    return chosen[:number]


def tests_of(path: str, root: Path) -> list[list[str]]:
    """Return which tests run for a module: its own first, then its folder's."""
    parts = Path(path).with_suffix("").parts[1:]
    own = [
        f"tests/{parts[0]}/test_{name}.py"
        for name in (*reversed(parts[1:]), "_".join(parts[-2:]))
        if (root / "tests" / parts[0] / f"test_{name}.py").is_file()
    ]
    return [[path, *dict.fromkeys(own)], [f"tests/{parts[0]}", "tests/test_api.py"]]


def killed(mutant: Mutant, tree: Path) -> str:
    """Return what killed a mutant: the tests that failed, "" if it survives."""
    target = tree / mutant.path
    source = (ROOT / mutant.path).read_text()
    target.write_text(mutant.applied(source))
    try:
        for tests in tests_of(mutant.path, tree):
            if not _pass(tests, tree):
                return " ".join(tests)
    finally:
        shutil.copy2(ROOT / mutant.path, target)
    return ""


def _pass(tests: list[str], tree: Path) -> bool:
    """Return whether tests pass, run in a child that has the libraries loaded already."""
    child = os.fork()
    if not child:
        import pytest

        os.chdir(tree)
        sys.path[0] = str(tree)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        signal.alarm(PATIENCE)
        marks = ["-m", "not slow and not browser", "-p", "no:cacheprovider"]
        os._exit(int(pytest.main(["-q", "-x", *marks, *tests])))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) in (0, 5)


def main(arguments: list[str] | None = None) -> int:
    """Run the mutants and print those that survive; what is in the record is not run again."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folders", default=",".join(FOLDERS), help="comma-separated")
    parser.add_argument("--record", type=Path, default=Path("build/mutants.jsonl"))
    options = parser.parse_args(arguments)
    done = {}
    if options.record.is_file():
        entries = map(json.loads, options.record.read_text().splitlines())
        done = {entry["mutant"]: entry["killed"] for entry in entries}
    options.record.parent.mkdir(parents=True, exist_ok=True)
    for library in ("numpy", "pandas", "scipy.stats", "scipy.optimize", "numba", "pyarrow"):
        __import__(library)
    chosen = sampled(options.number, options.seed, tuple(options.folders.split(",")))
    chosen = [mutant for mutant in chosen if mutant.name not in EQUIVALENT]
    with tempfile.TemporaryDirectory() as folder, options.record.open("a") as record:
        tree = Path(folder) / "podium"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "build"))
        for mutant in chosen:
            if mutant.name not in done:
                done[mutant.name] = killed(mutant, tree)
                entry = {"mutant": mutant.name, "killed": done[mutant.name]}
                print(json.dumps(entry), file=record, flush=True)
                print("killed  " if entry["killed"] else "SURVIVES", mutant.line, mutant.name)
    dead = sum(bool(done[mutant.name]) for mutant in chosen)
    print(f"{dead} of {len(chosen)} mutants killed, {100 * dead / max(len(chosen), 1):.0f}%")
    return int(dead < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
