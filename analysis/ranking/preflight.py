"""Pre-flight checks: what about these judgments limits what a ranking of them can say.

Every finding says what was found, what that means for the result, and what to do. A healthy
campaign has none. The thresholds are constants here, each with its reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.campaign import (
    UNNAMED_JUDGE,
    FloatArray,
    IntArray,
    Judgments,
    PairCounts,
    are_numbered,
    segment_numbers,
)
from analysis.campaign.counts import THIN_PAIR
from analysis.campaign.ragged import Ragged, distinct
from analysis.errors import NotConvergedError, UndefinedResultError, control
from analysis.rankers.ranker import Fit, Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT, share
from analysis.ranking.certainty import DEFAULT_CERTAINTY
from analysis.ranking.heavy_pairs import heavy_pairs
from analysis.ranking.quick import quick_verdict
from analysis.ranking.verdict import FEW_JUDGES, Verdict
from analysis.wording import listed, thousands

Severity = Literal["problem", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "note")
"""A problem makes part of the ranking meaningless; a warning biases or blurs it."""

TOO_FEW = 10
"""Judgments under which nothing is said of who is best."""

FEW_DECISIONS = 100
"""Decided comparisons of a system under which its share is known to no better than ±10 points."""

SKEW = 0.02
"""Difference of the two ways to average over opponents, as a share; neighbors differ by less."""

DUPLICATE_SHARE = 0.005
"""Share of repeated tasks under which they cannot move a system's share by half a point."""

MOST_LEFT_OUT, BUSY_JUDGE = 5, 0.1
"""Judges that are left out in turn to see whether the winner stays, and their least share."""

DOMINANT_JUDGE = 0.5
"""Share of the judgments above which one judge outvotes all others together."""

TIED_PAIR = 0.6
"""Share of ties of two systems that judges rarely reach unless the outputs are the same: the most
in ten WMT15 language pairs is .52 where identical outputs are judged once."""

IDENTICAL_PAIR = 0.8
"""Share of identical outputs of two systems from which their ties are nobody's judgment."""

NEVER_DECIDED = 0.95
"""Share of ties of two systems above which judging them further decides nothing."""

MOSTLY_TIES = 0.5
"""Share of ties above which most judgments decide nothing."""

FEW_SEGMENTS = 100
"""Evenly judged segments under which the choice of segments alone moves a share by ±10 points."""

LOW_COVERAGE = 1 / 3
"""Share of the numbered segments under which most of the test set speaks not at all."""

NO_NUMBERING = 0.01
"""Share under which segment numbers are identifiers rather than places in a test set."""


OF_PREFERENCES = (
    "never-compared", "only-ties", "disconnected", "undefeated", "winless", "opponent-skew",
    "thin-pairs", "few-judgments", "many-ties", "tied-pairs", "incomplete-tasks",
    "one-judge", "dominant-judge",
)  # fmt: skip
"""Findings about who was preferred to whom, which a mean of scores does not use."""
OF_METHODS = {
    "opponent-skew": (OrigWMT.name, Bojar.name),
    "thin-pairs": (ExpectedWins.name,),
}
"""Findings that bias some methods only: of others they are notes."""
ABILITIES = "Use a model of abilities, such as Bradley–Terry"


@dataclass(frozen=True)
class Finding:
    """One thing to know before reading a ranking; three sentences in plain words."""

    kind: str
    severity: Severity
    finding: str
    meaning: str
    remedy: str


def preflight(judgments: Judgments) -> tuple[Finding, ...]:
    """Return what limits a ranking of these judgments, the gravest first; empty where nothing."""
    if judgments.n_systems < 2 or not len(judgments.observations):
        return (_nothing_to_rank(judgments), *_references(judgments))
    found = [finding for check in CHECKS for finding in check(judgments)]
    return _gravest_first(found)


def that_limit(
    found: Iterable[Finding], judgments: Judgments, ranker: Ranker
) -> tuple[Finding, ...]:
    """Return the findings that bear on a ranking of these judgments by this method."""
    if not ranker.needs_scores or judgments.scores is None:
        return _gravest_first(
            one for one in found if ranker.name in OF_METHODS.get(one.kind, (ranker.name,))
        )
    kept = [finding for finding in found if finding.kind not in OF_PREFERENCES]
    per_judge = np.bincount(judgments.scores.judge, minlength=len(judgments.judges))
    kept += _by_judge(judgments, per_judge, "scores")
    return _gravest_first(kept)


def _gravest_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def limits_of_ranking(fit: Fit, verdict: Verdict) -> tuple[Finding, ...]:
    """Return what limits a ranking by the chosen method: its heavy pairs and deciding judges."""
    return (*deciding_judges_found(fit, verdict), *heavy_pairs_found(fit, verdict))


def deciding_judges_found(fit: Fit, verdict: Verdict) -> tuple[Finding, ...]:
    """Return a finding where the winner is named only with the judgments of one judge.

    Each of the `MOST_LEFT_OUT` judges with the most tasks is left out in turn, if at least a
    `BUSY_JUDGE` of the tasks are theirs; methods whose verdict needs resamples are not asked.
    """
    judgments, winner = fit.judgments, verdict.winner
    tasks = np.bincount(judgments.task_judge, minlength=len(judgments.judges))
    if winner is None or verdict.by_ranges or np.count_nonzero(tasks) < 2:
        return ()
    if fit.influence() is None:
        return ()
    chosen = dataclasses.replace(DEFAULT_CERTAINTY, level=verdict.level, scope=verdict.scope)
    busiest = np.argsort(-tasks, kind="stable")[:MOST_LEFT_OUT]
    deciding = []
    for judge in busiest[tasks[busiest] >= BUSY_JUDGE * judgments.n_tasks]:
        rest = judgments.take_tasks(np.flatnonzero(judgments.task_judge != judge))
        try:
            without = quick_verdict(fit.ranker.quick_form().fit(rest, chosen.seed), chosen)
        except (UndefinedResultError, NotConvergedError):
            continue
        if without.winner != winner:
            deciding.append(int(judge))
    if not deciding:
        return ()
    top = deciding[0]
    return (
        Finding(
            "deciding-judge",
            "warning",
            f"Without {judgments.judges[top]} ({tasks[top] / judgments.n_tasks:.0%} of the tasks), "
            f"{judgments.short_names[winner]} would not win"
            f"{_likewise(len(deciding) - 1, 'judge')}.",
            "Leaving out judgments also widens every interval.",
            "Check this judge's work before you announce a winner.",
        ),
    )


def heavy_pairs_found(fit: Fit, verdict: Verdict) -> tuple[Finding, ...]:
    """Return a finding where one judgment of a pair carries a score under the chosen method."""
    heavy = heavy_pairs(fit, verdict)
    if heavy.empty:
        return ()
    short = fit.judgments.short_names
    a, b, moves = short[heavy["a"][0]], short[heavy["b"][0]], float(heavy["moves"][0])
    return (
        Finding(
            "heavy-pair",
            "warning",
            f"One judgment of {a} and {b} changes {a}'s score by "
            f"{moves:.2g}{_likewise(len(heavy) - 1, 'case')}.",
            "This method weights all pairs equally, even those with few decided judgments (here "
            f"{_n(heavy['decided'][0])}).",
            f"{ABILITIES}, or collect more on this pair.",
        ),
    )


def _nothing_to_rank(judgments: Judgments) -> Finding:
    if judgments.scores is not None and judgments.n_systems > 1:
        return Finding(
            "no-preferences",
            "note",
            "No judge rated two systems on one segment.",
            "Pairwise judgments are therefore unknown; ratings of different judges and segments "
            "are compared by their means alone.",
            "Rank by the mean score; let judges rate several systems on each screen.",
        )
    return Finding(
        "nothing-to-rank",
        "problem",
        f"Systems: {judgments.n_systems}; comparisons of two systems: "
        f"{_n(len(judgments.observations))}.",
        "A ranking needs two systems that were compared.",
        "Widen the selection of systems, judges or segments, or choose another language pair.",
    )


def _never_compared(judgments: Judgments) -> Iterable[Finding]:
    alone = np.flatnonzero(judgments.counts.compared.sum(axis=1) == 0)
    if len(alone):
        yield Finding(
            "never-compared",
            "problem",
            f"{_names(judgments, alone)} {_was(alone)} never compared with another system.",
            "It has no score and no rank there.",
            "Collect judgments that compare it with others, or leave it out.",
        )


def _only_ties(judgments: Judgments) -> Iterable[Finding]:
    if judgments.n_ties == len(judgments):
        yield Finding(
            "only-ties",
            "problem",
            f"All {_n(len(judgments))} judgments are ties.",
            "No system was ever preferred, so all orders are equally good.",
            "Check that the ranks were read from the right columns.",
        )


def _disconnected(judgments: Judgments) -> Iterable[Finding]:
    decided = judgments.counts.decided
    if not decided.any():
        return
    compared = np.flatnonzero(judgments.counts.compared.sum(axis=1))
    groups = _components(decided[np.ix_(compared, compared)], compared, "weak")
    if len(groups) > 1:
        listed = "; ".join(_names(judgments, group) for group in groups)
        yield Finding(
            "disconnected",
            "problem",
            f"The systems form {len(groups)} groups that no decided comparison connects: {listed}.",
            "Systems of different groups cannot be ranked against each other; their relative "
            "places have no meaning.",
            "Collect comparisons across the groups, or rank each group by itself.",
        )


def _undefeated(judgments: Judgments) -> Iterable[Finding]:
    """Groups of systems that never lost to, or never won against, any system outside."""
    wins = judgments.counts.wins
    played = np.flatnonzero((wins + wins.T).sum(axis=1))
    verdict: list[set[int]] = []
    for group in reversed(_components(wins[np.ix_(played, played)], played, "strong")):
        outside = np.setdiff1d(played, group)
        won, lost = wins[np.ix_(group, outside)].sum(), wins[np.ix_(outside, group)].sum()
        if (won > 0) == (lost > 0) or set(outside) in verdict:
            continue  # what is said of one side need not be said of the other
        verdict.append(set(group))
        if len(judgments) < TOO_FEW:
            continue  # so few do not show a place
        n = _n(won + lost)
        who, side = _names(judgments, group), "above" if won else "below"
        others = "the others" if len(outside) > 1 else _names(judgments, outside)
        yield Finding(
            "undefeated" if won else "winless",
            "warning",
            f"{who} {'won' if won else 'lost'} all {n} decided comparisons with {others}.",
            f"{'Their' if len(group) > 1 else 'Its'} place {side} {others} follows from all {n} "
            "decided comparisons; the distance is unknown: it follows from the method's prior, "
            "not from the judgments.",
            "Use the place, not the score; judgments against the nearest others help most.",
        )


def _opponent_skew(judgments: Judgments) -> Iterable[Finding]:
    counts = judgments.counts
    # without thin pairs, of which Expected Wins makes too much
    met = counts.decided >= THIN_PAIR
    kept = PairCounts(np.where(met, counts.wins, 0.0), np.where(met, counts.ties, 0.0))
    by_judgment = Bojar().scores_from_counts(kept)
    by_opponent = ExpectedWins().scores_from_counts(kept)
    decided = kept.decided.sum(axis=1)
    error = share(np.full(len(decided), 0.5), np.sqrt(decided))
    difference = by_judgment - by_opponent
    skewed = np.flatnonzero(np.abs(np.nan_to_num(difference)) > np.fmax(SKEW, 2 * error))
    if len(skewed):
        worst = skewed[np.argmax(np.abs(difference[skewed]))]
        name = _names(judgments, [worst])
        yield Finding(
            "opponent-skew",
            "warning",
            f"{name} won {by_judgment[worst]:.0%} of its decided comparisons, but "
            f"{by_opponent[worst]:.0%} on average over its opponents"
            f"{_likewise(len(skewed) - 1, 'system')}.",
            f"It met its {'weaker' if difference[worst] > 0 else 'stronger'} opponents more often, "
            f"so methods that only count wins ({OrigWMT.title}; {Bojar.title}) rank it too "
            f"{'high' if difference[worst] > 0 else 'low'}.",
            f"{ABILITIES}; it adjusts for the opponents.",
        )


def _thin_pairs(judgments: Judgments) -> Iterable[Finding]:
    counts = judgments.counts
    met = np.flatnonzero(counts.compared.sum(axis=1))
    row, column = (met[side] for side in np.triu_indices(len(met), 1))
    decided = counts.decided[row, column]
    thin = decided < THIN_PAIR
    if not thin.any() or np.median(decided) < 3 * THIN_PAIR:
        return  # where most pairs are thin the campaign is small, which another check says
    worst = int(np.argmin(decided))
    pair = _names(judgments, [row[worst], column[worst]])
    yield Finding(
        "thin-pairs",
        "warning",
        f"Fewer than {THIN_PAIR} decided comparisons in {_n(thin.sum())} of {_n(len(thin))} pairs "
        f"of systems; the fewest, {_n(decided[worst])}, between {pair}.",
        "Expected Wins gives such a pair the weight of any other, or leaves it out if it has "
        "only ties. A few judgments can therefore change a rank.",
        f"{ABILITIES}, or collect more on these pairs.",
    )


def _once() -> str:
    once = control("--identical collapsed", "“Identical outputs once” on Data")
    return f"To leave out ties that no judge saw, use {once}; agreement does so by itself."


def _references(judgments: Judgments) -> Iterable[Finding]:
    left_out = judgments.references_left_out
    if left_out:
        one = len(left_out) == 1
        rank_them = control("--references", "“Rank references too” on Data", "references=True")
        yield Finding(
            "references",
            "note",
            f"{_n(len(left_out))} {'reference was' if one else 'references were'} left out: "
            f"{', '.join(left_out)}.",
            "Its name is that of a human translation, which is usually not ranked."
            if one
            else "Their names are those of human translations, which are usually not ranked.",
            f"If it is a system, rank it with {rank_them}."
            if one
            else f"If these are systems, rank them with {rank_them}.",
        )


def _few_judgments(judgments: Judgments) -> Iterable[Finding]:
    decided = judgments.counts.decided.sum(axis=1)
    few = np.flatnonzero((decided < FEW_DECISIONS) & (judgments.counts.compared.sum(axis=1) > 0))
    if len(few) and decided.any():
        fewest = decided[few].min()
        half_width = 1 / np.sqrt(max(fewest, 1))
        yield Finding(
            "few-judgments",
            "warning",
            f"{_names(judgments, few)} {_has(few)} fewer than {FEW_DECISIONS} decided comparisons "
            f"(the fewest: {_n(fewest)}).",
            f"A share of wins from so few has an error of about ±{100 * min(half_width, 0.5):.0f} "
            "points, more than the difference of most adjacent systems.",
            "Use the rank ranges rather than the ranks, and collect more judgments.",
        )


def _duplicates(judgments: Judgments) -> Iterable[Finding]:
    n_repeated = repeated_tasks(judgments)
    # one segment for everything means that the file names none: repeats are then natural
    if len(distinct(judgments.task_segment)) < 2:
        return
    timed = "" if judgments.task_seconds is None else ", in the same time"
    if n_repeated > DUPLICATE_SHARE * judgments.n_tasks:
        yield Finding(
            "duplicates",
            "warning" if n_repeated > 0.05 * judgments.n_tasks else "note",
            f"{_n(n_repeated)} of {_n(judgments.n_tasks)} ranking tasks repeat another one "
            f"exactly: same judge, segment, outputs and ranks{timed}.",
            "Either a result was saved twice, or a judge repeated a task with the same answer.",
            "Check where they come from, and drop saved copies.",
        )


def dominant_judge(judgments: Judgments) -> tuple[str, float] | None:
    """Return a judge who gave most of the judgments of several, and their share; else None."""
    scores = judgments.scores
    who = judgments.task_judge[judgments.task] if scores is None else scores.judge
    per_judge = np.bincount(who)
    if not len(per_judge) or per_judge.max() <= DOMINANT_JUDGE * per_judge.sum():
        return None
    top, is_alone = int(per_judge.argmax()), np.count_nonzero(per_judge) == 1
    return None if is_alone else (judgments.judges[top], float(per_judge[top] / per_judge.sum()))


def _judges(judgments: Judgments) -> Iterable[Finding]:
    per_judge = np.bincount(judgments.task_judge[judgments.task], minlength=len(judgments.judges))
    return _by_judge(judgments, per_judge, "judgments")


def _by_judge(judgments: Judgments, per_judge: IntArray, what: str) -> Iterable[Finding]:
    """Say who judged, from the number of judgments or scores that each judge gave."""
    n_judges, top = int(np.count_nonzero(per_judge)), int(per_judge.argmax())
    if n_judges == 1:
        yield Finding(
            "one-judge",
            "note",
            "The file names no judges."
            if judgments.judges[top] == UNNAMED_JUDGE
            else f"One judge gave all {what}.",
            "Agreement cannot be measured, and the ranking is valid for these judges only.",
            "If there were several judges, add a column that names them.",
        )
        return
    part = per_judge[top] / max(per_judge.sum(), 1)
    if part > DOMINANT_JUDGE:
        leave_out = f"--exclude-judges {judgments.judges[top]}"
        yield Finding(
            "dominant-judge",
            "warning",
            f"{judgments.judges[top]} gave {part:.0%} of the {what} of {n_judges} judges.",
            "The ranking is mostly one judge's opinion. Intervals that resample tasks do not "
            "show this.",
            f"Rank without this judge ({control(leave_out, '“Leave out judges” on Data')})."
            if n_judges < FEW_JUDGES
            else "Limit each judge's share to 20% in the filters (--judge-share 20): more "
            "differences are then significant.",
        )


def _many_ties(judgments: Judgments) -> Iterable[Finding]:
    ties = judgments.tie_share
    if MOSTLY_TIES < ties < 1:
        yield Finding(
            "many-ties",
            "warning",
            f"{ties:.0%} of the judgments are ties.",
            "Most judgments decide nothing; the ranking depends on the smaller part.",
            "See how the ranking depends on the tie policy, or count identical outputs once.",
        )


def _tied_pairs(judgments: Judgments) -> Iterable[Finding]:
    counts = judgments.counts
    rate = share(counts.ties, counts.compared)
    same = share(identical_outputs(judgments).astype(np.float64), counts.compared)
    met = np.triu(counts.compared >= 2 * THIN_PAIR, 1)
    if judgments.n_ties == len(judgments):
        return
    alike = np.argwhere(met & (same >= IDENTICAL_PAIR))
    if len(alike):
        first, second = alike[np.argmax(same[tuple(alike.T)])]
        yield Finding(
            "tied-pairs",
            "note",
            f"{_names(judgments, [first, second])} made identical outputs in "
            f"{_percent(same[first, second])} of their comparisons, which count as ties"
            f"{_likewise(len(alike) - 1, 'pair')}.",
            "No judge saw these ties, and they decide nothing between the systems.",
            _once(),
        )
    tied = np.argwhere(met & (rate > TIED_PAIR) & (same < IDENTICAL_PAIR))
    if len(tied):
        first, second = tied[np.argmax(rate[tuple(tied.T)])]
        part = same[first, second]
        yield Finding(
            "tied-pairs",
            "note",
            f"{_names(judgments, [first, second])} tie in {_percent(rate[first, second])} of "
            f"their comparisons{f', with identical outputs in {_percent(part)}' if part else ''}"
            f"{_likewise(len(tied) - 1, 'pair')}.",
            "Ties decide nothing: the order of the two depends on their other comparisons.",
            _once() if part else "Collect more judgments of the two if their order matters.",
        )


def _segments(judgments: Judgments) -> Iterable[Finding]:
    per_segment = np.bincount(judgments.task_segment)
    per_segment = per_segment[per_segment > 0].astype(np.float64)
    even = per_segment.sum() ** 2 / (per_segment**2).sum()
    if len(per_segment) > 1 and even < FEW_SEGMENTS:
        uneven = even < 0.98 * len(per_segment)
        worth = (
            "; their judgment counts are uneven, so they carry the information of about "
            f"{_n(even)} equally judged ones"
        )
        yield Finding(
            "few-segments",
            "warning",
            f"Only {_n(len(per_segment))} segments were judged{worth if uneven else ''}.",
            "The ranking might differ on other segments. Intervals that resample tasks do not "
            "show this.",
            "Resample by segment, and use more segments for further judgments.",
        )
    coverage = segment_coverage(judgments)
    if NO_NUMBERING < coverage < LOW_COVERAGE:
        yield Finding(
            "segment-coverage",
            "note",
            f"Judgments cover {coverage:.0%} of the numbered segments.",
            "The ranking extends to other segments only if these are a random sample of the "
            "test set.",
            "Resample by segment to see their influence.",
        )


def _incomplete(judgments: Judgments) -> Iterable[Finding]:
    n = judgments.incomplete_tasks
    if n:
        yield Finding(
            "incomplete-tasks",
            "note",
            f"In {_n(n)} ranking {'task' if n == 1 else 'tasks'} some output has no rank (-1).",
            "Rankings leave the whole task out, as the published ones did; agreement leaves out "
            "only the pairs of that output.",
            "No action is needed unless there are many.",
        )


CHECKS: tuple[Callable[[Judgments], Iterable[Finding]], ...] = (
    _never_compared,
    _only_ties,
    _disconnected,
    _undefeated,
    _opponent_skew,
    _thin_pairs,
    _references,
    _few_judgments,
    _judges,
    _many_ties,
    _segments,
    _duplicates,
    _tied_pairs,
    _incomplete,
)


def repeated_tasks(judgments: Judgments) -> int:
    """Count the tasks that repeat an earlier one: judge, segment, outputs as displayed, ranks.

    Where times are known they are equal too: a judge who answers the same again takes another time.
    """
    sizes = np.diff(judgments.task_start)
    whole = sizes > 1
    columns = [judgments.task_segment, judgments.task_judge, sizes]
    if judgments.task_seconds is not None:
        columns.append(np.unique(judgments.task_seconds, return_inverse=True)[1])
    last = len(judgments.entry_output) - 1
    for k in range(int(sizes.max(initial=0))):
        entry = np.minimum(judgments.task_start[:-1] + k, last)
        for column in (judgments.entry_output, judgments.entry_rank):
            columns.append(np.where(k < sizes, column[entry].astype(np.int64), -1))
    code = np.zeros(len(sizes), dtype=np.int64)
    for column in columns:
        code = np.unique(code * (column.max(initial=0) + 2) + column, return_inverse=True)[1]
    return int(whole.sum()) - len(distinct(code[whole]))


def identical_outputs(judgments: Judgments) -> IntArray:
    """Count how often two systems' outputs were one in a ranking task, K×K.

    These are the ties of the expanded view that nobody judged; the collapsed view has none.
    """
    if judgments.selection.identical == "collapsed":
        return np.zeros((judgments.n_systems,) * 2, dtype=np.int64)
    return _made_alike(judgments)


def identical_pairs(judgments: Judgments) -> npt.NDArray[np.bool_]:
    """Return which two systems made one output, or tie, nearly always, K×K: not worth comparing."""
    same, counts = _made_alike(judgments), judgments.counts
    met = counts.compared + same * (judgments.selection.identical == "collapsed")
    alike = (same >= IDENTICAL_PAIR * met) | (counts.ties >= NEVER_DECIDED * met)
    return np.asarray((met >= 2 * THIN_PAIR) & alike)


def _made_alike(judgments: Judgments) -> IntArray:
    n, campaign = judgments.n_systems, judgments.campaign
    code_of = np.full(len(campaign.systems), -1, dtype=np.int64)
    code_of[[campaign.systems.index(name) for name in judgments.systems]] = np.arange(n)
    shown = Ragged.from_start(campaign.task_start).take(judgments.tasks).values
    makers = campaign.made_by.take(campaign.entry_output[shown])
    a, b = (code_of[makers.values[position]] for position in makers.pairs())
    counted = (a >= 0) & (b >= 0)
    table = np.bincount(a[counted] * n + b[counted], minlength=n * n).reshape(n, n)
    return table + table.T


def segment_coverage(judgments: Judgments) -> float:
    """Return which share of the segments numbered 1 to the highest (or as selected) was judged.

    1 where segments are not numbers.
    """
    if not are_numbered(judgments.segments):
        return 1.0
    numbers = segment_numbers(judgments.segments)[distinct(judgments.task_segment)]
    first, last = judgments.selection.segments or (min(1, int(numbers.min())), numbers.max())
    return len(numbers) / float(min(last, numbers.max()) - first + 1)


def _components(
    edges: FloatArray, labels: IntArray, connection: Literal["weak", "strong"]
) -> list[IntArray]:
    """Return groups of labels, the largest first."""
    n, member = scipy.sparse.csgraph.connected_components(
        scipy.sparse.csr_array(edges), connection=connection
    )
    groups = [labels[member == k] for k in range(n)]
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _names(judgments: Judgments, codes: Sequence[int] | IntArray, most: int = 5) -> str:
    short = judgments.short_names
    names = [short[judgments.systems[k]] for k in codes]
    return listed(names, most)


def _likewise(n: int, noun: str) -> str:
    return f" ({n} other {noun}{'' if n == 1 else 's'} likewise)" if n else ""


def _was(codes: IntArray) -> str:
    return "was" if len(codes) == 1 else "were"


def _has(codes: IntArray) -> str:
    return "has" if len(codes) == 1 else "have"


def _percent(share: float) -> str:
    """Write a share in percent; 100% means all."""
    return f"{min(round(100 * share), 100 if share == 1 else 99)}%"


def _n(number: float) -> str:
    """Write a whole number with thin spaces between thousands."""
    return thousands(int(number))
