"""The check of position: whether the output shown first wins far more or less than half."""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.errors import NotConvergedError, UndefinedResultError, control
from analysis.extras.slices.controlled import Controlled
from analysis.extras.slices.controlled.columns import POSITION, names_of, usually_held
from analysis.extras.slices.effects import style_beside_plain, uneven_share
from analysis.extras.slices.findings import adjusted_leader, position_words
from analysis.rankers import Ranker
from analysis.ranking.certainty import Certainty
from analysis.ranking.comparison_checks import Finding


def check(judgments: Judgments, ranker: Ranker | None, certainty: Certainty) -> Finding | None:
    """Warn of votes that the output shown first wins or loses too often; None if adjusted for."""
    share = uneven_share(judgments)
    is_adjusted = isinstance(ranker, Controlled) and POSITION in names_of(ranker.control)
    if share is None or is_adjusted:
        return None
    names = usually_held(judgments.campaign)
    try:
        style = style_beside_plain(judgments, ",".join(names), level=certainty.level)
        meaning = adjusted_leader(style, judgments.short_names.__getitem__)
    except (UndefinedResultError, NotConvergedError):
        meaning = "So votes depend on which output is shown first."
    flag = f"podium slices --adjust-for {','.join(names)}"
    where = control(flag, "Breakdown", "the method Bradley–Terry with covariates")
    return Finding(
        "position",
        "warning",
        position_words(share),
        meaning,
        f"Read the adjusted ranking: {where}.",
        "breakdown",
    )
