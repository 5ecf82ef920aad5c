"""The judgments behind one cell of a head-to-head table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import TIE, WIN, IntArray, Judgments
from analysis.errors import PodiumError

TIE_WORD = "tie"


def judgments_between(judgments: Judgments, first: str, second: str) -> pd.DataFrame:
    """Return segment, judge, preferred and shown_left of every judgment of two systems.

    ``preferred`` is one of the two names or ``tie``; ``shown_left`` the system that the judge saw
    first. The order is the campaign's own. Where outputs are collapsed, a judgment of an output
    counts for each system that made it.
    """
    for name in (first, second):
        if name not in judgments.systems:
            raise PodiumError(
                "Two systems", f"{name!r} is not among the selected systems", "Choose another one."
            )
    facts = judgments.observations
    a, b = judgments.systems.index(first), judgments.systems.index(second)
    of_both = ((facts.left == a) & (facts.right == b)) | ((facts.left == b) & (facts.right == a))
    kept = np.flatnonzero(of_both)
    is_first = facts.left[kept] == a
    outcome = facts.outcome[kept]
    left = np.where(is_first, first, second).astype(object)
    right = np.where(is_first, second, first).astype(object)
    task = judgments.task[facts.row[kept]]
    return pd.DataFrame(
        {
            "segment": [judgments.segments[k] for k in judgments.task_segment[task]],
            "judge": [judgments.judges[k] for k in judgments.task_judge[task]],
            "preferred": np.where(
                outcome == TIE, TIE_WORD, np.where(outcome == WIN, left, right)
            ).astype(object),
            "shown_left": left,
        }
    )


@dataclass(frozen=True)
class Shown:
    """What a judge read: the source and the outputs of two systems."""

    source: str
    first: str
    second: str


def texts_behind(judgments: Judgments, first: str, second: str, row: int) -> Shown | None:
    """Return the texts behind a row of `judgments_between`; None where the file has none."""
    texts = judgments.campaign.texts
    if texts is None:
        return None
    task = int(judgments.tasks[judgments.task[_rows_between(judgments, first, second)[row]]])
    return _shown(judgments, task, texts.of(task), first, second)


def _rows_between(judgments: Judgments, first: str, second: str) -> IntArray:
    """Return the rows of the judgments of two systems, in the campaign's order."""
    facts = judgments.observations
    a, b = judgments.systems.index(first), judgments.systems.index(second)
    of_both = ((facts.left == a) & (facts.right == b)) | ((facts.left == b) & (facts.right == a))
    return facts.row[np.flatnonzero(of_both)]


def _shown(
    judgments: Judgments, task: int, texts: tuple[str, ...], first: str, second: str
) -> Shown | None:
    made_by = judgments.campaign.task_outputs(task)
    if len(texts) != len(made_by) + 1:
        return None
    of = {system: text for made, text in zip(made_by, texts[1:], strict=True) for system in made}
    return Shown(texts[0], of.get(first, ""), of.get(second, ""))
