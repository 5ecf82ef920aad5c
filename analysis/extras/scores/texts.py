"""BLEU, TER and chrF of translations against a reference, by sacrebleu.

All three are functions of sums of statistics over segments, so that a resample is no special case:
the statistics of a segment count as often as it was drawn. sacrebleu is installed on its own
(``pip install sacrebleu``); its signature is part of each measure's help.

References: Papineni et al. 2002; Snover et al. 2006; Popović 2015; Post 2018 (sacrebleu).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from analysis.campaign import FloatArray
from analysis.errors import PodiumError
from analysis.extras.scores.scoreboard import Measure, Values

TITLES = {
    "bleu": ("BLEU", "n-grams up to four in common with the reference", True),
    "chrf": ("chrF", "character n-grams in common with the reference", True),
    "ter": ("TER", "edits per word of the reference, in percent", False),
}


def measures(
    reference: Sequence[str], translations: Sequence[Sequence[str]]
) -> list[tuple[Measure, Values]]:
    """Return the three measures; ``translations`` has one list per system."""
    try:
        from sacrebleu import metrics
    except ModuleNotFoundError:
        raise PodiumError(
            "BLEU, chrF, TER", "the package sacrebleu is not installed", "pip install sacrebleu"
        ) from None
    made: list[tuple[Measure, Values]] = []
    for name, metric in (
        ("bleu", metrics.BLEU()),
        ("chrf", metrics.CHRF()),
        ("ter", metrics.TER()),
    ):
        title, meaning, high_is_good = TITLES[name]
        statistics = [
            np.array(metric._extract_corpus_statistics(list(texts), [list(reference)]))
            for texts in translations
        ]
        words = f"{meaning} ({metric.get_signature()})"
        made.append(
            (Measure(name, title, words, high_is_good), partial(_values, metric, statistics))
        )
    return made


def _values(metric: Any, statistics: Sequence[FloatArray], counts: FloatArray) -> FloatArray:
    """Return values[R, S] from the statistics of each segment, summed over a resample."""
    columns = [
        [metric._compute_score_from_stats(summed.tolist()).score for summed in counts @ of_system]
        for of_system in statistics
    ]
    return np.array(columns).T
