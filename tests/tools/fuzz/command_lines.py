"""Whole commands with random flags, valid and not, on small campaigns and damaged files.

The flags come from each command's own parser, so a new flag is tried from the day it is there. A
command must end in an answer or in one clear line, whatever it was given.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from analysis.cli import main
from analysis.cli.commands import commands
from analysis.cli.parser import parser_of
from analysis.parameters import hyperparameters
from analysis.presets import PRESETS
from analysis.rankers import RANKERS
from tests.tools.fuzz.campaigns import Study, metric_scores, study, written
from tests.tools.fuzz.doors import EXAMPLES, Files
from tests.tools.fuzz.mutators import damage

NOT_TRIED = {
    "dashboard": "it serves until it is stopped",
    "replicate": "it needs the papers' campaigns, and has a test of its own",
    "research replicate": "as replicate",
}
"""Commands that are left out, and why."""

NOT_GIVEN = {"help", "dask", "watch", "record", "keep"}
"""What flags set that waits for something outside, or writes beside the folder of the run."""

EFFORT = {
    "runs": ("1", "20", "100", "100", "120"), "trials": ("1", "2", "3"), "folds": ("2", "3", "4"),
    "experiments": ("1", "2", "3"), "sizes": ("4", "10,20", "2,8,16", "50"),
    "tasks": ("1", "5", "15"), "judgments": ("10", "50", "200"), "labels": ("2", "10", "40"),
}  # fmt: skip
"""What makes a command long, by destination: given nearly always, and small."""

RARE = {
    "map", "sheet", "criterion", "preset", "weights", "procedure", "hit_size", "sent", "like",
    "test", "dev", "logo", "sections", "blocks", "tie_margin", "segments", "look", "slices",
}  # fmt: skip
"""What most campaigns cannot take, by destination: given seldom, so that enough commands run."""

ODD = (
    "", " ", "nan", "inf", "-inf", "1e400", "-1", "0", "1", "9" * 25, "0x10", "½", "1_0", "x",
    "a\x1b[31mb", "\udcff", "\u202e", "--", "-", ",", "a,b", "=", "a=b", "*",
    "%s", "../x", "/", "\0",
)  # fmt: skip
"""Words that fit hardly any flag."""

NUMBERS = ("0", "1", "2", "5", ".5", ".05", ".95", ".99", "10", "100", "-2", "1e-9", "1e6")
WEIGHT = {"rank": 5, "plan": 2, "what-if": 2, "report": 0.5, "research simulate": 0.4}
OUTPUT = 2_000_000


@dataclass(frozen=True)
class Attempt:
    """What a seed makes: a command, the kind of file, the files and the words."""

    door: str
    kind: str
    files: Files
    words: tuple[str, ...]

    def enter(self) -> str:
        """Run the command in a folder of its own; return ``ok`` or ``refused``."""
        with _folder() as folder, chdir(folder):
            for name, data in self.files:
                Path(name).write_bytes(data)
            code, out, err = answered(self.words)
        return judged(self.words, code, out, err)

    def __str__(self) -> str:
        return " ".join(map(repr, self.words))


@contextmanager
def _folder() -> Iterator[str]:
    at = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=at) as folder:
        yield folder


def answered(words: tuple[str, ...]) -> tuple[int, str, str]:
    """Run a command in this process; return its code, its answer and what it told beside."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
        for _ in range(2)
    )
    stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"a,b\n"))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as error:  # argparse's way to refuse
                code = error.code if isinstance(error.code, int) else 1
    finally:
        sys.stdin = stdin
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return code, *texts


def judged(words: tuple[str, ...], code: int, out: str, err: str) -> str:
    """Return how a command ended; an assertion fails where it ended as none may."""
    assert "Traceback" not in err + out, err[-300:]
    assert "Warning" not in err, err[-300:]
    assert "not enough memory" not in err, "over memory"
    assert "could not be read (" not in err, err[-300:]
    assert len(out) < OUTPUT, f"an answer of {len(out)} letters"
    if code == 0 or (code == 1 and words[0] == "verify"):
        if "--json" in words and out.lstrip().startswith(("{", "[")):
            json.loads(out, parse_constant=_no_constant)
        return "ok"
    assert code == 2, f"code {code}: {err[-300:]}"
    told = [line for line in err.splitlines() if line.startswith(("podium ", "podium: "))]
    assert told, f"refused without a word: {err[-300:]!r}"
    assert not out.strip() or "--json" not in words, "an answer and a refusal"
    return "refused"


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} in JSON")


# What a seed makes


def make(seed: int) -> Attempt:
    """Return the command of a seed."""
    rng = np.random.default_rng([seed, 24])
    names = [name for name in commands() if name not in NOT_TRIED]
    share = np.array([WEIGHT.get(name, 0.15 if commands()[name].now else 1) for name in names])
    name = str(rng.choice(names, p=share / share.sum()))
    of = study(rng)
    files, kind, given = _files(name, of, rng)
    words = [*name.split(), *given, *_flags(name, of, kind, given, rng)]
    if rng.random() < 0.02:
        words.insert(int(rng.integers(1, len(words) + 1)), _odd(rng))
    return Attempt(name, kind, files, tuple(words))


def _odd(rng: np.random.Generator) -> str:
    return ODD[int(rng.integers(len(ODD)))]


def _files(name: str, of: Study, rng: np.random.Generator) -> tuple[Files, str, list[str]]:
    """Return the files of a command, their kind, and the words that name them."""
    chance = rng.random()
    file, data = written(of, rng, ("scores.csv",) if name == "metrics" and chance < 0.9 else ())
    kind = file
    if chance < 0.15 and name != "metrics":
        source = _examples()[int(rng.integers(len(_examples())))]
        file, data, kind = source.name, source.read_bytes(), "example"
    elif chance < 0.2:
        file, data, kind = "damaged.csv", damage(data, rng)[:100_000], "damaged"
    elif chance < 0.22:
        file, data, kind = "empty.csv", b"", "empty"
    files: Files = [(file, data)]
    if name in ("summary", "rank") and rng.random() < 0.02:
        return files, "odd", [_odd(rng)]
    if name == "research simulate" or (name in ("plan", "batch") and rng.random() < 0.15):
        return [], "none", []
    if name in ("diff", "compare-states"):
        later, grown = written(of.grown(rng), rng)
        files.append((f"later-{later}", grown))
        return files, kind, [file, f"later-{later}"]
    if name in ("llm-judges", "machine"):
        second, votes = written(of.grown(rng), rng)
        files.append((f"llm-{second}", votes))
        return files, kind, [file, "--judge", f"m=llm-{second}"]
    if name == "metrics":
        scores = metric_scores(of, rng)
        files.append(("metrics.csv", damage(scores, rng)[:50_000] if chance > 0.9 else scores))
        return files, kind, [file, "metrics.csv"]
    if name == "scores":
        paths = sorted((EXAMPLES / "scores").iterdir())
        source = paths[int(rng.integers(len(paths)))]
        content = source.read_bytes()
        scored = [(source.name, damage(content, rng)[:50_000] if chance > 0.6 else content)]
        if source.suffix == ".txt":
            scored = [(p.name, p.read_bytes()) for p in paths if p.suffix == ".txt"]
        return scored, "scores", [one for one, _ in scored]
    if name == "verify":
        archive = _archive()
        whole = rng.random() < 0.5
        return [("all.zip", archive if whole else damage(archive, rng))], "archive", ["all.zip"]
    if rng.random() < 0.04:
        second, votes = written(of.grown(rng), rng)
        files.append((f"and-{second}", votes))
        return files, kind, [file, f"and-{second}"]
    return files, kind, [file]


@cache
def _examples() -> tuple[Path, ...]:
    return tuple(p for p in sorted(EXAMPLES.iterdir()) if p.is_file() and p.suffix != ".md")


@cache
def _archive() -> bytes:
    """Return an archive of a report, made once."""
    with _folder() as folder:
        path = Path(folder) / "all.zip"
        file = str(EXAMPLES / "arena.csv")
        words = ("report", file, "-o", f"{folder}/r.html", "--archive", str(path), "--runs", "20")
        code, _, err = answered(words)
        assert code == 0, err
        return path.read_bytes()


def _flags(
    name: str, of: Study, kind: str, given: list[str], rng: np.random.Generator
) -> list[str]:
    """Return flags with values: those that make it long nearly always, the others now and then."""
    # what is named, a method or a preset, makes flags of its own
    words: list[str] = []
    parser = parser_of(commands()[name], given)
    known = {flag for action in parser._actions for flag in action.option_strings}
    if "--method" in known and rng.random() < 0.7:
        words += ["--method", _method(rng)]
    if "--preset" in known and rng.random() < 0.05:
        words += ["--preset", str(rng.choice([*PRESETS, "x"]))]
    try:
        with redirect_stderr(io.StringIO()):
            parser = parser_of(commands()[name], [*given, *words])
    except Exception:
        return words  # the command will say what is wrong with the name
    often = float(rng.choice([0.02, 0.05, 0.2]))
    taken = {"method", "preset"}
    form = str(rng.choice(["", "json", "csv", "latex"], p=[0.45, 0.35, 0.1, 0.1]))
    for action in parser._actions:
        dest = action.dest
        if not action.option_strings or dest in NOT_GIVEN or dest in taken:
            continue
        at = often * (0.2 if dest in RARE else 1)
        if dest in ("json", "csv", "latex"):
            at = 0.99 if dest == form else 0.003
        elif action.required or dest in EFFORT or (dest == "output" and name == "report"):
            at = 0.98
        elif dest == "pair":
            at = 0.02 if kind == "example" else 0.9 if len(of.pairs) > 1 else at
        if rng.random() >= at:
            continue
        taken.add(dest)
        flag = str(rng.choice(action.option_strings))
        if action.nargs == 0:
            words.append(flag)
            continue
        value = _odd(rng) if rng.random() < 0.04 else _value(action, of, words, rng)
        words += [f"{flag}={value}"] if value.startswith("-") else [flag, value]
    return words


def _method(rng: np.random.Generator) -> str:
    return "nosuch" if rng.random() < 0.02 else str(rng.choice([*RANKERS]))


def _value(action: argparse.Action, of: Study, words: list[str], rng: np.random.Generator) -> str:
    """Return a value that the flag may well take."""
    dest = action.dest
    if action.choices is not None:
        return str(rng.choice([str(choice) for choice in action.choices]))
    if dest in EFFORT:
        return str(rng.choice(EFFORT[dest]))
    if dest.startswith("hyperparameter_"):
        return _setting(dest.removeprefix("hyperparameter_"), words, rng)
    systems, judges = of.systems, of.judges
    fitting: dict[str, tuple[str, ...]] = {
        "pair": (*of.pairs * 4, "deu-eng", "English-German"),
        "exclude_systems": systems,
        "better": systems,
        "worse": systems,
        "judges": (*judges, ",".join(judges[:2]), "a*", "*"),
        "exclude_judges": (*judges, "b*"),
        "assign_to": (",".join(judges), *judges),
        "segments": ("1-3", "1-1", "2-900", "5-2"),
        "on_segments": ("1,2,3", "7"),
        "slices": ("domain=news", "language=all", "domain=", "length=10"),
        "by": ("domain", "judge", "length", "document"),
        "adjust_for": ("length", "position", "length,position", "domain"),
        "methods": (_method(rng), f"{_method(rng)},{_method(rng)}", "expected-wins,bojar"),
        "rank_by": (_method(rng),),
        "grid": ("wmt14",),
        "weights": (f"{judges[0]}=2", "score=1", "a=1,b=2"),
        "criterion": ("score", "all"),
        "procedure": ("wmt14", "wmt20", "wmt22-mqm", "wmt16"),
        "map": ("auto", "auto", "none.yaml"),
        "output": ("out.csv", "out.html", "out.zip", "out.pdf", "folder", "no/such/out.csv", "."),
        "archive": ("all.zip", "x.txt", "."),
        "logo": ("none.png",),
        "title": ("A", "<b>", "#set", "\uffff\x07"),
        "note": ("A note.", "<script>", "x" * 5000, "$x$ # [a]"),
        "sections": ("standings", "standings,checks", "nosuch"),
        "level": (".5", ".8", ".95", ".999", "0", "1"),
        "dev": (".3", "none.csv"),
        "shares": ("0,.2", "0", ".1,.9,1"),
        "n_way": ("2", "3", "5", "1"),
        "systems": ("2", "5", "12"),
        "segments_n": ("10",),
        "sent": ("none.csv",),
        "low_is_good": ("odd", "good"),
        "gold": ("gold", "hter"),
        "task": ("mae", "f1", "map", "pearson"),
        "seed": ("0", "7"),
    }
    return str(rng.choice(fitting.get(dest, NUMBERS)))


def _setting(name: str, words: list[str], rng: np.random.Generator) -> str:
    """Return a value of a hyperparameter: a bound, the default, something between or outside."""
    owners = [RANKERS[word] for word in words if word in RANKERS] or list(RANKERS.values())
    known = [p for owner in owners for p in hyperparameters(owner) if p.name == name]
    if not known:
        return str(rng.choice(NUMBERS))
    parameter = known[0]
    if parameter.choices:
        return str(rng.choice(list(parameter.choices)))
    if parameter.low is None or parameter.high is None:
        return str(rng.choice([str(parameter.default), *NUMBERS]))
    # the bound above of an effort is hours of work, which is what was asked for
    low = float(parameter.low)
    high = float(parameter.default if parameter.role == "effort" else parameter.high)
    value = float(
        rng.choice([low, high, float(parameter.default), rng.uniform(low, max(low, high))])
    )
    whole = parameter.kind is int
    return str(int(value)) if whole else f"{value:.6g}"
