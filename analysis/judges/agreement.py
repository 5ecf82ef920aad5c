"""Agreement of judges with each other (inter) and with themselves (intra), beyond chance.

Two labels that were given to one item, a segment with two outputs, either agree or do not; how
often they do, beyond chance, is `analysis.judges.kappa`.

*Strict*: (A, B) and (B, A) are one item; inter pairs come from two different judges; p of intra
is that of the repeated labels. *Published*: items in displayed order; inter pairs whoever the
judges, so that a judge who repeats a task raises the agreement of judges with each other; p of
intra is that of all labels of a judge on a segment where one of the judge's items is repeated.

An output that several systems made alike counts once (`judged_once`). Each judged for itself
(expanded), these systems tie in every judgment, and all judges agree on ties that nobody judged.

References: Cohen 1960; Landis and Koch 1977 (the words); Bojar et al. 2014, section 3.2.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.campaign import (
    DEFAULT_SELECTION,
    Campaign,
    Identical,
    IntArray,
    Judgments,
    Selection,
)
from analysis.campaign.copies import copied_tasks
from analysis.campaign.ragged import Ragged
from analysis.errors import PodiumError, UndefinedResultError
from analysis.judges.kappa import (
    ENOUGH,
    NO_INTERVAL,
    Cells,
    Kappa,
    interval_for_others,
    segment_interval,
)
from analysis.judges.labels import (
    cell_counts,
    group_labels,
    labels_of,
    statistics,
    unordered_labels_of,
)

MANY_PAIRS = 6
"""Judgments per task, of four outputs, from which on a judge hardly repeats all of them by chance;
of fewer, leaving out equal repeats would leave out answers, and κ would be too low."""


@dataclass(frozen=True)
class Rates:
    """Agreement of judges with each other and with themselves, by one definition."""

    inter: Kappa
    intra: Kappa


@dataclass(frozen=True)
class Agreement:
    """Agreement in one language pair as published and as it should be counted.

    ``identical`` says how outputs that several systems made alike were counted; None where the
    file names none. ``intra_without_copies`` is strict, without tasks that repeat another exactly;
    None where there are none. ``copies_are_answers``: tasks are so small that a judge may well have
    given all of the same ranks again.
    """

    published: Rates
    strict: Rates
    runs: int
    level: float
    seed: int
    identical: Identical | None = None
    intra_without_copies: Kappa | None = None
    copies_are_answers: bool = False

    @property
    def shown(self) -> Rates:
        """Strict agreement as it is shown: copies count only where they may be repeated answers."""
        without = None if self.copies_are_answers else self.intra_without_copies
        return Rates(self.strict.inter, without or self.strict.intra)

    @property
    def is_known(self) -> bool:
        """Whether judges can be compared with each other or with themselves often enough."""
        return max(self.shown.inter.comparable, self.shown.intra.comparable) >= ENOUGH

    def __repr__(self) -> str:
        kappas = {"inter": self.shown.inter.kappa, "intra": self.shown.intra.kappa}
        told = ", ".join(
            f"{kind} κ {kappa:.3f}" if kappa == kappa else f"{kind} κ undefined"
            for kind, kappa in kappas.items()
        )
        return f"Agreement (strict): {told}"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kappa, for tables; without copies where they are no answers."""
        rows = [
            ("strict", "inter", self.strict.inter),
            ("strict", "intra", self.strict.intra),
            ("published", "inter", self.published.inter),
            ("published", "intra", self.published.intra),
        ]
        if self.shown.intra is not self.strict.intra:
            rows.insert(2, ("strict, no copies", "intra", self.shown.intra))
        return [
            {
                "definition": definition,
                "kind": kind,
                "kappa": kappa.kappa,
                "low": kappa.low,
                "high": kappa.high,
                "others_low": kappa.others_low,
                "others_high": kappa.others_high,
                "word": kappa.word,
                "agree": kappa.agree,
                "comparable": kappa.comparable,
            }
            for definition, kind, kappa in rows
        ]


def judged_once(
    campaign: Campaign,
    pair: str | None = None,
    selection: Selection = DEFAULT_SELECTION,
    *,
    identical: Identical = "collapsed",
) -> Judgments:
    """Return a pair's judgments as agreement counts them.

    What a judge did not rank loses its pairs and not the whole task, as in the published counts;
    outputs that the file says to be identical were judged once, whatever the selection has.
    """
    chosen = dataclasses.replace(selection, identical=identical)
    return campaign.judgments(pair, chosen, incomplete="drop-pair")


def agreement(
    judgments: Judgments, *, runs: int = 1000, level: float = 0.95, seed: int = 0
) -> Agreement:
    """Return inter and intra agreement, as published and strict, the latter with intervals.

    The judgments should be those of `judged_once`.
    The intervals at ``level`` are of these judges, from ``runs`` resamples of the segments, drawn
    with ``seed``, and of other judges too, by `interval_for_others`; no runs, no intervals.
    """
    check_interval(runs, level)
    if judgments.n_judges is None:
        raise UndefinedResultError(
            "Agreement", "the file names no judges", "Add a column with the judge of each row."
        )
    unordered = unordered_labels_of(judgments)
    groups = group_labels(unordered)
    identical = judgments.selection.identical if _names_identical(judgments) else None
    if groups.item.max(initial=-1) + 1 == len(groups.item):  # nothing was judged twice
        all_labels = Kappa(0, 0, judgments.n_ties, len(judgments))
        nothing = Rates(all_labels, Kappa(0, 0, 0, 0))
        return Agreement(nothing, nothing, runs, level, seed, identical)
    shown = statistics(labels_of(judgments), published=True)
    honest = statistics(unordered, published=False, groups=groups)
    cells = cell_counts(unordered, groups)

    def with_intervals(table: IntArray, cells: Cells) -> Kappa:
        others = interval_for_others(cells, level) if runs else NO_INTERVAL
        return _kappa(table, *segment_interval(table, runs, level, seed), *others)

    copied, without = copied_tasks(judgments.campaign, judgments.tasks), None
    if copied.any():
        kept = unordered_labels_of(judgments.take_tasks(np.flatnonzero(~copied)))
        without = with_intervals(statistics(kept, published=False)[1], cell_counts(kept)[1])
    return Agreement(
        intra_without_copies=without,
        copies_are_answers=len(judgments) < MANY_PAIRS * judgments.n_tasks,
        published=Rates(*(_kappa(table) for table in shown)),
        strict=Rates(*map(with_intervals, honest, cells)),
        runs=runs,
        level=level,
        seed=seed,
        identical=identical,
    )


def check_interval(runs: int, level: float) -> None:
    """Refuse runs or a level that are none."""
    if runs < 0 or not 0 < level < 1:
        raise PodiumError(
            "Interval of the agreement",
            f"{runs} runs at level {level:g} is not possible",
            "Use 0 or more runs and a level between 0 and 1.",
        )


def _names_identical(judgments: Judgments) -> bool:
    """Return whether some output that was shown is of several systems."""
    campaign = judgments.campaign
    shown = Ragged.from_start(campaign.task_start).take(judgments.tasks).values
    return bool((campaign.made_by.sizes[campaign.entry_output[shown]] > 1).any())


def _kappa(
    counts: IntArray,
    low: float = float("nan"),
    high: float = float("nan"),
    others_low: float = float("nan"),
    others_high: float = float("nan"),
) -> Kappa:
    agree, comparable, ties, total = (int(n) for n in counts.sum(axis=0))
    return Kappa(agree, comparable, ties, total, low, high, others_low, others_high)
