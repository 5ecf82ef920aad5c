"""A batch of ranking tasks to send out, and the files it is written to.

Both files are those that Podium reads, ranks left open: fill these in, and read the file back.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.errors import PodiumError
from analysis.escaping import as_attribute
from analysis.formats.appraise import AS_NAMED
from analysis.formats.rankings import NO_PAIR
from analysis.languages import pair_key

_UNWRITABLE = re.compile(r"[\x00-\x1f\ud800-\udfff\ufffe\uffff]")

REPEATS = "repeats"
"""Column of a batch's CSV file that marks a task which its judge has done before."""


@dataclass(frozen=True)
class Task:
    """One ranking task: outputs of ``systems``, in displayed order, of a segment, for a judge."""

    segment: str
    judge: str
    systems: tuple[str, ...]
    repeats: bool = False
    document: str = ""


@dataclass(frozen=True)
class Batch:
    """Tasks to send out now; ``warning`` says what this choice of tasks does to later results.

    ``one`` is what a task is called. ``top`` names the boundary that they are for: 1, that of the
    winner; k, that below the best k systems; 0, all. ``needed`` such tasks draw it, as likely as
    not (inf: more than can be foreseen; nan: unknown).
    ``signature`` holds what makes the batch again; of long lists of names, how many they are and a
    digest.
    """

    pair: str
    method: str
    seed: int
    tasks: tuple[Task, ...]
    warning: str = ""
    signature: str = ""
    one: Literal["task", "vote"] = "task"
    top: int = 0
    needed: float = math.nan

    def __len__(self) -> int:
        return len(self.tasks)

    def pair_counts(self, systems: tuple[str, ...]) -> pd.DataFrame:
        """Return how often the batch compares every two systems."""
        code = {name: k for k, name in enumerate(systems)}
        counts = np.zeros((len(systems), len(systems)), dtype=np.int64)
        for task in self.tasks:
            shown = [code[name] for name in task.systems]
            counts[np.ix_(shown, shown)] += 1
        np.fill_diagonal(counts, 0)
        return pd.DataFrame(counts, index=systems, columns=systems)

    def to_frame(self) -> pd.DataFrame:
        """Return one line per task, in the columns of the WMT 5-way format, without ranks.

        One more column marks repeated tasks, where there are some. Readers pass over it.
        """
        source, target = self._languages()
        widest = max((len(task.systems) for task in self.tasks), default=0)
        rows = []
        for task in self.tasks:
            row = {"srclang": source, "trglang": target}
            row |= {"documentId": task.document} if task.document else {}
            row |= {"segmentId": task.segment, "judgeId": task.judge}
            shown = (*task.systems, *[""] * (widest - len(task.systems)))
            row |= {f"system{k}Id": name for k, name in enumerate(shown, 1)}
            row |= {f"system{k}rank": "" for k in range(1, widest + 1)}
            rows.append(row | {REPEATS: "yes" if task.repeats else ""})
        frame = pd.DataFrame(rows)
        return frame if any(task.repeats for task in self.tasks) else frame.drop(columns=REPEATS)

    def _languages(self) -> tuple[str, str]:
        """Return both ends of the pair, as files have them; empty where there is none."""
        source, _, target = ("" if self.pair == NO_PAIR else self.pair).partition("-")
        return source, target

    def to_csv(self) -> bytes:
        """Return the batch as a CSV file in UTF-8."""
        self._check("+", "CSV")
        return self.to_frame().to_csv(index=False, lineterminator="\n").encode()

    def to_xml(self, hit_size: int = 0) -> bytes:
        """Return the batch as Appraise XML; ``rank`` is to be filled in.

        A HIT holds all tasks of one judge, or at most ``hit_size`` of them: 3 at WMT14 (§3.1).
        """
        self._check(",", "XML")
        source, target = self._languages()
        languages = (
            f" source-language={as_attribute(source)} target-language={as_attribute(target)}"
        )
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<appraise-results {AS_NAMED}>"]
        for number, tasks in enumerate(self._hits(hit_size), 1):
            lines.append(f'  <HIT hit-id="{number}"{languages}>')
            for task in tasks:
                lines += _task_lines(task)
            lines.append("  </HIT>")
        return "\n".join([*lines, "</appraise-results>", ""]).encode()

    def _hits(self, size: int) -> Iterator[Sequence[Task]]:
        """Yield the tasks of each HIT, judge by judge."""
        for judge in sorted({task.judge for task in self.tasks}):
            own = [task for task in self.tasks if task.judge == judge]
            step = size or len(own)
            yield from (own[at : at + step] for at in range(0, len(own), step))

    def _check(self, joint: str, form: str) -> None:
        """Refuse names that would come back as something else."""
        for task in self.tasks:
            for name in (*task.systems, task.segment, task.judge):
                if _UNWRITABLE.search(name):
                    raise PodiumError(
                        f"Name {name!r}", "has a line break or control character", "Rename it."
                    )
                if form == "XML" and name != name.strip():
                    raise PodiumError(
                        f"Name {name!r}", "would lose its outer blanks in XML", "Write CSV."
                    )
            for system in task.systems:
                if joint in system:
                    raise PodiumError(
                        f"System {system}",
                        f"in this {form} a {joint} joins systems with identical output, so the "
                        "name would be split",
                        f"Rename it without {joint}, or write {'XML' if form == 'CSV' else 'CSV'}.",
                    )


def read_tasks(content: bytes, name: str, pair: str) -> tuple[Task, ...]:
    """Return a language pair's tasks of a CSV file that `Batch.to_csv` wrote, filled in or not."""
    tasks, others = [], set()
    foreign = PodiumError(
        name, "it is not a file of tasks that Podium wrote", "Give the .csv file of a batch."
    )
    try:
        table = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
        rows = list(table)
    except (UnicodeDecodeError, csv.Error):
        raise foreign from None
    if not {"segmentId", "judgeId"} <= set(table.fieldnames or ()):
        raise foreign
    for row in rows:
        ends = (row.get("srclang"), row.get("trglang"))
        own = pair if ends == (None, None) else "-".join(filter(None, ends)) or NO_PAIR
        if pair_key(own) != pair_key(pair):
            others.add(own)
            continue
        names = [row[key] for key in row if re.fullmatch(r"system\d+Id", key or "")]
        systems = tuple(filter(None, names))
        task = Task(row["segmentId"], row["judgeId"], systems, bool(row.get(REPEATS)))
        if len(task.systems) < 2 or task.segment is None or task.judge is None:
            raise foreign
        tasks.append(task)
    if others and not tasks:
        shown = ", ".join(other[:60] for other in sorted(others)[:5])
        raise PodiumError(name, f"its tasks are of {shown}, not {pair}", "Use another file.")
    return tuple(tasks)


def _task_lines(task: Task) -> list[str]:
    return [
        f"    <ranking-task id={as_attribute(task.segment)}>",
        f"      <ranking-result user={as_attribute(task.judge)}>",
        *(f"        <translation system={as_attribute(name)} />" for name in task.systems),
        "      </ranking-result>",
        "    </ranking-task>",
    ]
