"""The kappa of each judge with all others, with oneself, and with every other judge.

Agreement is the strict one of `analysis.judges.agreement`. A judge may tie more often than others,
so agreement by chance follows from each side's own share of ties,

    pE = p q + (1 - p)(1 - q) / 2,

which is p² + (1 - p)²/2 where both sides tie equally often.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from analysis.campaign import TIE, FloatArray, IntArray, Judgments
from analysis.judges.kappa import ENOUGH
from analysis.judges.labels import compact, unordered_labels_of
from analysis.rankers.ratios import share


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


def judge_agreement(
    judgments: Judgments, *, most: int = 60, at_least: int = ENOUGH
) -> JudgeAgreement:
    """Return kappas between every two of the ``most`` busiest judges, the busiest first.

    A kappa over fewer than ``at_least`` comparable pairs of labels is nan.
    """
    rows = np.bincount(judgments.task_judge, judgments.task_rows, len(judgments.judges))
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
