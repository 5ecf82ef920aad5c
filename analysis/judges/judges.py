"""Judge by judge: how much, how fast, how decided, and in agreement with whom.

Agreement is the strict one of `analysis.judges.agreement`. A judge may tie more often than others,
so chance is told with each side's own share of ties,

    pE = p q + (1 - p)(1 - q) / 2,

which is p² + (1 - p)²/2 where both sides tie equally often. In the expanded view identical outputs
count as ties that nobody judged: the collapsed view says more about judges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import csr_array, diags_array
from scipy.special import ndtri

from analysis.campaign import (
    LOSS,
    TIE,
    UNNAMED_JUDGE,
    WIN,
    FloatArray,
    IntArray,
    Judgments,
)
from analysis.judges.judge_verdicts import (
    ENOUGH_TASKS,
    FEW_TASKS,
    QUIET,
    VERDICT_OF_FLAG,
    JudgeVerdict,
    Work,
    judge_verdict,
)
from analysis.judges.kappa import ENOUGH
from analysis.judges.labels import compact, unordered_labels_of
from analysis.judges.quality import quality_control
from analysis.judges.scorers import scorers
from analysis.rankers.ratios import share
from analysis.wording import count, fixed, listed, percent

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


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """Kappa between every two judges, nan below the asked number of comparable labels.

    The diagonal is each judge's agreement with oneself.
    """

    judges: tuple[str, ...]
    kappa: FloatArray
    comparable: IntArray

    def connected(self) -> JudgeAgreement:
        """Return the same of those judges alone who have a kappa with some other judge."""
        others = ~np.isnan(self.kappa) & ~np.eye(len(self.judges), dtype=bool)
        kept = np.flatnonzero(others.any(axis=1))
        return JudgeAgreement(
            judges=tuple(self.judges[k] for k in kept),
            kappa=self.kappa[np.ix_(kept, kept)],
            comparable=self.comparable[np.ix_(kept, kept)],
        )

    @property
    def n_known(self) -> int:
        """The number of pairs of different judges that have a kappa."""
        return int(np.count_nonzero(~np.isnan(self.kappa[np.triu_indices(len(self.judges), 1)])))


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
        remarks[k] += f" {seconds[k]:.0f} s per task, usually {usual_time:.0f} s."
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


def ties_heading(judgments: Judgments) -> str:
    """Name the share of ties, which leaves out those of identical outputs judged once."""
    return "Ties (without identical outputs)" if judgments.groups else "Ties"


def judges_finding(table: JudgeTable) -> str:
    """Say how many judges need a check, and how many cannot be checked."""
    n, flagged = len(table.judges), len(table.noticed)
    unknown = [k for k, verdict in enumerate(table.verdicts) if verdict.name == "unknown"]
    reasons = [table.verdicts[k].reason for k in unknown]
    if table.judges == (UNNAMED_JUDGE,):
        return "The file names no judges"
    if n == 1:
        return "The only judge needs a check" if flagged else "There is only one judge"
    if len(reasons) == n:
        is_small = all(reason.startswith(FEW_TASKS) for reason in reasons)
        why = "too few tasks" if is_small else "too few outputs in common"
        return f"None of {n} judges can be checked: {why}"
    gave = percent(table.judgments[unknown].sum() / table.judgments.sum()) if reasons else ""
    more = f"; {len(reasons)} ({gave} of the judgments) cannot be checked" if reasons else ""
    if not flagged:
        return f"No check finds a problem with {n} judges{more}"
    return f"{flagged} of {n} judges {'needs' if flagged == 1 else 'need'} a check{more}"


def figure_title(table: JudgeTable) -> str:
    """Say over which range judges agree with the others: only those with enough to say it.

    "Agreement of each judge with the others ranges from κ 0.19 to 0.63"
    """
    told = table.inter[~np.isnan(table.inter)]
    if not len(told):
        return "Too few judges judged the same items to compare them"
    low, high = (fixed(float(k)) for k in (told.min(), told.max()))
    if low == high:
        return f"Agreement of each judge with the others is κ {low}"
    return f"Agreement of each judge with the others ranges from κ {low} to {high}"


def without_kappa(table: JudgeTable, most: int = 12) -> str:
    """Name the judges who share too little with others for a kappa; empty where there is none."""
    names = [name for name, kappa in zip(table.judges, table.inter, strict=True) if np.isnan(kappa)]
    if not names:
        return ""
    who = listed(names, most)
    return f"Too few comparisons with others for κ, so not in the figure: {who}."


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


def judge_agreement(
    judgments: Judgments, *, most: int = 60, at_least: int = ENOUGH
) -> JudgeAgreement:
    """Return kappas between every two of the ``most`` busiest judges, the busiest first.

    A kappa over fewer than ``at_least`` comparable pairs of labels is nan.
    """
    rows = np.bincount(judgments.task_judge[judgments.task], minlength=len(judgments.judges))
    busiest = np.argsort(-rows, kind="stable")[: min(most, int(np.count_nonzero(rows)))]
    place = np.full(len(rows), len(busiest))
    place[busiest] = np.arange(len(busiest))
    overlap = Overlap.of(judgments, place[judgments.task_judge][judgments.task], len(busiest))
    kappas, comparable = overlap.between()
    return JudgeAgreement(
        judges=tuple(judgments.judges[k] for k in busiest),
        kappa=np.where(comparable >= max(at_least, 1), kappas, np.nan),
        comparable=comparable.astype(np.int64),
    )


@dataclass(frozen=True, eq=False)
class Tally:
    """Agreeing and comparable pairs of labels with the agreement expected by chance.

    ``error`` is the standard error of kappa over the ``segments`` that have something to compare,
    whose pairs of labels are no independent facts: m segments, a_s of c_s pairs of labels agree,

        √(Σ_s (a_s - p c_s)² m/(m-1)) / Σ_s c_s / (1 - pE),   p = Σ_s a_s / Σ_s c_s.
    """

    agree: FloatArray
    comparable: FloatArray
    chance: FloatArray
    segments: FloatArray
    error: FloatArray

    @classmethod
    def of_segments(cls, agree: csr_array, comparable: csr_array, chance: FloatArray) -> Tally:
        """Add up tables[J, S] of every judge's pairs of labels on every segment."""
        a, c, m = _sum_rows(agree), _sum_rows(comparable), _sum_rows(comparable > 0)
        residual = agree - diags_array(np.nan_to_num(share(a, c))) @ comparable
        scatter = np.sqrt(_sum_rows(residual * residual) * share(m, m - 1))
        return cls(a, c, chance, m, share(share(scatter, c), 1 - chance))

    @property
    def kappa(self) -> FloatArray:
        return kappa(self.agree, self.comparable, self.chance)


def kappa(agree: FloatArray, comparable: FloatArray, chance: FloatArray) -> FloatArray:
    """Return (pA - pE) / (1 - pE); nan where nothing compares."""
    return share(share(agree, comparable) - chance, 1 - chance)


@dataclass(frozen=True, eq=False)
class Overlap:
    """Sparse tables of who labeled what: judges down, across items, or items with their labels.

    ``given[j, 3 item + label]`` and ``seen[j, item]`` count the labels of judge j, and
    ``tied[j, item]`` the ties among them, of the items that have two labels or more: a label that
    meets no other one counts among each judge's ``n_ties`` and ``n_labels`` alone.
    """

    given: csr_array
    seen: csr_array
    tied: csr_array
    segment_of_item: IntArray
    n_ties: FloatArray
    n_labels: FloatArray

    @classmethod
    def of(cls, judgments: Judgments, row_judge: IntArray, n: int, ties: bool = True) -> Overlap:
        """Tabulate the labels of the judges whose number is below ``n``, with their ties or not."""
        labels = unordered_labels_of(judgments)
        is_tie = labels.outcome == TIE
        kept = (row_judge < n) & (ties | ~is_tie)
        n_ties, n_labels = (
            np.bincount(row_judge[rows], minlength=n).astype(np.float64)
            for rows in (kept & is_tie, kept)
        )
        item = labels.item()
        kept &= np.bincount(item[kept], minlength=int(item.max(initial=-1)) + 1)[item] > 1
        judge, item, outcome = row_judge[kept], compact(item[kept]), labels.outcome[kept]
        n_items = int(item.max(initial=-1)) + 1
        segment_of_item = np.zeros(n_items, dtype=np.int64)
        segment_of_item[item] = labels.segment[kept]
        ones = np.ones(len(item))
        return cls(
            csr_array((ones, (judge, 3 * item + outcome + 1)), shape=(n, 3 * n_items)),
            csr_array((ones, (judge, item)), shape=(n, n_items)),
            csr_array((ones * (outcome == TIE), (judge, item)), shape=(n, n_items)),
            segment_of_item,
            n_ties,
            n_labels,
        )

    @property
    def tie_share(self) -> FloatArray:
        return share(self.n_ties, self.n_labels)

    def with_others(self) -> Tally:
        """Each judge's labels against those of all other judges on the same items."""
        ties, total = self.n_ties, self.n_labels
        p, q = share(ties, total), share(ties.sum() - ties, total.sum() - total)
        agree, comparable = (
            t @ diags_array(t.sum(axis=0)) - t * t for t in (self.given, self.seen)
        )
        chance = p * q + (1 - p) * (1 - q) / 2
        return Tally.of_segments(self._by_segment(agree), self._by_segment(comparable), chance)

    def with_oneself(self) -> Tally:
        """Each judge's repeated labels; chance from the ties among these."""
        again = self.seen > 1
        p = share(_sum_rows(self.tied * again), _sum_rows(self.seen * again))
        agree, comparable = ((t * t - t) / 2 for t in (self.given, self.seen))
        chance = p**2 + (1 - p) ** 2 / 2
        return Tally.of_segments(self._by_segment(agree), self._by_segment(comparable), chance)

    def _by_segment(self, table: csr_array) -> csr_array:
        """Add up the columns, items or items with their labels, of each segment."""
        n = len(self.segment_of_item)
        columns = table.shape[1] // max(n, 1)
        segment = np.repeat(self.segment_of_item, columns)
        ones = np.ones(len(segment))
        shape = (len(segment), int(segment.max(initial=0)) + 1)
        return csr_array(table @ csr_array((ones, (np.arange(len(segment)), segment)), shape=shape))

    def between(self) -> tuple[FloatArray, FloatArray]:
        """Every judge's kappa with every other, and pairs of labels; oneself on the diagonal."""
        p, oneself = self.tie_share, self.with_oneself()
        agree, comparable = ((t @ t.T).toarray() for t in (self.given, self.seen))
        chance = np.outer(p, p) + np.outer(1 - p, 1 - p) / 2
        for table, diagonal in (
            (agree, oneself.agree),
            (comparable, oneself.comparable),
            (chance, oneself.chance),
        ):
            np.fill_diagonal(table, diagonal)
        return kappa(agree, comparable, chance), comparable


def _sum_rows(table: csr_array) -> FloatArray:
    return np.asarray(table.sum(axis=1), dtype=np.float64)


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
