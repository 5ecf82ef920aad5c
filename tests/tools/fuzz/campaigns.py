"""Small campaigns built from the grammar of the formats: degenerate and hostile, not damaged.

A `Study` is what was judged; `written` puts it into one of the formats. So that what two files
share is under control: a later state of a campaign, a second judge of the same outputs.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape

import numpy as np
import pandas as pd

NAMES = (
    *"abcdefghij", "online-A", "ONLINE-B", "uedin", "=1+1", "@SUM(A1)", "a\x1b[31mb", "\uffff",
    "<b>x</b>", "$x_1$", "a,b", 'say "no"', "c+d", "..", "../../x", "é", "e\u0301", "漢字",
    "\u202eabc", "-", "None", "nan", "0", "1e5", "tie", "model_a", "x" * 300, "[link](y)", "%s",
    "{x}", "#", "\\",
)  # fmt: skip
"""Plain names, and names that some other notation takes for its own."""

PLAIN = 13
PAIRS = (
    ("all",),
    ("all",),
    ("eng-deu",),
    ("eng-deu",),
    ("fra-eng", "eng-fra"),
    ("cs-en", "en-cs", "xx-yy"),
)
SCORES = (
    "0", "100", "50", "71.5", "-1", "", "nan", "x", "1e308", "-1e308", "1e-320", "3", "4",
)  # fmt: skip


@dataclass(frozen=True)
class Task:
    """One screen: outputs as shown, with their ranks and scores."""

    pair: str
    segment: int
    judge: str
    shown: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """Whom and what was judged, and all tasks."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    pairs: tuple[str, ...]
    tasks: tuple[Task, ...]

    def grown(self, rng: np.random.Generator) -> Study:
        """Return a later state: all tasks and some more of the same kind."""
        more = _tasks(rng, self.systems, self.judges, self.pairs, int(rng.integers(1, 30)))
        return replace(self, tasks=(*self.tasks, *more))


def study(rng: np.random.Generator) -> Study:
    """Return some campaign: few systems or judges, all ties, sweeps, islands, repeated tasks."""
    pool = NAMES if rng.random() < 0.25 else NAMES[:PLAIN]
    systems = _some(rng, pool, int(rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 7, 7, 12])))
    judges = _some(rng, pool, int(rng.choice([1, 1, 2, 3, 5, 9])))
    pairs = PAIRS[int(rng.integers(len(PAIRS)))]
    n_tasks = int(rng.choice([1, 5, 20, 40, 60, 120]))
    tasks = _tasks(rng, systems, judges, pairs, n_tasks)
    if rng.random() < 0.15:
        tasks *= 2
    return Study(systems, judges, pairs, tasks)


def _some(rng: np.random.Generator, pool: tuple[str, ...], n: int) -> tuple[str, ...]:
    chosen = rng.choice(len(pool), size=min(n, len(pool)), replace=False)
    return tuple(pool[k] for k in chosen)


def _tasks(
    rng: np.random.Generator,
    systems: tuple[str, ...],
    judges: tuple[str, ...],
    pairs: tuple[str, ...],
    n: int,
) -> tuple[Task, ...]:
    """Draw tasks in one manner of judging, the same for all of them."""
    manner = str(rng.choice(["by skill", "at random", "all ties", "sweep", "islands", "constant"]))
    segments, most = int(rng.choice([1, 3, 40])), int(rng.choice([2, 2, 3, 5]))
    made = []
    for _ in range(n):
        within = systems
        if manner == "islands" and len(systems) > 3:
            half = len(systems) // 2
            within = systems[:half] if rng.random() < 0.5 else systems[half:]
        shown = _some(rng, within, most)
        place = np.array([systems.index(name) for name in shown], dtype=float)
        noise = {"by skill": 2.0, "sweep": 0.0, "islands": 1.0}.get(manner, 9.0)
        order = np.argsort(np.argsort(place + noise * rng.normal(size=len(shown))))
        ranks = np.ones_like(order) if manner in ("all ties", "constant") else order + 1
        if manner == "at random" and rng.random() < 0.3:
            ranks = rng.integers(1, 6, size=len(shown))
        scores = [str(90 - 7 * rank) for rank in ranks]
        if manner == "at random" and rng.random() < 0.1:
            scores = [SCORES[int(rng.integers(len(SCORES)))] for _ in ranks]
        made.append(
            Task(
                str(rng.choice(pairs)),
                int(rng.integers(segments)) + 1,
                str(rng.choice(judges)),
                shown,
                tuple(int(rank) for rank in ranks),
                tuple(scores),
            )
        )
    return tuple(made)


# One writer per shape


def _votes(of: Study) -> pd.DataFrame:
    rows = [
        (f"q{t.segment}", a, b, _winner(t.ranks[i], t.ranks[j]), t.judge, t.pair,
         ("news", "talk")[t.segment % 2], 10 * len(a))
        for t in of.tasks
        for i, a in enumerate(t.shown)
        for j, b in enumerate(t.shown[:i])
    ]  # fmt: skip
    names = ["question_id", "model_a", "model_b", "winner", "judge", "language", "domain", "length"]
    return pd.DataFrame(rows, columns=names)


def _winner(a: int, b: int) -> str:
    return "tie" if a == b else "model_a" if a < b else "model_b"


def _five_way(of: Study) -> pd.DataFrame:
    most = max(len(task.shown) for task in of.tasks)
    rows = []
    for t in of.tasks:
        source, _, target = t.pair.partition("-")
        row: dict[str, object] = {"srclang": source, "trglang": target or "all"}
        row |= {"srcIndex": t.segment, "documentId": f"d{t.segment // 5}", "segmentId": t.segment}
        row |= {"judgeId": t.judge}
        for k in range(most):
            given = k < len(t.shown)
            row[f"system{k + 1}Id"] = t.shown[k] if given else ""
            row[f"system{k + 1}rank"] = t.ranks[k] if given else ""
        rows.append(row)
    return pd.DataFrame(rows)


def _rated(of: Study) -> pd.DataFrame:
    rows = [
        (t.pair, name, f"doc{t.segment // 4}", t.segment, ("news", "talk")[t.segment % 2], t.judge,
         score, f"{float(k):g}")
        for t in of.tasks
        for k, (name, score) in enumerate(zip(t.shown, t.scores, strict=True))
    ]  # fmt: skip
    names = ["pair", "system", "document", "segment", "domain", "judge", "score", "seconds"]
    return pd.DataFrame(rows, columns=names)


def _counted(of: Study) -> pd.DataFrame:
    votes = _votes(of)
    groups = votes.groupby(["model_a", "model_b"], sort=True)["winner"]
    rows = [
        (a, b, (won == "model_a").sum(), (won == "model_b").sum(), (won == "tie").sum())
        for (a, b), won in groups
    ]
    return pd.DataFrame(rows, columns=["a", "b", "wins_a", "wins_b", "ties"])


def _xml(of: Study) -> bytes:
    parts = ["<results>"]
    for t in of.tasks:
        source, _, target = t.pair.partition("-")
        outputs = "".join(
            f'<translation system="{escape(name)}" rank="{rank}"/>'
            for name, rank in zip(t.shown, t.ranks, strict=True)
        )
        parts.append(
            f'<HIT source-language="{source}" target-language="{target or "all"}">'
            f'<ranking-task id="{t.segment}"><ranking-result duration="00:00:10" '
            f'user="{escape(t.judge)}">{outputs}</ranking-result></ranking-task></HIT>'
        )
    return "".join([*parts, "</results>"]).encode("utf-8", "replace")


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode("utf-8", "replace")


def _parquet(table: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    table.to_parquet(file, index=False)
    return file.getvalue()


def _workbook(table: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    table.to_excel(file, index=False, engine="xlsxwriter")
    return file.getvalue()


def _lines(table: pd.DataFrame) -> bytes:
    rows = table.to_dict("records")
    return "\n".join(json.dumps(row, default=str) for row in rows).encode()


SHAPES: dict[str, Callable[[Study], bytes]] = {
    "votes.csv": lambda of: _csv(_votes(of)),
    "votes.jsonl": lambda of: _lines(_votes(of)),
    "votes.json": lambda of: json.dumps(_votes(of).to_dict("records"), default=str).encode(),
    "votes.parquet": lambda of: _parquet(_votes(of)),
    "votes.xlsx": lambda of: _workbook(_votes(of)),
    "votes.tsv": lambda of: _votes(of).to_csv(index=False, sep="\t").encode("utf-8", "replace"),
    "fiveway.csv": lambda of: _csv(_five_way(of)),
    "fiveway.csv.gz": lambda of: gzip.compress(_csv(_five_way(of)), mtime=0),
    "scores.csv": lambda of: _csv(_rated(of)),
    "scores.jsonl": lambda of: _lines(_rated(of)),
    "counts.csv": lambda of: _csv(_counted(of)),
    "appraise.xml": _xml,
}


def written(of: Study, rng: np.random.Generator, shapes: tuple[str, ...] = ()) -> tuple[str, bytes]:
    """Return a file's name and content in one of the shapes."""
    # what people send most comes most often
    name = str(rng.choice(shapes or ["votes.csv", "fiveway.csv", "scores.csv", *SHAPES]))
    return name, SHAPES[name](of)


def metric_scores(of: Study, rng: np.random.Generator) -> bytes:
    """Return scores of two metrics for the outputs of a study."""
    segments = sorted({task.segment for task in of.tasks})
    rows = [
        (name, segment, round(float(rng.normal()), 3), SCORES[int(rng.integers(len(SCORES)))])
        for name in of.systems
        for segment in segments
    ]
    return _csv(pd.DataFrame(rows, columns=["system", "segment", "good", "odd"]))
