"""The load test itself: two users on a server of its own, each with a file, see their own only."""

from __future__ import annotations

import asyncio
from pathlib import Path

from analysis.formats import read
from tests.tools.load.crowd import MARK, SYSTEMS, campaign_file, mark
from tests.tools.load.serving import noise, serve
from tests.tools.load.visitor import View, Visitor, foreign_names, run_apart


def test_every_user_brings_another_campaign() -> None:
    first, second = (read(campaign_file(k, 30), name="x.csv")[0] for k in (1, 2))
    assert len(first.systems) == SYSTEMS
    assert not set(first.systems) & set(second.systems)
    assert {MARK.findall(name)[0] for name in first.systems} == {mark(1)}


def test_a_foreign_name_is_noticed() -> None:
    views = [
        View("overview", words=["# qz01-a leads"]),
        View("judges", words=["b-qz02", "aGqz03Z"]),
    ]
    assert foreign_names(views, MARK, mark(1)) == {mark(2)}


def test_two_sessions_share_a_server_and_no_name_and_its_log_is_quiet(tmp_path: Path) -> None:
    async def bring(address: str, user: int) -> list[View]:
        async with Visitor(address) as visitor:
            views = [await visitor.open("result", method="Expected Wins")]
            await visitor.break_off("half.csv", campaign_file(user, 60))
            views.append(await visitor.give(f"{user}.csv", campaign_file(user, 60)))
            views.append(await visitor.go_to("result"))
            return views

    async def both(address: str) -> list[list[View]]:
        return await asyncio.gather(bring(address, 1), bring(address, 2))

    with serve(Path(__file__).parents[3], tmp_path) as server:
        for user, views in enumerate(run_apart(both(server.address)), 1):
            assert [view.failed for view in views] == [""] * 3
            assert mark(user) in "".join(views[-1].words)
            assert not foreign_names(views, MARK, mark(user))
    assert noise((tmp_path / "server.log").read_text()) == []
