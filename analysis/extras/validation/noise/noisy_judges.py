"""Which methods stay close to the truth if judges answer at random: O16's study, on any campaign.

Noise replaces some of the answers. Each method then ranks the systems from a given number of them,
and its scores are compared with the gold standard: the mean of TrueSkill's scores over resamples of
single judgments, from all judgments without noise. The graded response model learns from
comparisons with one baseline, taken from whole ranking tasks that show it. Every draw tries every
system as the baseline. The other methods learn from as many random pairs.

Two measures compare scores s with the gold standard g: Pearson's correlation, and

    nDCG = Σ_k gain(k-th by s) / log2(k + 1)  /  Σ_k gain(k-th by g) / log2(k + 1),

where a system's gain is g less the least g: the paper names no gain, and this one does not depend
on the scale of the skills.

A metric can choose the baseline before a campaign starts: the system nearest the mean metric score.
Figure 4 shows whether that is a good choice: each baseline's metric score and its correlation.

Reference: Otani, Nakazawa, Kawahara & Kurohashi 2016, §6.1–6.4, Figures 3 and 4, Table 1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, Judgments
from analysis.errors import PodiumError, control, unknown
from analysis.parallel import Progress, map_chunks, map_items
from analysis.parameters import format_value
from analysis.provenance import Provenance
from analysis.rankers import Ranker
from analysis.rankers.graded_response import GradedResponse
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill

Noise = Literal["judges", "labels", "rankings"]
NOISES: dict[Noise, str] = {
    "judges": (
        "random judges; each of their pairwise judgments is replaced by a random one, as in the "
        "paper"
    ),
    "labels": "random pairwise judgments, by any judge, are replaced by random ones",
    "rankings": (
        "random judges give every output a random rank of 1 to 5, so that the errors within one "
        "task are correlated"
    ),
}
assert set(NOISES) == set(get_args(Noise))

OTHERS: tuple[Ranker, ...] = (HopkinsMay(), ExpectedWins(), TrueSkill())
METHODS = (GradedResponse.name, *(ranker.name for ranker in OTHERS))
USUAL_GRADED = GradedResponse()
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
SIZES = (800, 1600, 3200, 6400)
GAIN = "gain of a system: its gold score minus the lowest"
LOWEST_RANK = 5


@dataclass(frozen=True)
class NoiseDesign:
    """What is made noise, how much of it, and from how many judgments the methods learn.

    ``ties`` is the share of ties among answers drawn anew; a third is published (win, tie and loss
    alike), a fifth is what ranks of 1 to 5 give. ``trials`` is the number of draws of each share
    and size; ``gold_runs`` that of the resamples that the gold standard is the mean of.
    ``graded`` are the graded response model's settings; where they name a baseline, it is the only
    one.
    """

    noise: Noise = "judges"
    ties: float = 1 / 3
    shares: tuple[float, ...] = SHARES
    sizes: tuple[int, ...] = SIZES[-1:]
    trials: int = 5
    gold_runs: int = 100
    graded: GradedResponse = USUAL_GRADED

    def __post_init__(self) -> None:
        if self.noise not in NOISES:
            raise unknown("Noise", self.noise, NOISES)
        if not 0 <= self.ties <= 1:
            raise PodiumError("Ties", f"{self.ties:g} is outside 0–1", "Use 0.2, for example.")
        if not self.shares or any(not 0 <= share <= 1 for share in self.shares):
            raise PodiumError(
                control("--shares", "Shares"),
                f"{next(one for one in self.shares if not 0 <= one <= 1):g} is outside 0–1",
                "Use 0,0.1,0.5, for example.",
            )
        if not self.sizes or min(self.sizes) < 1:
            raise PodiumError("Sizes", f"{self.sizes} are not all 1 or more", "Use 800,6400.")
        if min(self.trials, self.gold_runs) < 1:
            raise PodiumError("Trials, resamples", "there are fewer than one", "Use 1 or more.")

    @property
    def provenance(self) -> Provenance:
        told = {
            name: ",".join(map(format_value, value)) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
            if name != "graded"
        }
        told["ties"] = round(self.ties, 4)
        return self.graded.provenance | Provenance(extra=tuple(told.items()))


@dataclass(frozen=True, eq=False)
class NoiseStudy:
    """Correlation and nDCG with the gold standard, [share, size, trial, method of `METHODS`].

    The graded response model's are means over the baselines; ``by_baseline[measure, share, size,
    trial, baseline]`` has each baseline's correlation, nDCG and number of judgments: fewer than the
    size if the campaign has no more with this baseline.
    """

    design: NoiseDesign
    systems: tuple[str, ...]
    gold: FloatArray
    baselines: tuple[str, ...]
    correlation: FloatArray
    ndcg: FloatArray
    by_baseline: FloatArray

    def to_frame(self) -> pd.DataFrame:
        """Return one row per method, share and size: means over the trials, and their deviation.

        ``minus_graded`` is by how much the correlation exceeds the graded response model's on the
        same noise, with the standard error of this mean; likewise for nDCG.
        """
        rows = []
        for i, j, m in np.ndindex(len(self.design.shares), len(self.design.sizes), len(METHODS)):
            size = self.design.sizes[j]
            used = float(self.by_baseline[2, i, j].mean()) if m == 0 else float(size)
            row: dict[str, object] = {
                "noise": self.design.shares[i],
                "size": size,
                "method": METHODS[m],
                "judgments": used,
                "trials": self.design.trials,
            }
            for name, measured in (("correlation", self.correlation), ("ndcg", self.ndcg)):
                values = measured[i, j]
                ahead = values[:, m] - values[:, 0]
                row[name] = _mean(values[:, m])
                row[f"{name}_sd"] = _sd(values[:, m])
                row[f"{name}_minus_graded"] = _mean(ahead)
                row[f"{name}_error"] = _sd(ahead) / np.sqrt(max(1, np.isfinite(ahead).sum()))
            rows.append(row)
        return pd.DataFrame(rows)

    def baselines_frame(self, metric: Mapping[str, float] | None = None) -> pd.DataFrame:
        """Return the graded response model's means by noise, size and baseline (Figures 3 and 4).

        ``metric`` are scores of the systems by a metric, for Figure 4.
        """
        rows = []
        for i, j, b in np.ndindex(self.by_baseline.shape[1:3] + self.by_baseline.shape[4:]):
            correlation, ndcg, used = (_mean(values) for values in self.by_baseline[:, i, j, :, b])
            row = {
                "noise": self.design.shares[i],
                "size": self.design.sizes[j],
                "baseline": self.baselines[b],
                "judgments": used,
                "trials": self.design.trials,
                "correlation": correlation,
                "ndcg": ndcg,
            }
            if metric is not None:
                row["metric"] = metric.get(self.baselines[b], float("nan"))
            rows.append(row)
        return pd.DataFrame(rows)


def synthetic_metric(
    systems: Sequence[str], gold: FloatArray, correlation: float, seed: int = 0
) -> dict[str, float]:
    """Return metric scores, mean 0 and deviation 1, of exactly this correlation with the gold.

    >>> gold = np.array([3., 1., 2., 0., 5.])
    >>> scores = list(synthetic_metric("abcde", gold, .8).values())
    >>> round(float(np.corrcoef(scores, gold)[0, 1]), 6)
    0.8
    """
    known = np.flatnonzero(np.isfinite(gold)).tolist()
    truth = _standardized(gold[known])
    noise = _standardized(np.random.default_rng(seed).normal(size=len(known)))
    noise = _standardized(noise - truth * (noise @ truth) / len(known))
    scores = correlation * truth + np.sqrt(1 - correlation**2) * noise
    return {systems[k]: float(score) for k, score in zip(known, scores, strict=True)}


def _standardized(values: FloatArray) -> FloatArray:
    return (values - values.mean()) / values.std()


def study_noise(
    judgments: Judgments,
    design: NoiseDesign,
    *,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> NoiseStudy:
    """Make noise, rank, and compare with the gold standard; the same noise for all methods."""
    met = np.flatnonzero(judgments.counts.compared.sum(axis=1) > 0)
    if len(met) < 3:
        raise PodiumError(
            "Noise study", f"{len(met)} systems were compared", "A correlation needs three or more."
        )
    gold = gold_standard(judgments, design.gold_runs, seed=seed, executor=executor)
    if design.graded.baseline:
        met = np.array([design.graded.find_baseline(judgments)])
    cells = [
        (share, size, trial)
        for share in design.shares
        for size in design.sizes
        for trial in range(design.trials)
    ]
    function = partial(_measure, judgments, gold, design, met.tolist(), seed)
    found = map_items(function, cells, seed=seed, executor=executor, progress=progress)
    shape = (len(design.shares), len(design.sizes), design.trials)
    by_baseline = np.array([graded for graded, _ in found]).reshape(*shape, len(met), 3)
    others = np.array([other for _, other in found]).reshape(*shape, len(OTHERS), 2)
    graded = np.apply_along_axis(_mean, 3, by_baseline[..., :2])
    correlation, ndcg = np.moveaxis(np.concatenate([graded[..., None, :], others], axis=3), -1, 0)
    return NoiseStudy(
        design, judgments.systems, gold, tuple(judgments.systems[b] for b in met),
        correlation, ndcg, np.moveaxis(by_baseline, -1, 0),
    )  # fmt: skip


def gold_standard(
    judgments: Judgments,
    runs: int,
    *,
    seed: int = 0,
    executor: Executor | None = None,
) -> FloatArray:
    """Return the mean of TrueSkill's scores over resamples of single judgments."""
    function = partial(_resampled, judgments)
    judgments.observations, judgments.counts  # noqa: B018  computed once, before the threads start
    chunks = map_chunks(function, runs, seed=seed, chunk=10, executor=executor)
    drawn = np.concatenate(chunks)
    times = np.count_nonzero(~np.isnan(drawn), axis=0)
    unknown = np.full(drawn.shape[1], np.nan)
    return np.divide(np.nansum(drawn, axis=0), times, out=unknown, where=times > 0)


def _resampled(judgments: Judgments, n: int, rng: np.random.Generator) -> FloatArray:
    return TrueSkill().replicate_scores(judgments, "judgment", n, rng)


def _measure(
    judgments: Judgments,
    gold: FloatArray,
    design: NoiseDesign,
    baselines: Sequence[int],
    seed: int,
    cell: tuple[float, int, int],
    _: np.random.Generator,
) -> tuple[list[tuple[float, float, float]], list[tuple[float, float]]]:
    """Return correlation, nDCG and judgments by baseline, then both measures by other method.

    A trial's draws do not depend on the share: the noisy of a tenth are among those of a fifth.
    """
    share, size, trial = cell
    rng = np.random.default_rng([seed, trial])
    noisy = make_noise(judgments, design.noise, share, rng, ties=design.ties)
    pairs = noisy.take_rows(rng.choice(len(judgments), min(size, len(judgments)), replace=False))
    graded = []
    for baseline in baselines:
        learned = noisy.take_rows(rows_with(judgments, baseline, size, rng))
        ranker = dataclasses.replace(design.graded, baseline=judgments.systems[baseline])
        graded.append((*_compare_with(gold, ranker, learned), float(len(learned))))
    return graded, [_compare_with(gold, ranker, pairs) for ranker in OTHERS]


def _compare_with(gold: FloatArray, ranker: Ranker, learned: Judgments) -> tuple[float, float]:
    """Return correlation and nDCG; nan if the method has no result from so few judgments."""
    try:
        scores = ranker.fit(learned).standings.scores
    except PodiumError:
        return np.nan, np.nan
    return correlation(scores, gold), ndcg(scores, gold)


def make_noise(
    judgments: Judgments,
    noise: Noise,
    share: float,
    rng: np.random.Generator,
    *,
    ties: float = 1 / 3,
) -> Judgments:
    """Return the judgments with a share of the judges, or of the answers, drawn at random.

    The rows keep their places; those of one ranking task need no longer fit together, so that each
    is a task of its own, but for "rankings".
    """
    judge = judgments.task_judge
    present = np.unique(judge)
    # Everything is drawn in the same order whatever the share, so that shares are nested.
    order = np.full(len(judgments.judges), len(judgments.judges))
    order[present] = rng.permutation(len(present))
    is_noisy = order < round(share * len(present))
    if noise == "rankings":
        drawn = rng.integers(1, LOWEST_RANK + 1, len(judgments.entry_rank))
        noisy_entry = np.repeat(is_noisy[judge], np.diff(judgments.task_start))
        rank = np.where(noisy_entry, drawn, judgments.entry_rank)
        return dataclasses.replace(judgments, entry_rank=rank.astype(judgments.entry_rank.dtype))
    place = rng.permutation(len(judgments))
    answer = rng.choice([LOSS, TIE, WIN], len(judgments), p=[(1 - ties) / 2, ties, (1 - ties) / 2])
    chosen = (
        place < round(share * len(judgments))
        if noise == "labels"
        else is_noisy[judge[judgments.task]]
    )
    outcome = np.where(chosen, answer, judgments.outcome)
    rows = judgments.take_rows(np.arange(len(judgments)))
    ranks = np.stack([1 + (outcome == LOSS), 1 + (outcome == WIN)], axis=1).ravel()
    return dataclasses.replace(rows, entry_rank=ranks.astype(np.int8))


def rows_with(judgments: Judgments, baseline: int, size: int, rng: np.random.Generator) -> IntArray:
    """Return rows with the baseline, task by task at random, ``size`` or as many as there are."""
    facts = judgments.observations
    is_met = (facts.left == baseline) | (facts.right == baseline)
    rows = np.unique(facts.row[is_met])
    place = rng.permutation(judgments.n_tasks)[judgments.task[rows]]
    return rows[np.argsort(place, kind="stable")][:size]


def correlation(scores: FloatArray, gold: FloatArray) -> float:
    """Return Pearson's correlation over the systems that have both; nan for fewer than three.

    >>> correlation(np.array([3., 2., np.nan, 1.]), np.array([.3, .2, .9, .1]))
    1.0
    """
    known = np.isfinite(scores) & np.isfinite(gold)
    if known.sum() < 3 or np.ptp(scores[known]) == 0 or np.ptp(gold[known]) == 0:
        return float("nan")
    return float(np.corrcoef(scores[known], gold[known])[0, 1])


def ndcg(scores: FloatArray, gold: FloatArray) -> float:
    """Return the normalized discounted cumulative gain; a system without a score comes last.

    Gains 2, 1, 0: the order 1, 2, 0 has (1 + 2/log2(3)) / (2 + 1/log2(3)).

    >>> round(ndcg(np.array([1., 2., 0.]), np.array([.5, .4, .3])), 4)
    0.8597
    """
    known = np.isfinite(gold)
    gain = gold[known] - gold[known].min()
    found = np.where(np.isfinite(scores[known]), scores[known], -np.inf)
    discount = 1 / np.log2(np.arange(2, len(gain) + 2))
    best = float(np.sort(gain)[::-1] @ discount)
    return float(gain[np.argsort(-found, kind="stable")] @ discount / best) if best else np.nan


def _mean(values: FloatArray) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")


def _sd(values: FloatArray) -> float:
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else float("nan")
