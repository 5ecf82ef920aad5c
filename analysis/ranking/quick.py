"""Rankings at once, for questions that are asked by moving a slider.

Methods whose scores have derivatives need nothing else: their verdict takes milliseconds. For
others another method stands in: how sure Bradley–Terry's scores are, with ties as half a win, is
put on the method's own scale,

    Var(s) = a² Var(b),   a = Σ (s - s̄)(b - b̄) / Σ (b - b̄)²,

s being the method's scores of all judgments, b the stand-in's. That is a preview.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import NotConvergedError, UndefinedResultError
from analysis.provenance import Provenance
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ranker import Fit, Ranker
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty
from analysis.ranking.fit_uncertainty import closed_form
from analysis.ranking.ranking import Ranking, assemble_ranking
from analysis.ranking.verdict import Verdict, verdict_on

STAND_IN = BradleyTerry(ties="half")


def quick_ranking(
    judgments: Judgments, ranker: Ranker, certainty: Certainty = DEFAULT_CERTAINTY
) -> Ranking:
    """Rank, and say by the one definition how sure that is, in milliseconds.

    Rank ranges as published need runs, so that these are always the simultaneous ones.
    """
    chosen = dataclasses.replace(certainty, ranges="simultaneous")
    fit = ranker.quick_form().fit(judgments, chosen.seed)
    return assemble_ranking(fit, chosen, quick_verdict(fit, chosen))


def quick_verdict(fit: Fit, certainty: Certainty = DEFAULT_CERTAINTY) -> Verdict:
    """Return the verdict on a quick form's fit, by derivatives or by the stand-in's."""
    judgments, influence = fit.judgments, fit.influence()
    made = Provenance(extra=(("scope", certainty.scope),), level=certainty.level)
    if influence is None:
        influence = STAND_IN.fit(judgments).influence()
        made |= Provenance(extra=(("stand-in", STAND_IN.name),))
    return verdict_on(
        judgments,
        fit.standings.scores,
        closed_form(judgments, influence, fit.standings.scores),
        certainty.level,
        certainty.scope,
        fit.ranker.provenance | made | judgments.provenance,
    )


def quick_winner(
    judgments: Judgments, ranker: Ranker, certainty: Certainty = DEFAULT_CERTAINTY
) -> str | None:
    """Return the system that wins by these judgments; None where none does or can be ranked."""
    try:
        fit = ranker.quick_form().fit(judgments, certainty.seed)
        return quick_verdict(fit, certainty).winner
    except (UndefinedResultError, NotConvergedError):
        return None


def fewer_tasks(judgments: Judgments, share: float, seed: int = 0) -> Judgments:
    """Return that share of the ranking tasks, drawn at random; fewer are always among more."""
    n = max(1, round(share * judgments.n_tasks))
    order = np.random.default_rng(seed).permutation(judgments.n_tasks)
    return judgments.take_tasks(np.sort(order[:n]))


SAMPLES = 10
"""Random samples of the ranking tasks in which a winner is looked for."""


def wins_in_samples(
    judgments: Judgments,
    ranker: Ranker,
    certainty: Certainty,
    winner: str,
    share: float,
    numbers: Iterable[int] = range(SAMPLES),
) -> int:
    """Return in how many random samples of that share of the tasks a system wins."""
    samples = (fewer_tasks(judgments, share, certainty.seed + k) for k in numbers)
    return sum(quick_winner(sample, ranker, certainty) == winner for sample in samples)
