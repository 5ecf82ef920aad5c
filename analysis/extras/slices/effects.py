"""Effects of what a method controls for: position, length and the like, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from analysis.campaign import TIE, WIN, FloatArray, Judgments
from analysis.errors import UndefinedResultError
from analysis.extras.slices.controlled import Controlled, ControlledFit
from analysis.extras.slices.controlled.columns import POSITION, TWICE, names_of
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ranker import Fit, best_first
from analysis.ranking.fit_uncertainty import closed_form, uncertainty_of
from analysis.ranking.uncertainty import Precision
from analysis.ranking.variance import Scope
from analysis.ranking.verdict import Verdict, reach_verdict


@dataclass(frozen=True)
class Effects:
    """β of every column that is controlled for, in log-odds, with intervals at ``level``.

    ``position`` is what the output shown first gains. Of a number of outputs it is what an output
    gains that has all of it, the other one none: of one twice as long it gains a third of that.
    """

    names: tuple[str, ...]
    of_outputs: tuple[bool, ...]
    values: FloatArray
    deviations: FloatArray
    level: float
    freedom: float

    @property
    def low(self) -> FloatArray:
        return self.values - Precision(self.deviations, self.freedom).reach(self.level)

    @property
    def high(self) -> FloatArray:
        return self.values + Precision(self.deviations, self.freedom).reach(self.level)

    @property
    def chances(self) -> FloatArray:
        """The chance to beat an equal output: shown first, or with twice as much of a number."""
        return np.asarray(expit(self.values * np.where(self.of_outputs, TWICE, 1.0)))

    def to_frame(self) -> pd.DataFrame:
        """Return a row an effect, with `chances`."""
        return pd.DataFrame(
            {
                "controlled for": self.names,
                "effect": self.values,
                "low": self.low,
                "high": self.high,
                "chance": self.chances,
            }
        )


def effects(fit: ControlledFit, level: float = 0.95, scope: Scope = "new") -> Effects:
    """Return the effects of a fit, as sure as for other sentences and judges, or for these."""
    influence = fit.influence_on_effects()
    uncertainty = closed_form(fit.judgments, influence, fit.effects)
    each = np.eye(len(fit.effects))
    precision = uncertainty.precision(each, scope)
    known = {one.name.casefold(): one.about for one in fit.judgments.campaign.attributes}
    of_outputs = tuple(known.get(name.casefold()) == "output" for name in fit.names)
    return Effects(fit.names, of_outputs, fit.effects, precision.se, level, precision.freedom)


UNEVEN, CLEAR = 0.1, 3.0
"""Distance from a half from which a share is uneven: as a share, and in standard errors."""


def uneven_share(judgments: Judgments) -> float | None:
    """Return the share of decided votes that the output shown first won, if it is uneven.

    Where it is all or none, the columns say who won, not who was shown first; ratings never do.
    """
    if not judgments.are_votes or judgments.scores is not None:
        return None
    outcome = judgments.observations.outcome
    n = max(int((outcome != TIE).sum()), 1)
    share = int((outcome == WIN).sum()) / n
    off = abs(share - 0.5)
    return share if UNEVEN <= off < 0.5 and 2 * off * np.sqrt(n) > CLEAR else None


@dataclass(frozen=True)
class Style:
    """Abilities without and with adjustment, minus their means, best first, and both verdicts.

    ``plain_half`` and ``half`` are half the widths of their intervals.
    """

    effects: Effects
    systems: tuple[str, ...]
    plain: FloatArray
    plain_half: FloatArray
    even: FloatArray
    half: FloatArray
    verdicts: tuple[Verdict, Verdict]
    are_votes: bool
    signature: str

    def to_frame(self) -> pd.DataFrame:
        """Return a row a system; ``low`` and ``high`` are of what is left once all is even."""
        places = {
            name: (-np.nan_to_num(column, nan=-np.inf)).argsort(kind="stable").argsort() + 1
            for name, column in (("place", self.plain), ("place, adjusted", self.even))
        }
        columns = {
            "system": self.systems,
            "plain": self.plain,
            "even": self.even,
            "low": self.even - self.half,
            "high": self.even + self.half,
            **places,
        }
        return pd.DataFrame(columns)


def style_beside_plain(
    judgments: Judgments, control: str, *, level: float = 0.95, scope: Scope = "new"
) -> Style:
    """Fit without and with adjustment, and put both on one scale."""
    if judgments.scores is not None and POSITION in map(str.casefold, names_of(control)):
        raise UndefinedResultError(
            "Position",
            "this campaign rates outputs one by one, so none was shown first",
            "Name a column of numbers, such as length.",
        )
    fit = Controlled(control=control).fit(judgments)
    fits = (BradleyTerry().fit(judgments), fit)
    (plain, plain_half), (even, half) = (_centered(one, level, scope) for one in fits)
    order = best_first(even)
    before, after = (reach_verdict(one, level=level, scope=scope) for one in fits)
    return Style(
        effects=effects(fit, level, scope),
        systems=tuple(judgments.systems[k] for k in order),
        plain=plain[order],
        plain_half=plain_half[order],
        even=even[order],
        half=half[order],
        verdicts=(before, after),
        are_votes=judgments.are_votes,
        signature=str(fit.ranker.provenance | judgments.provenance),
    )


def _centered(fit: Fit, level: float, scope: Scope) -> tuple[FloatArray, FloatArray]:
    """Return scores minus their mean, and half the widths of their intervals."""
    scores = fit.standings.scores
    known = np.isfinite(scores)
    center = np.eye(len(scores)) - known / known.sum()
    half = np.full(len(scores), np.nan)
    half[known] = uncertainty_of(fit).precision(center[known], scope).reach(level)
    return scores - scores[known].mean(), half
