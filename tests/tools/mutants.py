"""Whether the tests notice a mistake: ``make mutants``, or ``python -m tests.tools.mutants``.

A mutant is the product with one small mistake in one function: another comparison, constant, sign
or logical operator, or two arguments the wrong way round. It is killed if a test fails. Mutants
are sampled with a seed, the same number from each folder.

The tests are collected once. A first run notes which functions each test calls. Then each mutant
gets a process of its own, which changes the function and runs the tests that call it, the fast
ones first, until one fails. What survives is either a hole in the tests or an `EQUIVALENT` mutant,
which no test can notice.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import gc
import json
import os
import random
import signal
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from analysis.kernel import Kernel

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("ranking", "rankers", "judges", "drawing", "formats")
OTHERS = "test_api.py,extras/validation,extras/slices,dashboard/figures"
"""Tests that call what lies in these folders and has none of its own there."""
PATIENCE = 5
"""How many times as much processor time as without any mutant a test may take."""
COMPILING = 60
"""Seconds of processor time that it may take besides: its kernels are compiled anew."""

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip

COMMUTES = {"max", "min", "maximum", "minimum", "isclose", "zip", "hypot", "logaddexp", "gcd"}
"""Functions whose first two arguments may change places."""

FAILS = "the tool fails: "

EQUIVALENT: dict[str, str] = {
    "analysis/formats/assembly.py _check_budgets (5): 0 → (1)": "every budget allows one output",
    "analysis/formats/spans.py _places: 1 → (2)": "every place below 0 becomes -1",
    "analysis/rankers/playoffs.py _mean_share_survived (7): 1 → (2)": (
        "there are ten tournaments or more"
    ),
    "analysis/rankers/hopkins_may/gibbs.py _add_pushed_qualities: abilities[i[cell]] + sd * "
    "rng.standard_normal() → (abilities[i[cell]] - sd * rng.standard_normal())": (
        "a normal error is as likely below as above"
    ),
    "analysis/judges/labels.py cell_counts: 1 → (2)": (
        "any number above the judges' keeps segments and judges apart"
    ),
    "analysis/judges/labels.py cell_counts (3): 1 → (2)": "a cell more, without labels",
    "analysis/judges/judge_kappas.py of (5): 1 → (2)": "an item more, without labels",
    "analysis/judges/other_coefficients.py krippendorff_alpha: 1 → (2)": (
        "coincidences are symmetric, so rows and columns have the same sums"
    ),
    "analysis/ranking/uncertainty.py _freedom_of_means: -1 → (1)": (
        "directions are N×K, so their last axis is axis 1"
    ),
    "analysis/ranking/covariance.py _covariance_of (3): 1 → (2)": (
        "of a single group all sums are zero before they are scaled"
    ),
    "analysis/rankers/bradley_terry.py _fit: PairCounts(counts.wins.mean(axis=replicates), "
    "counts.ties.mean(axis=replicates)) → (PairCounts(counts.ties.mean(axis=replicates), "
    "counts.wins.mean(axis=replicates)))": (
        "it is where Newton's method starts; the mode it ends at is the same"
    ),
    "analysis/rankers/trueskill/fluid.py selection (3): 1 → (2)": (
        "of two systems that are left, neither needs a negative rate"
    ),
    "analysis/rankers/preferences.py mode: self._newton(wins.mean(0, keepdims=True), "
    "ties.mean(0, keepdims=True), start) → (self._newton(ties.mean(0, keepdims=True), "
    "wins.mean(0, keepdims=True), start))": (
        "it is where Newton's method starts; the mode it ends at is the same"
    ),
    "analysis/judges/judge_verdicts.py unsure: self.p > LIMIT → (self.p >= LIMIT)": (
        "p is a whole number over a power of two, and never 0.05"
    ),
    "analysis/judges/other_coefficients.py krippendorff_alpha: -1 → (1)": (
        "a table of coincidences is symmetric: sums of rows are those of columns"
    ),
    "analysis/judges/judge_kappas.py of: np.bincount(item[kept], "
    "minlength=int(item.max(initial=-1)) + 1)[item] > 1 → (np.bincount(item[kept], "
    "minlength=int(item.max(initial=-1)) + 1)[item] >= 1)": (
        "items with one label are compared with nothing; leaving them out saves memory only"
    ),
    "analysis/judges/labels.py statistics (4): 1 → (2)": (
        "codes of judge and session stay distinct in a larger base"
    ),
    "analysis/drawing/curves.py _beside (2): 1 → (2)": (
        "all values are one there, and zero over anything is zero"
    ),
    "analysis/drawing/answers.py answer_json: 1.0 → (2.0)": (
        "a column alone in its row has all of the width"
    ),
    "analysis/drawing/svg/picture.py _tick (3): 0 → (1)": ("`out` is 1 or -1"),
    "analysis/drawing/svg/picture.py _tick: out < 0 → (out <= 0)": "`out` is 1 or -1",
    "analysis/drawing/svg/picture.py _tick: angle < 0 → (angle <= 0)": "it is not 0 there",
    "analysis/drawing/sketch.py _parts (2): 9 → (10)": "no picture shows a billionth of its width",
    "analysis/drawing/row_picture.py _draw_ranks (3): 1 → (2)": ("a rule of two pixels"),
    "analysis/drawing/row_picture.py rows_json: 8 → (9)": ("a margin wider by a pixel"),
    "analysis/drawing/cells.py cells_json (5): 8 → (9)": ("a margin wider by a pixel"),
    "analysis/drawing/svg/frame.py _make_room: 0 → (1)": ("a margin wider by a pixel"),
    "analysis/drawing/svg/frame.py color_scale: 12 → (13)": (
        "a scale of colors wider by a pixel where nobody says how wide"
    ),
    "analysis/drawing/svg/frame.py color_scale (2): 12 → (13)": (
        "a scale of colors wider by a pixel"
    ),
}
"""Mutants that change nothing a user could notice, by `Mutant.name`, each with the reason."""


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, the code before and the code after."""

    path: str
    function: str
    begins: int
    """The line at which the code of the function begins."""
    start: int
    end: int
    line: int
    before: str
    after: str
    nth: int
    """Which one of its like in the function, from 1."""

    @property
    def name(self) -> str:
        """What was changed, without the line, which moves."""
        nth = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.path} {self.function}{nth}: {' '.join(self.before.split())} → {self.after}"

    def applied(self, source: str) -> str:
        """Return the module's text with the mistake in it."""
        data = source.encode()
        return (data[: self.start] + self.after.encode() + data[self.end :]).decode()


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a module's functions."""
    starts = [0]
    for text in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    found = []
    seen: Counter[tuple[str, ...]] = Counter()
    for function in outermost(ast.parse(source)):
        begins = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        for node in sorted(_code(function), key=lambda node: (node.lineno, node.col_offset)):
            for changed in _changes(node):
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
                before = source.encode()[start:end].decode()
                after = f"({ast.unparse(ast.fix_missing_locations(changed))})"
                like = (function.name, before, after)
                seen[like] += 1
                where = (path, function.name, begins, start, end, node.lineno)
                found.append(Mutant(*where, before, after, seen[like]))
    return found


def outermost(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Yield the functions and methods that are in no other function."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef):
            yield child
        else:
            yield from outermost(child)


def _code(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the expressions of a function's body; not those of its annotations and f-strings."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr | ast.Raise):
            continue
        if isinstance(node, ast.expr):
            yield node
        waiting += [
            child
            for name, value in ast.iter_fields(node)
            if name not in {"annotation", "returns", "decorator_list"}
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


def change(mutant: Mutant) -> None:
    """Give the mutant's function its changed code, wherever it was imported to."""
    path = ROOT / mutant.path
    source = path.read_text()
    function = (mutant.function, mutant.begins)
    waiting = [compile(mutant.applied(source), str(path), "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        if (code.co_name, code.co_firstlineno) == function:
            break
        waiting += [const for const in code.co_consts if isinstance(const, CodeType)]
    gc.unfreeze()  # what is frozen is not listed
    changed = [
        one
        for one in gc.get_objects()
        if type(one) is FunctionType  # isinstance asks what a proxy stands for
        and one.__code__.co_filename == str(path)
        and (one.__code__.co_name, one.__code__.co_firstlineno) == function
    ]
    for one in changed:
        one.__code__ = code
    if not changed:
        raise LookupError(f"{mutant.function} of {path} is not found")
    if "@kernel" in source:
        _compile_anew()


def _compile_anew() -> None:
    """Let kernels be compiled: what lies on the disk knows nothing of the mutant."""
    import numba

    njit = numba.njit
    numba.njit = lambda *function, **options: njit(*function, **{**options, "cache": False})


@dataclass(eq=False)
class Run:
    """A pytest plugin that runs the collected tests once for each mutant."""

    mutants: Sequence[Mutant]
    record: Path
    done: dict[str, str]
    """What killed a mutant, by its name; "" if it survives."""
    traced: Path
    """Which functions each test calls, how long it takes and whether it passes."""
    failed: bool = False
    called: dict[int, CodeType] = field(default_factory=dict)

    def pytest_configure(self) -> None:
        """Look for no smaller example of a failure."""
        from hypothesis import Phase, settings  # not before pytest, which changes its asserts

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", phases=phases, derandomize=True, database=None)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notice a test that fails, also in what it sets up and takes down."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Note what the tests call, then run each mutant."""
        in_child(lambda _: self._trace(session.items), 7200)
        tests = {test["test"]: test for test in map(json.loads, lines_of(self.traced))}
        items = [item for item in session.items if tests[item.nodeid]["passes"]]
        covering = {
            mutant: sorted(
                (
                    i
                    for i in items
                    if f"{mutant.path}:{mutant.function}" in tests[i.nodeid]["calls"]
                ),
                key=lambda item: tests[item.nodeid]["seconds"],
            )
            for mutant in self.mutants
            if mutant.name not in self.done
        }
        cost = {m: sum(tests[i.nodeid]["seconds"] for i in own) for m, own in covering.items()}
        for mutant, seconds in sorted(cost.items(), key=lambda entry: entry[1]):
            own = covering[mutant]
            run = functools.partial(self._try, mutant, own)
            killed = in_child(run, PATIENCE * seconds + COMPILING)
            self.done[mutant.name] = killed
            entry = {"mutant": mutant.name, "killed": killed, "tests": len(own)}
            with self.record.open("a") as file:
                print(json.dumps(entry, ensure_ascii=False), file=file)
        return True

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> bool:
        """Run a test; return whether it passes or is skipped."""
        self.failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return not self.failed

    def _try(
        self, mutant: Mutant, items: Sequence[pytest.Item], tell: Callable[[str], None]
    ) -> None:
        change(mutant)
        for i, item in enumerate(items):
            if not self._run(item, items[i + 1] if i + 1 < len(items) else None):
                tell(item.nodeid)
                return

    def _trace(self, items: Sequence[pytest.Item]) -> None:
        """Run every test that is new or written anew, with nothing remembered from others."""
        known = {(test["test"], test["stamp"]) for test in map(json.loads, lines_of(self.traced))}
        items = [item for item in items if (item.nodeid, _stamp(item)) not in known]
        remembering = [
            one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)
        ]
        for item in items:
            for one in remembering:
                if one.__module__.startswith(("analysis", "tests")):
                    one.cache_clear()
            self.called.clear()
            start = time.process_time()
            threading.setprofile(self._notice)
            sys.setprofile(self._notice)
            passes = self._run(item, None)
            sys.setprofile(None)
            threading.setprofile(None)
            calls = sorted({_named(code) for code in list(self.called.values()) if _is_ours(code)})
            seconds = round(time.process_time() - start, 3)
            entry = {"test": item.nodeid, "stamp": _stamp(item), "passes": passes}
            with self.traced.open("a") as file:
                print(json.dumps(entry | {"seconds": seconds, "calls": calls}), file=file)

    def _notice(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and id(frame.f_code) not in self.called:
            self.called[id(frame.f_code)] = frame.f_code
        if event == "call" and frame.f_code is Kernel.__call__.__code__:
            self._notice_kernel(frame.f_locals["self"]._function)

    def _notice_kernel(self, function: FunctionType) -> None:
        """Note a kernel and the kernels that it calls, which run compiled."""
        if id(function.__code__) in self.called:
            return
        self.called[id(function.__code__)] = function.__code__
        for name in function.__code__.co_names:
            other = function.__globals__.get(name)
            inner = getattr(other, "_function", None) or getattr(other, "py_func", None)
            if inner is not None:
                self._notice_kernel(inner)


@functools.cache
def _stamp_of(path: Path) -> int:
    return zlib.crc32(path.read_bytes())


def _stamp(item: pytest.Item) -> int:
    """Return a number that changes with the file of a test."""
    return _stamp_of(item.path)


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file, none if it is not there yet."""
    return path.read_text().splitlines() if path.is_file() else []


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(f"{ROOT}/analysis/")


def _named(code: CodeType) -> str:
    return f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_name}"


def in_child(work: Callable[[Callable[[str], None]], None], patience: float) -> str:
    """Do something in a child; return what it told, or how it ended before it could.

    The patience is seconds of its processor time, so that a busy machine kills no mutant.
    """
    read, write = os.pipe()
    child = os.fork()
    if not child:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        signal.setitimer(signal.ITIMER_PROF, patience)
        try:
            work(lambda text: os.write(write, text.encode()) and None)
        except BaseException as error:
            os.write(write, f"{FAILS}{error!r}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if text.startswith(FAILS):
        raise RuntimeError(text)
    return text or {0: "", -signal.SIGPROF: "it runs on and on"}.get(code, f"it ends with {code}")


def main(arguments: list[str] | None = None) -> int:
    """Run the mutants and print those that survive; what is in the record is not run again."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folders", default=",".join(FOLDERS), help="comma-separated")
    parser.add_argument("--tests", default=OTHERS, help="others below tests/, comma-separated")
    parser.add_argument("--record", type=Path, default=ROOT / "build/mutants.jsonl")
    options = parser.parse_args(arguments)
    options.record.parent.mkdir(parents=True, exist_ok=True)
    folders = tuple(options.folders.split(","))
    chosen = sampled(options.number, options.seed, folders)
    chosen = [mutant for mutant in chosen if mutant.name not in EQUIVALENT]
    entries = map(json.loads, lines_of(options.record))
    done = {entry["mutant"]: entry["killed"] for entry in entries}
    run = Run(chosen, options.record, done, options.record.with_suffix(".tests.jsonl"))
    tests = [f"tests/{folder}" for folder in (*folders, *options.tests.split(",")) if folder]
    marks = ["-m", "not slow and not browser", "-p", "no:cacheprovider", "-n", "0", "-q", "-s"]
    code = pytest.main([*marks, *dict.fromkeys(tests), *(f"analysis/{f}" for f in folders)], [run])
    if code:
        return int(code)
    survivors = [mutant for mutant in chosen if not done[mutant.name]]
    for mutant in survivors:
        print(f"survives, line {mutant.line}: {mutant.name}")
    dead = len(chosen) - len(survivors)
    print(f"{dead} of {len(chosen)} mutants killed, {100 * dead / max(len(chosen), 1):.0f}%")
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main())
