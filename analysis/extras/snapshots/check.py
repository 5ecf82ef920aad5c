"""The check over the order of a file: whether a score changed from its first half to its second."""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.comparing.what_if import first_tasks
from analysis.errors import NotConvergedError, UndefinedResultError, control
from analysis.extras.snapshots.findings import changes_words
from analysis.extras.snapshots.moves import moves_since, sorted_by
from analysis.rankers import Ranker
from analysis.ranking.certainty import Certainty
from analysis.ranking.comparison_checks import Finding

HALF = 0.5
MOST_NAMED = 4

UNCHANGED = "No system's score changed significantly from the first half of the file to the second."


def check(
    judgments: Judgments, ranker: Ranker | None, certainty: Certainty
) -> Finding | str | None:
    """Name the systems whose scores changed, or say that none did; None of too few tasks.

    It is None, too, by an official procedure, which tests nothing, and of a sorted file, whose
    halves differ by what it is sorted by.
    """
    if certainty.is_official or sorted_by(judgments):
        return None
    first = first_tasks(judgments, HALF)
    try:
        moves = moves_since(first, judgments, ranker, judgments.systems, certainty.level)
    except (UndefinedResultError, NotConvergedError):
        return None
    if moves is None:
        return None
    if not moves.significant:
        return UNCHANGED
    names = judgments.short_names
    return Finding(
        "changed",
        "note",
        f"{changes_words(moves, names.__getitem__, MOST_NAMED)} since the first half of the file.",
        "Outputs, judges or texts may have changed along the file; each score is an average of "
        "both halves.",
        "Compare the halves: "
        + control("podium diff", "What if › Before and after", "a ranking of each half")
        + ".",
        "what-if",
        "Before and after",
    )
