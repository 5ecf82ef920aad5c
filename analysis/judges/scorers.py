"""How judges used the scale: who is harsh, who spreads, who goes with the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.campaign.scores import Scale
from analysis.errors import UndefinedResultError
from analysis.judges.kappa import ENOUGH

FEWEST_OTHERS = 10
"""Outputs that others scored too, before a correlation with them is told."""

MORE_THAN_CHANCE, SURPRISING = 1.0, 3.5
"""Standard errors up to which a correlation is no better than chance, and by which it must be below
that of most judges: no judge of two hundred who are alike is so far below by chance."""

MOSTLY, USUAL, NEARLY_ALL = 0.5, 1.5, 0.95
"""Share of one rating above which a judge hardly uses the scale: the first, or so many times the
median of all judges, who may have few ratings to choose from, but at most the last."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
UNTABLED = ("quantiles", "opposed", "one_rating")


@dataclass(frozen=True, eq=False)
class Scorers:
    """What each judge did with the scale, those with most scores first.

    ``harshness`` is how far the judge's scores stand below those of the others on the same outputs,
    in points; where nobody scored the same outputs it is nan. ``correlation`` is with the mean of
    the others on the ``common`` outputs. ``most_used`` is the share of the judge's favorite score;
    ``one_rating`` are those who gave it far too often. ``opposed`` are those whose ratings do not
    rise with the others', while most judges' do.
    """

    judges: tuple[str, ...]
    n: IntArray
    mean: FloatArray
    deviation: FloatArray
    harshness: FloatArray
    correlation: FloatArray
    common: IntArray
    favorite: FloatArray
    most_used: FloatArray
    seconds: FloatArray
    quantiles: FloatArray
    one_rating: npt.NDArray[np.bool_]
    opposed: npt.NDArray[np.bool_]

    def to_frame(self) -> pd.DataFrame:
        """Return a row a judge, without the quantiles."""
        frame = pd.DataFrame({k: v for k, v in vars(self).items() if k not in UNTABLED})
        return frame.rename(columns={"judges": "judge"})


def scorers(judgments: Judgments) -> Scorers:
    """Return how each judge of a language pair used the scale."""
    scores = judgments.scores
    if scores is None:
        raise UndefinedResultError(
            f"Scores of {judgments.pair}", "the judges ranked outputs", "Use their rankings."
        )
    frame = pd.DataFrame(
        {
            "judge": scores.judge.astype(np.int64),
            "value": scores.value,
            "item": scores.segment.astype(np.int64) * judgments.n_systems + scores.system,
            "segment": scores.segment,
            "seconds": np.nan if scores.seconds is None else scores.seconds,
        }
    )
    by_judge = frame.groupby("judge")
    n = by_judge.size().sort_values(ascending=False, kind="stable")
    order = n.index.to_numpy()
    used = frame.groupby(["judge", "value"]).size().rename("times").reset_index()
    top = used.sort_values("times", ascending=False, kind="stable").drop_duplicates("judge")
    top = top.set_index("judge").loc[order]
    with_others = _with_others(frame)
    sign = 1 if scores.scale.higher_is_better else -1
    harsh = sign * (with_others["others"] - with_others["value"])
    shared = with_others.groupby("judge")
    common = shared.size().reindex(order, fill_value=0)
    correlation = pd.Series(
        {judge: _correlation(part) for judge, part in shared}, dtype=np.float64
    ).reindex(order)
    favorite, most_used = top["value"].to_numpy(), (top["times"] / n.loc[order]).to_numpy()
    return Scorers(
        judges=tuple(judgments.judges[k] for k in order),
        n=n.to_numpy(),
        mean=by_judge["value"].mean().loc[order].to_numpy(),
        deviation=np.asarray(by_judge["value"].std().loc[order], dtype=np.float64),
        harshness=harsh.groupby(with_others["judge"]).mean().reindex(order).to_numpy(),
        correlation=np.asarray(correlation, dtype=np.float64),
        opposed=_opposed(
            np.asarray(correlation, dtype=np.float64),
            shared["segment"].nunique().reindex(order, fill_value=0).to_numpy(),
        ),
        common=common.to_numpy(),
        favorite=favorite,
        most_used=most_used,
        one_rating=(n.to_numpy() >= ENOUGH) & _one_rating(favorite, most_used, scores.scale),
        seconds=by_judge["seconds"].median().loc[order].to_numpy(),
        quantiles=np.stack([by_judge["value"].quantile(q).loc[order] for q in QUANTILES], axis=1),
    )


def _one_rating(favorite: FloatArray, most_used: FloatArray, scale: Scale) -> npt.NDArray[np.bool_]:
    """Return who gave one rating most often; on a scale of errors, flawless outputs are usual."""
    ends = (scale.low, scale.high)
    flawless = ends[scale.higher_is_better] if np.isnan(ends).any() else np.nan
    bound = min(max(MOSTLY, USUAL * float(np.median(most_used))), NEARLY_ALL)
    return (most_used > bound) & (favorite != flawless)


def _with_others(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each judge's mean of each output that others scored, beside the others' mean."""
    own = frame.groupby(["item", "judge", "segment"], as_index=False)["value"].mean()
    of_item = own.groupby("item")["value"]
    m, total = of_item.transform("size"), of_item.transform("sum")
    shared = own[m > 1]
    return shared.assign(others=((total - own["value"]) / (m - 1).clip(lower=1))[m > 1])


def _correlation(part: pd.DataFrame) -> float:
    if len(part) < FEWEST_OTHERS or part["value"].nunique() < 2 or part["others"].nunique() < 2:
        return float("nan")
    return float(part["value"].corr(part["others"]))


def _opposed(correlation: FloatArray, segments: IntArray) -> npt.NDArray[np.bool_]:
    """Test each correlation on Fisher's scale; a segment's outputs count as one fact."""
    if np.isnan(correlation).all():
        return np.zeros(len(correlation), dtype=bool)
    z = np.arctanh(np.clip(correlation, -0.99, 0.99))
    error = 1 / np.sqrt(np.maximum(segments - 3, 1))
    return (z <= MORE_THAN_CHANCE * error) & (z + SURPRISING * error < np.nanmedian(z))
