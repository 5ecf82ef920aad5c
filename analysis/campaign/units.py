"""The units of a campaign: what a resample draws again, and what a split holds out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import IntArray
from analysis.errors import PodiumError, control

ResamplingUnit = Literal["none", "judgment", "task", "segment", "document", "judge"]


@dataclass(frozen=True)
class Unit:
    """A unit in words: its title, what drawing it again means, what holding it out means.

    ``drawn`` is what a resample draws, ``remark`` what an interval's words add to it, ``held_out``
    is empty where nothing can be held out.
    """

    title: str
    help: str
    drawn: str = ""
    remark: str = ""
    held_out: str = ""

    @property
    def interval_words(self) -> str:
        """What each run behind an interval does.

        >>> UNITS["judgment"].interval_words
        'each resample takes single judgments with replacement, as WMT did'
        """
        if not self.drawn:
            return "nothing is resampled, so resamples show only the method's own randomness"
        return f"each resample takes {self.drawn} with replacement{self.remark}"

    @property
    def methods_words(self) -> str:
        """What the runs are, in a paper."""
        if not self.drawn:
            return "which differ only by the method's own randomness"
        return f"in each of which {self.drawn} were resampled with replacement"


UNITS: dict[ResamplingUnit, Unit] = {
    "task": Unit(
        "Ranking tasks",
        "keeps judgments of one screen together",
        "whole ranking tasks",
        held_out="ranking tasks: judgments of one screen are learned or predicted together",
    ),
    "judgment": Unit(
        "Single judgments",
        "as WMT14–16 published; intervals are too narrow, because the pairs of one task are "
        "treated as independent",
        "single judgments",
        remark=", as WMT did",
        held_out="single judgments: pairs of one task are both learned and predicted, which leaks",
    ),
    "segment": Unit(
        "Segments",
        "generalizes to new segments",
        "whole segments",
        held_out="segments: predicts judgments of segments that were not judged in training",
    ),
    "document": Unit(
        "Documents",
        "generalizes to new documents: segments of one document are similar",
        "whole documents",
        held_out="documents: predicts judgments of documents that were not judged in training",
    ),
    "judge": Unit(
        "Judges",
        "generalizes to new judges",
        "whole judges",
        held_out="judges: predicts judgments of judges who were not in training",
    ),
    "none": Unit(
        "Nothing", "shows only the method's own randomness, not the uncertainty of the data"
    ),
}
assert set(UNITS) == set(get_args(ResamplingUnit))


def unit_of_tasks(judgments: Judgments, unit: ResamplingUnit) -> IntArray:
    """Return the unit that each ranking task belongs to; judgments are smaller than tasks."""
    if unit == "segment":
        return judgments.task_segment
    if unit == "document":
        return _document_of_tasks(judgments)
    if unit == "judge":
        return judgments.task_judge
    if unit == "task":
        return np.arange(judgments.n_tasks, dtype=np.int32)
    raise ValueError(f"{unit!r} is not a unit of whole ranking tasks")


def _document_of_tasks(judgments: Judgments) -> IntArray:
    if judgments.task_document is None:
        raise PodiumError(
            "Unit document",
            "the file does not name documents",
            "Choose segment, or make documents of consecutive segments with "
            f"{control('--blocks 20', '“Segments per document” on Data')}.",
        )
    return judgments.task_document


def unit_of_rows(judgments: Judgments, unit: ResamplingUnit) -> IntArray:
    """Return the unit that each row belongs to."""
    if unit == "judgment":
        return np.arange(len(judgments), dtype=np.int32)
    return unit_of_tasks(judgments, unit)[judgments.task]
