"""The page All pairs says of every pair what the page Standings says of it alone."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import rank
from dashboard import compute
from dashboard.compute import queue as turns
from tests.building import CampaignBuilder
from tests.comparing.test_language_pairs import tasks
from tests.opening import open_address, with_upload


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def test_all_pairs_stand_in_one_table_and_the_bad_one_says_why() -> None:
    builder = CampaignBuilder()
    tasks(builder, "cs-en", "abcd", 160, seed=1)
    builder.add_task("de-en", "1", "judge 0", [("de-en.a",)], [1])
    tasks(builder, "fr-en", "abc", 160, seed=2)
    session = with_upload(builder.build())
    assert session.upload is not None
    app = open_address("all-pairs", session, method="Expected Wins")
    assert not app.exception
    assert any("1 language pair cannot be ranked" in str(block.value) for block in app.markdown)
    (table,) = (frame.value for frame in app.dataframe)
    assert table["pair"].tolist() == ["Czech → English", "German → English", "French → English"]
    assert "–" not in table["open"][1]
    assert len(table["open"][1]) > 20
    alone = rank(session.upload.campaign.judgments("cs-en"), ExpectedWins())
    assert table["clusters"][0] == alone.n_clusters
    assert table["first"][0] == "a"


def test_every_pair_waits_for_its_own_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    submit = turns.Turns.submit

    def listen(
        pool: turns.Turns, session: object, key: tuple[object, ...], *rest: Any, **more: Any
    ) -> Any:
        asked.append(key)
        return submit(pool, session, key, *rest, **more)

    monkeypatch.setattr(turns.Turns, "submit", listen)
    builder = CampaignBuilder()
    tasks(builder, "cs-en", "abcd", 160, seed=1)
    tasks(builder, "fr-en", "abc", 160, seed=2)
    app = open_address("all-pairs", with_upload(builder.build()), method="Expected Wins")
    assert not app.exception
    assert [pair for pair in ("cs-en", "fr-en") if any(pair in key[-2:] for key in asked)] == [
        "cs-en",
        "fr-en",
    ]
