"""Pre-flight checks: what about these judgments limits what a ranking of them can say.

The checks of comparisons are in `comparison_checks`. Those of judges, segments and tasks are here,
and so is which findings bear on a method; what only its result shows is in `result_checks`. A
healthy campaign has none. The thresholds are constants, each with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from analysis.campaign import (
    UNNAMED_JUDGE,
    FloatArray,
    IntArray,
    Judgments,
    Scores,
    are_numbered,
    segment_numbers,
)
from analysis.campaign.copies import copied_tasks, copies_by_file
from analysis.campaign.file_copies import copies_words
from analysis.campaign.ragged import distinct
from analysis.campaign.selection import Mask
from analysis.errors import control
from analysis.rankers.ranker import Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.ranking.comparison_checks import (
    SEVERITIES,
    Finding,
    disconnected,
    few_judgments,
    many_ties,
    never_compared,
    only_ties,
    opponent_skew,
    thin_pairs,
    tied_pairs,
    undefeated,
)
from analysis.ranking.verdict import FEW_JUDGES
from analysis.wording import count, thousands

DUPLICATE_SHARE = 0.005
"""Share of repeated tasks under which they cannot move a system's share by half a point."""

DROP = "“Drop exact copies” on Data"

NOTICED = 0.05
"""Of the distance between the best and the worst mean: a mean that ratings far from all others move
by more is a warning."""

DOMINANT_JUDGE = 0.5
"""Share of the judgments above which one judge outvotes all others together."""

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


def preflight(judgments: Judgments) -> tuple[Finding, ...]:
    """Return what limits a ranking of these judgments, the gravest first; empty where nothing."""
    if judgments.n_systems < 2 or not len(judgments.observations):
        return (_nothing_to_rank(judgments), *_references(judgments))
    found = [finding for check in CHECKS for finding in check(judgments)]
    return gravest_first(found)


def that_limit(
    found: Iterable[Finding], judgments: Judgments, ranker: Ranker
) -> tuple[Finding, ...]:
    """Return the findings that bear on a ranking of these judgments by this method."""
    if not ranker.needs_scores or judgments.scores is None:
        return gravest_first(
            one for one in found if ranker.name in OF_METHODS.get(one.kind, (ranker.name,))
        )
    kept = [finding for finding in found if finding.kind not in OF_PREFERENCES]
    per_judge = np.bincount(judgments.scores.judge, minlength=len(judgments.judges))
    kept += [*_by_judge(judgments, per_judge, "ratings"), *wild_ratings(judgments)]
    return gravest_first(kept)


def gravest_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return problems, then warnings, then notes."""
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


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
        f"{thousands(len(judgments.observations))}.",
        "A ranking needs two systems that were compared.",
        "Widen the selection of systems, judges or segments, or choose another language pair.",
    )


def _references(judgments: Judgments) -> Iterable[Finding]:
    left_out = judgments.references_left_out
    if left_out:
        one = len(left_out) == 1
        them = "it" if one else "them"
        rank_them = control("--references", f"“Rank {them} too” on Result", "references=True")
        yield Finding(
            "references",
            "note",
            f"{thousands(len(left_out))} {'reference was' if one else 'references were'} left out: "
            f"{', '.join(left_out)}.",
            "Its name is that of a human translation, which is usually not ranked."
            if one
            else "Their names are those of human translations, which are usually not ranked.",
            f"If it is a system, rank it with {rank_them}."
            if one
            else f"If these are systems, rank them with {rank_them}.",
        )


def duplicates(judgments: Judgments) -> Iterable[Finding]:
    """Say how many tasks are exact copies; a file that is wholly contained in others is a warning.

    Words of the methods paragraph, too.
    """
    tasks = distinct(judgments.tasks)
    n = int(np.count_nonzero(copied_tasks(judgments.campaign, tasks)))
    found = copies_by_file(judgments.campaign, tasks) if n else ()
    is_contained = any(one.is_contained for one in found)
    if n <= DUPLICATE_SHARE * len(tasks) and not is_contained:
        return
    among = count(len(tasks), "vote" if judgments.are_votes else "ranking task")
    yield Finding(
        "duplicates",
        "warning" if is_contained or n > 0.05 * len(tasks) else "note",
        copies_words(n, among, found),
        "Judgments in two files count twice, which makes intervals too narrow."
        if is_contained
        else "Either a result was saved twice, or a judge repeated a task with the same answer.",
        f"Drop copies that were saved twice ({control('--copies dropped', DROP)}).",
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
    rows, n = judgments.task_rows, len(judgments.judges)
    per_judge = np.bincount(judgments.task_judge, rows, minlength=n).astype(np.int64)
    return _by_judge(judgments, per_judge, "votes" if judgments.are_votes else "judgments")


def _by_judge(judgments: Judgments, per_judge: IntArray, what: str) -> Iterable[Finding]:
    """Say who judged, from the number of judgments or scores that each judge gave."""
    n_judges, top = int(np.count_nonzero(per_judge)), int(per_judge.argmax())
    if n_judges == 1:
        yield Finding(
            "one-judge",
            "note",
            "The file names no judges."
            if judgments.judges[top] == UNNAMED_JUDGE
            else f"All {what} carry the same judge name, {judgments.judges[top]}.",
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


def wild_ratings(judgments: Judgments) -> Iterable[Finding]:
    """Say how many ratings lie far outside all others, such as typing errors, and what they do."""
    scores = judgments.scores
    if scores is None:
        return
    wild = judgments.far_off
    if not wild.any():
        return
    low, high = np.quantile(scores.value, (0.01, 0.99))
    means, without = (_means(scores, judgments.n_systems, kept) for kept in (wild >= 0, ~wild))
    moved = np.abs(means - without)
    top = int(np.nanargmax(moved))
    farthest = scores.value[wild][np.abs(scores.value[wild] - low).argmax()]
    spread = np.nanmax(without) - np.nanmin(without)
    n = int(wild.sum())
    drop = control("--far-off dropped", "“Drop ratings far from all others” on Data")
    yield Finding(
        "wild-ratings",
        "warning" if moved[top] > NOTICED * spread else "note",
        f"{count(n, 'rating')} of {thousands(len(scores))} {'lies' if n == 1 else 'lie'} far from "
        f"all others, such as {farthest:,g}; 98% are between {low:,g} and {high:,g}.",
        f"The mean of {judgments.short_names[judgments.systems[top]]} is {means[top]:,.4g}, and "
        f"{without[top]:,.4g} without {'it' if n == 1 else 'them'}.",
        f"Correct typing errors in the file, or leave such ratings out: {drop}.",
        "data",
    )


def _means(scores: Scores, n_systems: int, kept: Mask) -> FloatArray:
    """Return every system's mean of the kept ratings, nan where it has none."""
    sums = np.bincount(scores.system[kept], scores.value[kept], n_systems)
    n = np.bincount(scores.system[kept], minlength=n_systems)
    return np.divide(sums, n, out=np.full(n_systems, np.nan), where=n > 0)


def _segments(judgments: Judgments) -> Iterable[Finding]:
    per_segment = np.bincount(judgments.task_segment)
    per_segment = per_segment[per_segment > 0].astype(np.float64)
    even = per_segment.sum() ** 2 / (per_segment**2).sum()
    if len(per_segment) > 1 and even < FEW_SEGMENTS:
        uneven = even < 0.98 * len(per_segment)
        worth = (
            "; their judgment counts are uneven, so they carry the information of about "
            f"{thousands(even)} equally judged ones"
        )
        yield Finding(
            "few-segments",
            "warning",
            f"Only {thousands(len(per_segment))} segments were judged{worth if uneven else ''}.",
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
            f"In {thousands(n)} ranking {'task' if n == 1 else 'tasks'} some output has no rank "
            "(-1).",
            "Rankings leave the whole task out, as the published ones did; agreement leaves out "
            "only the pairs of that output.",
            "No action is needed unless there are many.",
        )


CHECKS: tuple[Callable[[Judgments], Iterable[Finding]], ...] = (
    never_compared,
    only_ties,
    disconnected,
    undefeated,
    opponent_skew,
    thin_pairs,
    _references,
    few_judgments,
    _judges,
    many_ties,
    _segments,
    duplicates,
    tied_pairs,
    _incomplete,
)


def segment_coverage(judgments: Judgments) -> float:
    """Return which share of the segments numbered 1 to the highest (or as selected) was judged.

    1 where segments are not numbers.
    """
    if not are_numbered(judgments.segments):
        return 1.0
    numbers = segment_numbers(judgments.segments)[distinct(judgments.task_segment)]
    first, last = judgments.selection.segments or (min(1, int(numbers.min())), numbers.max())
    return len(numbers) / float(min(last, numbers.max()) - first + 1)
