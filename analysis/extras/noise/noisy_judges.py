"""How methods hold up where judges answer at random: O16's study, on any campaign.

Some of the answers are replaced by noise, each method ranks the systems from so many of them, and
its scores are held against the gold standard: the mean of TrueSkill's scores over resamples of
single judgments, made of all the judgments as they are. The graded response model learns from
comparisons with one baseline, taken from whole ranking tasks that show it; the baseline goes round
all systems, trial by trial. The other methods learn from as many pairs at random.

Two measures compare scores s with the gold standard g: Pearson's correlation, and

    nDCG = Σ_k gain(k-th by s) / log2(k + 1)  /  Σ_k gain(k-th by g) / log2(k + 1),

where a system's gain is g less the least g: the paper names no gain, and this one does not depend
on the scale of the skills.

Reference: Otani, Nakazawa, Kawahara & Kurohashi 2016, §6.1–6.4, Figure 3, Table 1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
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
    trials: int = 20
    gold_runs: int = 100
    graded: GradedResponse = USUAL_GRADED

    def __post_init__(self) -> None:
        if self.noise not in NOISES:
            raise PodiumError(
                "Noise", f"{self.noise!r} is not known", f"Choose one of {', '.join(NOISES)}."
            )
        if not 0 <= self.ties <= 1:
            raise PodiumError("Ties", f"{self.ties:g} is outside 0–1", "Use 0.2, for example.")
        if not self.shares or any(not 0 <= share <= 1 for share in self.shares):
            raise PodiumError("Shares", f"{self.shares} are not all in 0–1", "Use 0,0.1,0.5.")
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

    ``used`` are the judgments that a method learned from: fewer than the size where there are no
    more with the baseline. ``baselines`` are the graded response model's, by trial.
    """

    design: NoiseDesign
    systems: tuple[str, ...]
    gold: FloatArray
    baselines: tuple[str, ...]
    correlation: FloatArray
    ndcg: FloatArray
    used: IntArray

    def to_frame(self) -> pd.DataFrame:
        """Return one row per method, share and size: means over the trials, and their deviation.

        ``minus_graded`` is by how much the correlation exceeds the graded response model's on the
        same noise, with the standard error of this mean; likewise for nDCG.
        """
        rows = []
        for i, j, m in np.ndindex(len(self.design.shares), len(self.design.sizes), len(METHODS)):
            row: dict[str, object] = {
                "noise": self.design.shares[i],
                "size": self.design.sizes[j],
                "method": METHODS[m],
                "judgments": float(self.used[i, j, :, m].mean()),
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

    def by_baseline(self) -> pd.DataFrame:
        """Return the graded response model's means by noise, size and baseline (Figure 3)."""
        rows = []
        drawn = np.array(self.baselines)
        for i, j in np.ndindex(len(self.design.shares), len(self.design.sizes)):
            for baseline in dict.fromkeys(self.baselines):
                with_it = drawn == baseline
                rows.append(
                    {
                        "noise": self.design.shares[i],
                        "size": self.design.sizes[j],
                        "baseline": baseline,
                        "judgments": float(self.used[i, j, with_it, 0].mean()),
                        "trials": int(with_it.sum()),
                        "correlation": _mean(self.correlation[i, j, with_it, 0]),
                        "ndcg": _mean(self.ndcg[i, j, with_it, 0]),
                    }
                )
        return pd.DataFrame(rows)


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
    baselines = tuple(int(met[trial % len(met)]) for trial in range(design.trials))
    cells = [
        (share, size, trial)
        for trial in range(design.trials)
        for share in design.shares
        for size in design.sizes
    ]
    function = partial(_measure, judgments, gold, design, baselines, seed)
    found = map_items(function, cells, seed=seed, executor=executor, progress=progress)
    shape = (design.trials, len(design.shares), len(design.sizes), len(METHODS), 3)
    table = np.array(found).reshape(shape).transpose(4, 1, 2, 0, 3)
    names = tuple(judgments.systems[b] for b in baselines)
    return NoiseStudy(
        design, judgments.systems, gold, names, table[0], table[1], table[2].astype(np.int64)
    )


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
    scores: FloatArray = np.nanmean(np.concatenate(chunks), axis=0)
    return scores


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
) -> list[tuple[float, float, int]]:
    """Return correlation, nDCG and judgments used of each method.

    A trial's draws do not depend on the share: the noisy of a tenth are among those of a fifth.
    """
    share, size, trial = cell
    rng = np.random.default_rng([seed, trial])
    baseline = baselines[trial]
    noisy = make_noise(judgments, design.noise, share, rng, ties=design.ties)
    own = noisy.take_rows(rows_with(judgments, baseline, size, rng))
    pairs = noisy.take_rows(rng.choice(len(judgments), min(size, len(judgments)), replace=False))
    learners: list[tuple[Ranker, Judgments]] = [
        (dataclasses.replace(design.graded, baseline=judgments.systems[baseline]), own),
        *((ranker, pairs) for ranker in OTHERS),
    ]
    return [(*_hold_against(ranker, learned, gold), len(learned)) for ranker, learned in learners]


def _hold_against(ranker: Ranker, learned: Judgments, gold: FloatArray) -> tuple[float, float]:
    """Return correlation and nDCG; nan where the method can say nothing of as few judgments."""
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
