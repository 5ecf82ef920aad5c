"""Judge by judge: how much, how fast, how decided, and in agreement with whom.

In the expanded view identical outputs count as ties that nobody judged: the collapsed view shows
more about judges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtri

from analysis.campaign import LOSS, TIE, WIN, FloatArray, IntArray, Judgments
from analysis.judges.judge_kappas import Overlap
from analysis.judges.judge_verdicts import (
    ENOUGH_TASKS,
    QUIET,
    VERDICT_OF_FLAG,
    JudgeVerdict,
    Work,
    judge_verdict,
    quality_control,
)
from analysis.judges.kappa import ENOUGH
from analysis.judges.scorers import scorers
from analysis.rankers.ratios import share
from analysis.wording import count, fixed, percent

ENOUGH_SEGMENTS = 15
"""Segments with something to compare under which no judge's agreement is tested: with fewer, their
scatter does not tell how sure it is."""

ERROR_RATE = 0.02
"""Share of campaigns in which a test, made of every judge, may flag one of judges who are alike.

All tests together flag somebody in 1 to 3% of campaigns of judges who are alike, and in up to 10%
where honest judges differ in noise, taste and readiness to tie: ``make audit`` measures it.
"""

BY_CHANCE = {"at-odds": 2.0, "coin-toss": 1.0, "fickle": 0.0}
"""Standard errors above chance up to which a judge counts as no better than it. An honest judge of
little skill is above chance, if not by much: the fewer errors, the surer that none is flagged."""

HASTY = 1 / 3
"""Share of the usual time per task under which a judge has probably not read the outputs."""

MOSTLY, UNDECIDED, TIMES = 0.5, 0.8, 3.0
"""Shares of ties above which a judge contributes little to the ranking: the first if it is also so
many times the share of all judges. A share that differs so many times is worth a remark."""

ROUNDING = 1e-12
"""Two shares that differ by less are equal: they were added up in different orders."""


@dataclass(frozen=True, eq=False)
class JudgeTable:
    """Columns in the order of ``judges``, the busiest first; nan where there is too little to say.

    ``seconds`` is the median time of a task; ``inter`` the kappa with all other judges over
    ``inter_comparable`` pairs of labels, ``intra`` that with oneself; ``accuracy`` the share of the
    judge's decided comparisons that follow the Expected Wins of all other judges; ``left_share``
    the share of decided comparisons that prefer the output displayed first, which scores do not
    tell. ``flags`` are the findings of the tests, ``verdicts`` what they amount to.
    """

    judges: tuple[str, ...]
    tasks: IntArray
    judgments: IntArray
    tie_rate: FloatArray
    seconds: FloatArray
    inter: FloatArray
    inter_comparable: IntArray
    intra: FloatArray
    intra_comparable: IntArray
    accuracy: FloatArray
    left_share: FloatArray
    flags: tuple[tuple[str, ...], ...]
    verdicts: tuple[JudgeVerdict, ...]

    @property
    def has_kappas(self) -> bool:
        """Whether the agreement of any judge with the others is known."""
        return not bool(np.isnan(self.inter).all())

    @property
    def noticed(self) -> tuple[str, ...]:
        """The judges whose verdict is a reason to look at their work."""
        both = zip(self.judges, self.verdicts, strict=True)
        return tuple(judge for judge, verdict in both if verdict.name not in QUIET)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge with the verdict, its reason, and the flags as words."""
        own = ("judges", "verdicts")
        columns = {"judge": self.judges, **{k: v for k, v in vars(self).items() if k not in own}}
        return pd.DataFrame(
            {
                **columns,
                "flags": [", ".join(f) for f in self.flags],
                "verdict": [verdict.name for verdict in self.verdicts],
                "reason": [verdict.reason for verdict in self.verdicts],
            }
        )


def _preference_for_the_left(
    judgments: Judgments, task_judge: IntArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return each judge's share of wins of the left output, and its z; of scores there is none."""
    if judgments.scores is not None:
        return np.full(n, np.nan), np.zeros(n)
    left = share(
        _sum_by_judge(judgments.outcome == WIN, judgments.task, task_judge, n),
        _sum_by_judge(judgments.outcome != TIE, judgments.task, task_judge, n),
    )
    return left, _z_by_judge(judgments.outcome, judgments.task, task_judge, n)


def _quality_checks(
    judgments: Judgments, who: IntArray, remarks: list[str]
) -> tuple[npt.NDArray[np.bool_], list[bool]]:
    """Return whom checks of quality control give reason to doubt, and who passed.

    Of whom they leave undecided the remarks say how many there were.
    """
    checked = quality_control(judgments.campaign, judgments.pair)
    names = [judgments.judges[k] for k in who]
    if checked is None:
        return np.zeros(len(who), dtype=bool), [False] * len(who)
    for k, name in enumerate(names):
        if name in checked.undecided:
            place = checked.judges.index(name)
            below, n = (int(counts[place]) for counts in (checked.below, checked.degraded))
            remarks[k] += f" Rated {below} of {count(n, 'degraded output')} lower: too few to say."
    passed = [name in checked.attentive for name in names]
    return np.array([name in checked.unsure for name in names], dtype=bool), passed


def judges(judgments: Judgments) -> JudgeTable:
    """Describe every judge; derive the judgments with ``incomplete="drop-pair"`` to keep most."""
    who, task_judge = np.unique(judgments.task_judge, return_inverse=True)
    n = len(who)
    row_judge = task_judge[judgments.task]
    rows, tasks = np.bincount(row_judge, minlength=n), np.bincount(task_judge, minlength=n)
    overlap = Overlap.of(judgments, row_judge, n)
    inter, intra = overlap.with_others(), overlap.with_oneself()
    ties, enough = overlap.tie_share, rows >= ENOUGH
    usual_ties = float(overlap.n_ties.sum() / max(overlap.n_labels.sum(), 1))
    direction, task = _follow_the_others(judgments, task_judge, n)
    decided = _sum_by_judge(direction != 0, task, task_judge, n)
    accuracy = share(_sum_by_judge(direction > 0, task, task_judge, n), decided)
    left, leftward = _preference_for_the_left(judgments, task_judge, n)
    seconds = _median_seconds(judgments, task_judge, n)
    usual_time = pd.Series(seconds).median()
    raised = {
        **_agreement_flags(Overlap.of(judgments, row_judge, n, ties=False), n),
        **_order_flags(direction, task, task_judge, decided),
        "position": np.abs(leftward) > -ndtri(ERROR_RATE / max(n, 1) / 2),
        "undecided": enough & (ties > min(UNDECIDED, max(MOSTLY, TIMES * usual_ties))),
        "hasty": seconds < HASTY * usual_time,
    }
    raised["opposed"], raised["one_rating"], remarks = _use_of_the_scale(judgments, who)
    for k in np.flatnonzero(raised["hasty"]):
        remarks[k] += f" {seconds[k]:.1f} s per task, usually {usual_time:.1f} s."
    unlike = (ties * TIMES < usual_ties) | (ties > TIMES * usual_ties) | raised["undecided"]
    for k in np.flatnonzero(enough & unlike):
        remarks[k] += f" Ties in {percent(ties[k])}; all judges: {percent(usual_ties)}."
    raised["unsure"], passed = _quality_checks(judgments, who, remarks)
    flags = [
        tuple(
            flag
            for flag in VERDICT_OF_FLAG
            if raised[flag][k] and (tasks[k] >= ENOUGH_TASKS or flag == "one_rating")
        )
        for k in range(n)
    ]
    order = np.argsort(-rows, kind="stable")
    kappas = [np.where(tally.comparable >= ENOUGH, tally.kappa, np.nan) for tally in (inter, intra)]
    met = inter.comparable.astype(int).tolist()
    work = map(Work, tasks.tolist(), met, *kappas, remarks, passed)
    verdicts = [judge_verdict(own, done) for own, done in zip(flags, work, strict=True)]
    return JudgeTable(
        judges=tuple(judgments.judges[who[k]] for k in order),
        tasks=tasks[order],
        judgments=rows[order],
        tie_rate=ties[order],
        seconds=seconds[order],
        inter=kappas[0][order],
        inter_comparable=inter.comparable[order].astype(np.int64),
        intra=kappas[1][order],
        intra_comparable=intra.comparable[order].astype(np.int64),
        accuracy=accuracy[order],
        left_share=left[order],
        flags=tuple(flags[k] for k in order),
        verdicts=tuple(verdicts[k] for k in order),
    )


def _use_of_the_scale(
    judgments: Judgments, who: IntArray
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], list[str]]:
    """Return whose ratings do not rise with the others', who mostly gave one, and remarks."""
    if judgments.scores is None or not len(judgments.scores.value):
        nobody = np.zeros(len(who), dtype=bool)
        return nobody, nobody, [""] * len(who)
    found = scorers(judgments)
    place = {name: k for k, name in enumerate(found.judges)}
    own = [place[judgments.judges[k]] for k in who]
    usual = float(judgments.scores.value.mean())
    favorites = [
        f"{found.favorite[k]:g} in {percent(found.most_used[k])} of the ratings."
        * bool(found.one_rating[k])
        for k in own
    ]
    means = [
        f" Mean rating {fixed(found.mean[k], 1)}, all {fixed(usual, 1)}." * (len(who) > 1)
        for k in own
    ]
    remarks = [f"{favorite}{mean}" for favorite, mean in zip(favorites, means, strict=True)]
    return found.opposed[own], found.one_rating[own], remarks


def _agreement_flags(decided: Overlap, n: int) -> dict[str, npt.NDArray[np.bool_]]:
    """Compare each judge's agreement, ties aside, with the one that is usual between judges.

    Flagged is who agrees no better than by chance, and surely less than is usual. Ties are left out
    since a judge who calls more of them than others cannot agree with these on all labels.
    """
    inter, intra = decided.with_others(), decided.with_oneself()
    agree, comparable = inter.agree.sum(), inter.comparable.sum()
    usual = 2 * agree / comparable - 1 if comparable else np.nan
    surprising = -ndtri(ERROR_RATE / max(n, 1))
    return {
        flag: (tally.comparable >= ENOUGH)
        & (tally.segments >= ENOUGH_SEGMENTS)
        & (tally.kappa <= BY_CHANCE[flag] * tally.error)
        & (tally.kappa + surprising * tally.error < usual)
        for flag, tally in (("at-odds", inter), ("fickle", intra))
    }


def _order_flags(
    direction: IntArray, task: IntArray, task_judge: IntArray, decided: FloatArray
) -> dict[str, npt.NDArray[np.bool_]]:
    """Test how far each judge follows the others' order: against it, or no better than a coin."""
    n = len(decided)
    surprising = -ndtri(ERROR_RATE / max(n, 1))
    is_decided = direction != 0
    typical = direction.sum() / max(is_decided.sum(), 1)
    follows = _z_by_judge(direction, task, task_judge, n)
    against_typical = _z_by_judge(direction - typical * is_decided, task, task_judge, n)
    upside_down = (decided >= ENOUGH) & (follows < -surprising)
    like_a_coin = (follows <= BY_CHANCE["coin-toss"]) & (against_typical < -surprising)
    return {
        "upside-down": upside_down,
        "coin-toss": (decided >= ENOUGH) & like_a_coin & ~upside_down,
    }


def _follow_the_others(
    judgments: Judgments, task_judge: IntArray, n: int
) -> tuple[IntArray, IntArray]:
    """Return for each fact 1 if it follows the order of all other judges, -1 if it runs against it.

    0 where it is a tie, or where the others hold the two systems equal. With it comes its task.
    """
    facts = judgments.observations
    task = judgments.task[facts.row]
    judge = task_judge[task]
    scores = _scores_without_each(judgments, judge, n)
    lead = scores[judge, facts.left] - scores[judge, facts.right]
    ahead = np.where(np.abs(lead) < ROUNDING, 0.0, np.sign(lead))
    return (np.nan_to_num(ahead) * facts.outcome).astype(np.int64), task


def _scores_without_each(judgments: Judgments, judge: IntArray, n: int) -> FloatArray:
    """Return Expected Wins[J, K] of the judgments of all other judges.

    A judge changes what was said of the pairs he judged, and nothing else.
    """
    k, facts, counts = judgments.n_systems, judgments.observations, judgments.counts
    decided = counts.decided
    ratios = share(counts.wins, decided)
    told = facts.outcome != TIE
    winner = np.where(facts.outcome == LOSS, facts.right, facts.left)[told].astype(np.int64)
    loser = np.where(facts.outcome == LOSS, facts.left, facts.right)[told].astype(np.int64)
    pair = np.minimum(winner, loser) * k + np.maximum(winner, loser)
    by_judge = judge[told].astype(np.int64) * k * k
    both, place = np.unique(by_judge + pair, return_inverse=True)
    first, second = both % (k * k) // k, both % k
    own = np.bincount(place, minlength=len(both))
    own_wins = np.bincount(place, weights=winner < loser, minlength=len(both))
    rest = decided[first, second] - own
    ratio = share(counts.wins[first, second] - own_wins, rest)
    total = np.tile(np.nansum(ratios, axis=1), (n, 1))
    opponents = np.tile((decided > 0).sum(axis=1), (n, 1))
    for system, new, old in (
        (first, ratio, ratios[first, second]),
        (second, 1 - ratio, ratios[second, first]),
    ):
        cell = (both // (k * k), system)
        np.add.at(total, cell, np.nan_to_num(new) - old)
        np.subtract.at(opponents, cell, rest == 0)
    return share(total, opponents)


def _sum_by_judge(
    value: npt.NDArray[np.generic], task: IntArray, task_judge: IntArray, n: int
) -> FloatArray:
    weights = value.astype(np.float64)
    return np.bincount(task_judge[task], weights=weights, minlength=n).astype(np.float64)


def _z_by_judge(
    value: npt.NDArray[np.number], task: IntArray, task_judge: IntArray, n: int
) -> FloatArray:
    """Return Σd / √Σd² over a judge's tasks, d a task's sum: how far the mean is from zero.

    Whole tasks are the independent facts; nan where every task sums to zero.
    """
    d = np.bincount(task, weights=value.astype(np.float64), minlength=len(task_judge))
    total, squares = (np.bincount(task_judge, weights=w, minlength=n) for w in (d, d**2))
    return share(total.astype(np.float64), np.sqrt(squares))


def _median_seconds(judgments: Judgments, task_judge: IntArray, n: int) -> FloatArray:
    if judgments.task_seconds is None:
        return np.full(n, np.nan)
    seconds = pd.Series(judgments.task_seconds.astype(np.float64))
    medians = seconds.groupby(task_judge).median().reindex(range(n))
    return np.asarray(medians, dtype=np.float64)
