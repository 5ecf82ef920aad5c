"""What few judges settle, and what is open for other judges, in words."""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.ranking.few_judges import MOST_JUDGES, few_judges
from analysis.ranking.verdict import Verdict
from analysis.wording import count


def few_judges_words(judgments: Judgments, verdict: Verdict | None) -> str:
    """Return what the judges at hand settle and how many would settle it; empty if judges are many.

    "These 4 judges settle, for new segments: A wins; at least 5 tiers. For other judges 9 of these
    13 significant differences are open; about 11 judges would settle them."
    """
    found = None if verdict is None else few_judges(judgments, verdict)
    if found is None:
        return ""
    these, n = found.for_these, found.for_new.units["judge"]
    winner = "no winner" if these.winner is None else f"{these.winner} wins"
    settled = int(these.significant.sum()) // 2
    new = f"new {found.for_new.source}s"
    if not settled:
        return f"For {new}, even these {n} judges alone show no significant difference."
    words = (
        f"These {n} judges settle, for {new}: {winner}; at least {count(these.n_tiers, 'tier')}."
    )
    open_pairs = int(found.settled_by_these_alone.sum()) // 2
    if not open_pairs:
        return f"{words} All of it is settled for other judges, too."
    words += f" For other judges {open_pairs} of these {settled} significant differences are open"
    if found.judges_for_pairs is None:
        return f"{words}, and {MOST_JUDGES} judges would not settle them all."
    return f"{words}; about {found.judges_for_pairs} judges would settle them."
