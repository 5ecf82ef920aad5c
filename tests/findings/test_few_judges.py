"""What few judges settle is said in one breath with what is open for others."""

from __future__ import annotations

import numpy as np

from analysis.campaign import Judgments
from analysis.findings.certainty import few_judges_words
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.few_judges import few_judges
from analysis.ranking.verdict import reach_verdict
from tests.building import CampaignBuilder


def judged_by(n: int, taste: float) -> Judgments:
    """Judgments of three systems a tenth apart by judges who each favor one of them."""
    rng, builder = np.random.default_rng(3), CampaignBuilder()
    for judge in range(n):
        liking = rng.normal(0, taste, 3)
        for segment in range(60):
            quality = np.array([0.9, 0.3, 0.0]) + liking + rng.normal(0, 1, 3)
            ranks = (1 + np.argsort(np.argsort(-quality))).tolist()
            builder.add_task("x-y", str(segment), f"j{judge}", [("A",), ("B",), ("C",)], ranks)
    return builder.build().judgments()


def words_on(judgments: Judgments) -> str:
    return few_judges_words(judgments, reach_verdict(ExpectedWins().fit(judgments)))


def test_three_judges_settle_for_segments_what_is_open_for_other_judges() -> None:
    judgments = judged_by(3, 0.5)
    found = few_judges(judgments, reach_verdict(ExpectedWins().fit(judgments)))
    assert found is not None
    assert found.settled_by_these_alone.any()
    words = words_on(judgments)
    left = found.for_new.n_tiers
    new = f"at least {left}" if left > 1 else "no difference is significant"
    assert words.startswith(
        f"These 3 judges settle that A wins, with at least 2 tiers; for new judges, {new}. "
    )
    assert words.count(".") == 2
    assert str(found.judges_for_pairs or 200) in words


def test_many_judges_need_no_such_sentence() -> None:
    assert words_on(judged_by(9, 0.2)) == ""
    assert few_judges_words(judged_by(3, 0.2), None) == ""
