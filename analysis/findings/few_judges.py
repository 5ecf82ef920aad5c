"""What few judges settle, and what is open for new judges, in words."""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.ranking.few_judges import MOST_JUDGES, few_judges
from analysis.ranking.verdict import Verdict
from analysis.wording import count


def few_judges_words(judgments: Judgments, verdict: Verdict | None) -> str:
    """Say in one sentence what the judges at hand settle and what is open for new judges.

    "For new segments these 4 judges settle that A wins, with at least 5 tiers; for new judges 9
    of the 13 significant differences are open, and about 11 judges would settle them."
    """
    found = None if verdict is None else few_judges(judgments, verdict)
    if found is None:
        return ""
    these, n = found.for_these, found.for_new.units["judge"]
    new = f"new {found.for_new.source}s"
    settled = int(these.significant.sum()) // 2
    if not settled:
        return f"With {new} and these {n} judges, no difference would be significant either."
    tiers = f"at least {count(these.n_tiers, 'tier')}"
    what = f"that {these.winner} wins, with {tiers}" if these.winner else f"{tiers}, but no winner"
    words = f"For {new} these {n} judges settle {what}"
    open_pairs = int(found.settled_by_these_alone.sum()) // 2
    if not open_pairs:
        return f"{words}; all of it is settled for new judges, too."
    words += (
        f"; for new judges {open_pairs} of the {count(settled, 'significant difference')} "
        f"{'is' if open_pairs == 1 else 'are'} open"
    )
    if found.judges_for_pairs is None:
        return f"{words}, and {MOST_JUDGES} judges would not settle them all."
    return f"{words}, and about {found.judges_for_pairs} judges would settle them."
