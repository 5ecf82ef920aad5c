"""Two systems: the judgments behind one cell of a head-to-head table, and paired tests of scores.

On every segment that both were scored on stand the means of their scores there, x_a and x_b. Tests
of the differences d = x_a - x_b take judges as given, and segments as independent, or documents if
the file names any: segments of one document resemble each other, and a document that suits a system
suits it in all of them. A paired t test of the mean of d, whose variance is that of documents'
sums,

    n² σ² = G/(G - 1) Σ_g (Σ_{s in g} d_s - d̄)²,   G - 1 degrees of freedom,

the usual one where each segment stands for itself; and Wilcoxon's signed-rank test of documents'
means, zeros left out, ties with the mean rank. Neither accounts for other judges, as a significant
difference does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.campaign import TIE, WIN, IntArray, Judgments
from analysis.comparing.score_table import ScoreTable
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


FEWEST = 6
"""Differences other than 0 under which no test of two sides can reach 5%."""


@dataclass(frozen=True)
class TwoMeans:
    """What the common segments say of a and b, the good end of the scale up.

    ``better``, ``equal`` and ``worse`` count segments from a's side; ``difference`` is the mean of
    the differences with its interval at 95%, ``t`` and ``wilcoxon`` the p-values of two sides, nan
    where there are too few units: ``documents``, or segments where that is None. ``of_z`` says that
    the ratings are standardized by judge.
    """

    a: str
    b: str
    segments: int
    documents: int | None
    better: int
    equal: int
    worse: int
    difference: float
    low: float
    high: float
    t: float
    wilcoxon: float
    of_z: bool = False


def two_means(judgments: Judgments, a: str, b: str, *, of_z: bool = False) -> TwoMeans:
    """Compare two systems on the segments that both were scored on, by ratings or by their z."""
    found = shared_ratings(judgments, a, b, of_z=of_z)
    differences = found["difference"].to_numpy()
    n = len(differences)
    mean = float(differences.mean()) if n else np.nan
    has_documents = judgments.scores is not None and judgments.scores.document is not None
    unit = pd.factorize(found["document" if has_documents else "segment"])[0]
    sizes = np.bincount(unit)
    of_units = np.bincount(unit, differences) / sizes
    g, decided = len(sizes), of_units[of_units != 0]
    spread = reach = t = wilcoxon = np.nan
    if g > 1:
        off = sizes * (of_units - mean)
        spread = float(np.sqrt(g / (g - 1) * (off**2).sum())) / n
        reach = float(scipy.stats.t.ppf(0.975, g - 1)) * spread
    if len(decided) >= FEWEST:
        t = float(2 * scipy.stats.t.sf(abs(mean) / spread, g - 1)) if spread > 0 else np.nan
        wilcoxon = float(scipy.stats.wilcoxon(decided).pvalue)
    return TwoMeans(
        a=a,
        b=b,
        segments=n,
        documents=g if has_documents else None,
        better=int((differences > 0).sum()),
        equal=int((differences == 0).sum()),
        worse=int((differences < 0).sum()),
        difference=mean,
        low=mean - reach,
        high=mean + reach,
        t=t,
        wilcoxon=wilcoxon,
        of_z=of_z,
    )


def shared_ratings(judgments: Judgments, a: str, b: str, *, of_z: bool = False) -> pd.DataFrame:
    """Return the mean ratings, or z, of both on each segment that has ratings of both.

    The columns are segment, document (if the file names any), rating, opponent_rating, and
    difference, which is above 0 where a is better.
    """
    scores = judgments.scores
    if scores is None:
        raise PodiumError(
            "Two means", "the judges ranked outputs", "See the wins of each system instead."
        )
    table = ScoreTable.of(scores, judgments.systems)
    first, second = (judgments.systems.index(name) for name in (a, b))
    good = table.z_by_segment if of_z else table.good_by_segment
    raw = good if of_z else table.by_segment(table.raw)
    kept = np.flatnonzero(~np.isnan(good[:, first] - good[:, second]))
    codes, rows = np.unique(scores.segment, return_index=True)
    frame = {"segment": [judgments.segments[k] for k in codes[kept]]}
    if scores.document is not None:
        frame["document"] = [scores.documents[k] for k in scores.document[rows[kept]]]
    return pd.DataFrame(
        frame
        | {
            "rating": raw[kept, first],
            "opponent_rating": raw[kept, second],
            "difference": good[kept, first] - good[kept, second],
        }
    )
