"""Rankings at once, for questions that are asked by moving a slider.

Methods whose scores have derivatives need nothing else: their verdict takes milliseconds. For
others another method stands in: how sure Bradley–Terry's scores are, with ties as half a win, is
put on the method's own scale,

    Var(s) = a² Var(b),   a = Σ (s - s̄)(b - b̄) / Σ (b - b̄)²,

s being the method's scores of all judgments, b the stand-in's. That is a preview.
"""

from __future__ import annotations

import dataclasses

from analysis.campaign import Judgments
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
