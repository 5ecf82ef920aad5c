"""One state, one answer: no two pages and no two commands disagree on any pair of systems.

Every source is read as a person reads it: a page's own table or figure, a command's own output.
A source says of the untouched state what it shows: the order, the clusters or their number, which
pairs are told apart. A new page that shows any of these joins `PAGES`.
"""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.cli import main
from analysis.formats import read_path
from analysis.names import short_names
from analysis.rankers import DEFAULT_METHOD, RANKERS
from analysis.simulation.samples import SAMPLES, sample_campaign
from analysis.wording import language_pair
from dashboard import compute
from dashboard.widgets.sidebar import BASES
from tests.command_line import answer
from tests.opening import open_address, with_upload


@dataclass(frozen=True)
class Says:
    """What a source shows; None where it does not show it.

    ``clusters`` are their members, best first; ``apart`` the pairs told apart, ``open`` those that
    are not.
    """

    order: tuple[str, ...] | None = None
    clusters: tuple[frozenset[str], ...] | None = None
    n_clusters: int | None = None
    apart: frozenset[frozenset[str]] | None = None
    open: frozenset[frozenset[str]] | None = None


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def clusters_in(table: pd.DataFrame) -> tuple[frozenset[str], ...]:
    """Return the members of each cluster of a table with columns system and cluster."""
    grouped = table.groupby("cluster")["system"]
    return tuple(frozenset(members) for _, members in sorted(grouped, key=lambda entry: entry[0]))


def ranked(table: pd.DataFrame) -> Says:
    """Read a table that has a line for each system, best first, with its cluster."""
    return Says(order=tuple(table["system"]), clusters=clusters_in(table))


def judged(table: pd.DataFrame, one: str, other: str) -> Says:
    """Read a table that has a line for each pair of systems."""
    pairs = {
        told: frozenset(
            frozenset(both) for both in lines[[one, other]].itertuples(index=False, name=None)
        )
        for told, lines in table.assign(
            apart=table["significant"] if "significant" in table else table["verdict"] == "better"
        ).groupby("apart")
    }
    return Says(apart=pairs.get(True, frozenset()), open=pairs.get(False, frozenset()))


# What each page says ----------------------------------------------------------------------------


def table_of(app: AppTest, place: int) -> pd.DataFrame:
    """Return a table of the page with full names where it shows short ones."""
    names = short_names(view(app).judgments.systems)
    full = {short: name for name, short in names.items()}
    shown: pd.DataFrame = app.dataframe[place].value
    return shown.map(lambda cell: full.get(cell, cell) if isinstance(cell, str) else cell)


def standings(app: AppTest, campaign: Campaign) -> Says:
    return ranked(table_of(app, 0))


def head_to_head(app: AppTest, campaign: Campaign) -> Says:
    table = table_of(app, -1)
    said = judged(table, "row", "column")
    return Says(order=tuple(dict.fromkeys(table["row"])), apart=said.apart, open=said.open)


def methods(app: AppTest, campaign: Campaign) -> Says:
    orders, moves = table_of(app, -1), app.dataframe
    counted = next(t.value for t in moves if "moves_that_matter" in t.value.columns)
    chosen = view(app).ranker.title
    own = counted.set_index("method").loc[chosen, "clusters"]
    return Says(order=tuple(orders[chosen]), n_clusters=int(own))


def what_if(app: AppTest, campaign: Campaign) -> Says:
    return ranked(table_of(app, 0))


def plan(app: AppTest, campaign: Campaign) -> Says:
    goals = app.dataframe[0].value
    now = goals[goals["goal"].str.endswith(" clusters")]["now"]
    return Says(n_clusters=int(now.iloc[0]) if len(now) else None)


def all_pairs(app: AppTest, campaign: Campaign) -> Says:
    table = app.dataframe[0].value.set_index("pair")
    return Says(n_clusters=int(table.loc[language_pair(view(app).pair), "clusters"]))


def view(app: AppTest) -> Any:
    return app.session_state["podium"].notes["view"]


PAGES: dict[str, tuple[Callable[[AppTest, Campaign], Says], dict[str, str]]] = {
    "result": (standings, {}),
    "head-to-head": (head_to_head, {}),
    "what-if": (methods, {}),
    "what-if?without": (what_if, {"question": "Without someone"}),
    "next": (plan, {}),
    "all-pairs": (all_pairs, {}),
}


def pages_say(campaign: Campaign, pair: str, **choices: str | list[str]) -> dict[str, Says]:
    found = {}
    for address, (read, link) in PAGES.items():
        chosen = {"pair": language_pair(pair), **choices, **link}
        app = open_address(address.partition("?")[0], with_upload(campaign), **chosen)
        assert not app.exception, address
        assert not app.error, address
        assert view(app).pair == pair
        found[address] = read(app, campaign)
    return found


# What each command says -------------------------------------------------------------------------


def in_report(page: str, systems: tuple[str, ...]) -> Says:
    """Read the report's table of standings: its first two columns are cluster and short name."""
    full = {short: name for name, short in short_names(systems).items()}
    table = page.split("<h2>Standings</h2>")[1].split("</table>")[0]
    rows = re.findall(r"<tr[^>]*><td[^>]*>(\d+)</td><td[^>]*>(.*?)</td>", table)
    return ranked(
        pd.DataFrame(
            [(int(k), full[html.unescape(name)]) for k, name in rows], columns=["cluster", "system"]
        )
    )


def commands_say(
    capsys: pytest.CaptureFixture[str], file: str, pair: str, folder: Path, campaign: Campaign
) -> dict[str, Says]:
    by_rank = pd.DataFrame(answer(capsys, "rank", file, "--pair", pair)["systems"])
    told = answer(capsys, "rank", file, "--pair", pair)
    by_pair = judged(pd.DataFrame(told["pairs"]), "a", "b")
    compared = answer(capsys, "compare", file, "--pair", pair)
    own = next(one for one in compared["methods"] if one["method"] == DEFAULT_METHOD)
    planned = answer(capsys, "plan", file, "--pair", pair)
    neighbors = [goal["systems"] for goal in planned["goals"] if goal["kind"] == "neighbors"]
    target = folder / f"{pair}.html"
    assert main(["report", file, "--pair", pair, "-o", str(target)]) == 0
    return {
        "report": in_report(target.read_text(), campaign.judgments(pair).systems),
        "rank": ranked(by_rank),
        "pairs": Says(None, None, told["clusters"], by_pair.apart, by_pair.open),
        "compare": ranked(pd.DataFrame(own["order"])),
        "plan": Says(
            order=(*(upper for upper, _ in neighbors), neighbors[-1][1]),
            n_clusters=round(planned["curve"][0]["clusters"]),
        ),
    }


# They agree -------------------------------------------------------------------------------------


def agree(said: dict[str, Says]) -> None:
    """Assert that all that is said twice is said alike."""
    for part in ("order", "clusters", "apart", "open"):
        known = {source: value for source, one in said.items() if (value := getattr(one, part))}
        assert len(known) >= 2 or part in ("apart", "open"), part
        # A figure may show the first of many systems alone.
        (source, whole), *others = sorted(known.items(), key=lambda entry: -len(entry[1]))
        for other, value in others:
            expected = whole[: len(value)] if isinstance(whole, tuple) else whole
            assert value == expected, f"{part}: {source} and {other} disagree"
    clusters = next(one.clusters for one in said.values() if one.clusters)
    for one in said.values():
        assert one.n_clusters in (None, len(clusters))


@pytest.mark.parametrize(
    "other",
    [
        Says(order=("b", "a", "c")),
        Says(clusters=(frozenset("ab"), frozenset("c"))),
        Says(n_clusters=3),
        Says(apart=frozenset({frozenset("ac")})),
        Says(open=frozenset({frozenset("ab")})),
    ],
)
def test_a_contradiction_is_found(other: Says) -> None:
    apart = frozenset({frozenset("ab"), frozenset("ac")})
    lines = (frozenset("a"), frozenset("bc"))
    one = Says(("a", "b", "c"), lines, 2, apart, frozenset({frozenset("bc")}))
    agree({"one": one, "same": one})
    with pytest.raises(AssertionError):
        agree({"one": one, "same": one, "other": other})


def check(
    campaign: Campaign,
    file: str,
    pair: str,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
) -> None:
    capsys.readouterr()
    agree(pages_say(campaign, pair) | commands_say(capsys, file, pair, folder, campaign))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n == "wmt14-cs-en" else pytest.mark.slow) for n in SAMPLES]
)
def test_no_page_and_no_command_contradicts_another_on_a_sample(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    campaign = sample_campaign(name)
    check(campaign, f"sample:{name}", campaign.pairs[0], capsys, tmp_path)


def test_nor_with_a_method_whose_scores_are_resampled() -> None:
    campaign = sample_campaign("wmt14-cs-en")
    elo = RANKERS["elo"].title
    methods = [elo, RANKERS["expected-wins"].title]
    agree(pages_say(campaign, campaign.pairs[0], method=elo, runs="100", methods=methods))


def test_nor_where_ranges_are_those_published() -> None:
    campaign = sample_campaign("wmt14-cs-en")
    method = RANKERS["expected-wins"].title
    published = {"method": method, "sure": BASES["published"][0], "runs": "200"}
    said = pages_say(campaign, campaign.pairs[0], **published)
    said.pop("next")  # It forecasts by the recommended rule, and says so.
    agree(said)
    default = pages_say(campaign, campaign.pairs[0], method=method)
    assert said["head-to-head"].apart != default["head-to-head"].apart
    assert said["result"].clusters != default["result"].clusters


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "pairs"),
    [
        ("wmt13/fr-en.train.csv.gz", 1),
        ("wmt15/wmt15.xml.gz", 3),
        ("arena-judges/human.json.gz", 1),
    ],
)
def test_nor_on_a_real_campaign(
    file: str, pairs: int, campaigns_dir: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    campaign = read_path(campaigns_dir / file)[0]
    for pair in campaign.pairs[:pairs]:
        check(campaign, str(campaigns_dir / file), pair, capsys, tmp_path)
