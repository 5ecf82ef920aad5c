"""One state, one rule: no two pages and no two commands disagree on any number of a campaign.

Every source is read as a person reads it: a page's own headline, table or note, a command's own
output. It is asked under the recommended rule and under an official procedure. A new page or
command that shows one of the facts joins `PAGES` or `commands_say`.
"""

from __future__ import annotations

import html
import json
import re
import threading
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.cli import main
from analysis.findings.standings import number_word
from analysis.formats import read_path
from analysis.judges.agreement import agreement as agreement_of
from analysis.judges.agreement import judged_once
from analysis.languages import language_pair
from analysis.names import short_names
from analysis.presets import PRESETS
from analysis.rankers import RANKERS
from analysis.samples import SAMPLES, sample_campaign
from dashboard import compute
from dashboard.session.state import UPLOADED
from dashboard.widgets.settings_form import BASES
from tests.command_line import answer
from tests.opening import open_address, with_upload

Facts = dict[str, Any]
"""What a source shows, by the name of the fact.

``order`` (best first; a figure may show the first systems alone), ``clusters`` and ``tiers`` by
system, ``ranks`` (both ends by system), ``winners`` (how many are possible), ``levels`` (tiers of
the recommended rule, clusters of an official one), ``n_clusters``, ``apart`` (pairs that differ),
``n_apart``, ``open_share`` (percent of the pairs that do not differ), ``judgments``, ``kappa`` and
``radius``.
"""


@dataclass(frozen=True)
class State:
    """How a state is asked for: by a page's link and by a command's flags."""

    link: Mapping[str, str | list[str]]
    flags: tuple[str, ...]
    is_official: bool = False


RECOMMENDED = State({}, ())
OFFICIAL = State(
    {"sure": BASES["published"][0], "runs": "100"},
    ("--ranges", "marginal", "--resamples", "100"),
    is_official=True,
)
WMT16 = State(
    {"preset": PRESETS["wmt16"].title, "runs": "100"},
    ("--preset", "wmt16", "--resamples", "100"),
    is_official=True,
)


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


# How facts are read -----------------------------------------------------------------------------


def of_headline(sentence: str) -> Facts:
    """Read how many may have won, and how many levels there are."""
    if match := re.search(r" wins; (?:at least )?(\d+) (?:tier|cluster)", sentence):
        return {"winners": 1, "levels": int(match[1])}
    if match := re.search(r"any of the (\d+) systems could be best", sentence):
        return {"winners": int(match[1])}
    if match := re.search(r" and (\S+) others could be best", sentence):
        words = {number_word(n): n for n in range(1, 200)}
        return {"winners": 1 + words[match[1]]}
    assert re.search(" or .+ could be best", sentence), sentence
    return {"winners": 2}


def ranked(table: pd.DataFrame) -> Facts:
    """Read a table that has a line for each system, best first."""
    systems = table["system"]
    found: Facts = {"order": tuple(systems)}
    for column, fact in (("cluster", "clusters"), ("tier", "tiers")):
        if column in table:
            found[fact] = dict(zip(systems, map(int, table[column]), strict=True))
    if "rank_best" in table:
        ends = zip(table["rank_best"], table["rank_worst"], strict=True)
        found["ranks"] = dict(zip(systems, ((int(a), int(b)) for a, b in ends), strict=True))
    return found


def judged(table: pd.DataFrame, one: str, other: str, differs: pd.Series[bool]) -> Facts:
    """Read a table that has a line for each pair of systems."""
    pairs = table.loc[differs, [one, other]].itertuples(index=False, name=None)
    apart = frozenset(frozenset(both) for both in pairs)
    return {"apart": apart, "n_apart": len(apart)}


def view(app: AppTest) -> Any:
    return app.session_state["podium"].view


def table_of(app: AppTest, *columns: str) -> pd.DataFrame:
    """Return the page's table that has these columns, with full names where it has short ones."""
    full = {short: name for name, short in short_names(view(app).judgments.systems).items()}
    shown = next(t.value for t in app.dataframe if {*columns} <= {*t.value.columns})
    return shown.map(lambda cell: full.get(cell, cell) if isinstance(cell, str) else cell)


def words_of(app: AppTest) -> str:
    """Return what stands on a page as text."""
    texts = [part.value for part in app.markdown] + [part.proto.body for part in app.get("html")]
    return html.unescape(re.sub(r"\\(.)", r"\1", "\n".join(texts)))


def number(pattern: str, words: str) -> int:
    match = re.search(pattern, words)
    assert match, f"{pattern!r} is not in {words[:2000]!r}"
    return int(match[1].replace(",", ""))


def said(fact: str, pattern: str, words: str) -> Facts:
    """Read a number where the words have it."""
    match = re.search(pattern, words)
    return {} if match is None else {fact: float(match[1].replace(",", ""))}


# What each page says ----------------------------------------------------------------------------


def headline_of(app: AppTest) -> str:
    return re.search("^# (.*)$", words_of(app), re.MULTILINE)[1]  # type: ignore[index]


def result(app: AppTest) -> Facts:
    words = words_of(app)
    return {
        **ranked(table_of(app, "system", "rank_best")),
        **of_headline(headline_of(app)),
        **said("judgments", r"<b>([\d,]+)</b><span>(?:judgments|votes)", words),
        **said("kappa", r"<b>([\d.]+)</b><span>κ between judges", words),
    }


def head_to_head(app: AppTest) -> Facts:
    table = table_of(app, "row", "column")
    official = view(app).certainty.is_official
    differs = "separate_ranges" if official else "significant"
    found = judged(table, "row", "column", table[differs] == "•")
    assert {"significant", "p_adjusted"}.isdisjoint(table) == official
    labels = str([control.options for control in app.get("button_group")])
    assert ("Significant" in labels) != official
    told = re.search(r"(\d+) of \d+ pairs (?:differ|have)", words_of(app))
    assert told is None or int(told[1]) == found["n_apart"]
    return {"order": tuple(dict.fromkeys(table["row"])), **found}


def methods(app: AppTest) -> Facts:
    if view(app).judgments.scores is not None and view(app).ranker.needs_scores:
        return {}
    orders, counted = table_of(app, "place"), table_of(app, "moves_that_matter")
    chosen = view(app).ranker.title
    own = counted.set_index("method").loc[chosen, "clusters"]
    return {"order": tuple(orders[chosen]), "n_clusters": int(own)}


def radius(app: AppTest) -> Facts:
    return ranked(table_of(app, "system", "place")) | said(
        "radius", r"Tuned on all judgments: ([\d.]+\d)", words_of(app)
    )


def without(app: AppTest) -> Facts:
    headline, table = headline_of(app), ranked(table_of(app, "system", "place"))
    if re.search(" would not win| wins narrowly| wins whichever", headline):
        return table | {"winners": 1}
    if re.search("^No winner can be named|^Without .+ would win", headline):
        return table  # several could be best, whose number is said elsewhere
    return table | of_headline(headline)


def equal(app: AppTest) -> Facts:
    if view(app).certainty.is_official:
        assert not len(app.dataframe)
        return {}
    return said("n_apart", r"(\d+) differ significantly", words_of(app))


def agreement(app: AppTest) -> Facts:
    return said("kappa", r"[κΚ] (-?[\d.]+\d)", words_of(app))


def stop(app: AppTest) -> Facts:
    words = words_of(app)
    if view(app).certainty.is_official:
        assert not len(app.dataframe)
        return {"levels": number(r"# (\d+) clusters? now", words)}
    goals = table_of(app, "goal").set_index("goal")["now"]
    clusters = [int(now) for goal, now in goals.items() if str(goal).endswith(" clusters")]
    tiers = [int(now) for goal, now in goals.items() if str(goal).endswith(" tiers")]
    found = {"levels": tiers[0]} if tiers else {}
    return found | ({"n_clusters": clusters[0]} if clusters else {})


def batch(app: AppTest) -> Facts:
    title = str(app.get("plotly_chart")[0].proto)
    return said("open_share", r"at random: (\d+)%", title)


def slides(app: AppTest) -> Facts:
    titles = "\n".join(re.sub(r"\\(.)", r"\1", box.label) for box in app.checkbox)
    first = titles.splitlines()[0].removeprefix("**Result** · ")
    assert first == headline_of(app)
    assert not (view(app).certainty.is_official and "Continue" in titles)
    return of_headline(first) | said("radius", r"If gaps up to ([\d.]+) count", titles)


def paper(app: AppTest) -> Facts:
    table, paragraph = (code.value for code in app.code[:2])
    full = {s.replace("_", r"\_"): n for n, s in short_names(view(app).judgments.systems).items()}
    number = r"[-{}$\d.,]+"
    of_row = (
        rf"^(?:(\d+)(?:, winner)? & )?{number} & (?:{number} to {number} & )?"
        r"(\d+)(?:--(\d+))? & (.*?) \\\\"
    )
    rows = re.findall(of_row, table, re.MULTILINE)
    ranks = {full[name]: (int(best), int(worst or best)) for _, best, worst, name in rows}
    tiers = {full[name]: int(tier) for tier, *_, name in rows if tier}
    one = {"n_clusters": 1} if "All systems are in one cluster" in paragraph else {}
    kappa = said("kappa", r"κ = (-?[\d.]+\d) \([^)]*\) between", paragraph)
    if kappa and view(app).certainty.is_official:  # counted as WMT's tables count, and says so
        once = judged_once(view(app).campaign, view(app).pair, view(app).selection)
        published = agreement_of(once, runs=0).published.inter.kappa
        assert kappa.pop("kappa") == pytest.approx(published, abs=0.0051)
    return {
        "order": tuple(ranks),
        "ranks": ranks,
        **({"tiers": tiers} if tiers else {}),
        **one,
        **said("n_clusters", r"fall into (\d+) cluster", paragraph),
        **said("judgments", r"([\d,]+) pairwise judgment", paragraph),
        **kappa,
    }


def all_pairs(app: AppTest) -> Facts:
    chosen = app.dataframe[0].value.set_index("pair").loc[language_pair(view(app).pair)]
    return {"n_clusters": int(chosen["clusters"]), "judgments": float(chosen["judgments"])}


PAGES: dict[str, tuple[Callable[[AppTest], Facts], dict[str, str]]] = {
    "result": (result, {}),
    "head-to-head": (head_to_head, {}),
    "what-if": (methods, {}),
    "what-if?radius": (radius, {"question": "Decision radius"}),
    "what-if?without": (without, {"question": "Without someone"}),
    "what-if?equal": (equal, {"question": "Equal within"}),
    "agreement": (agreement, {}),
    "next": (stop, {}),
    "next?batch": (batch, {"next__question": "Tasks to send"}),
    "share": (slides, {}),
    "share?paper": (paper, {"share": "For a paper"}),
    "all-pairs": (all_pairs, {}),
}


def pages_say(campaign: Campaign, pair: str, state: State = RECOMMENDED) -> dict[str, Facts]:
    found, session = {}, with_upload(campaign)
    for address, (read, link) in PAGES.items():
        if address == "all-pairs" and len(campaign.pairs) == 1:
            continue
        if address == "what-if?radius" and not len(campaign.judgments(pair)):
            continue
        chosen = {"campaign": UPLOADED, "pair": language_pair(pair), **state.link, **link}
        app = open_address(address.partition("?")[0], session, **chosen)
        assert not app.exception, (address, app.exception[0].stack_trace[-5:])
        assert not app.error, address
        assert view(app).pair == pair
        found[address] = read(app)
    return found


# What each command says -------------------------------------------------------------------------


def in_report(page: str, systems: tuple[str, ...]) -> Facts:
    """Read the report's table of standings: perhaps tier, then cluster and short name."""
    full = {short: name for name, short in short_names(systems).items()}
    table = page.split("<h2>Standings</h2>")[1].split("</table>")[0]
    rows = re.findall(
        r"<tr[^>]*>(?:<td[^>]*>\d+(?:, winner)?</td>)?"
        r"<td[^>]*>(\d+)(?:, winner)?</td><td[^>]*>(.*?)</td>",
        table,
    )
    lines = [(int(k), full[html.unescape(name)]) for k, name in rows]
    return ranked(pd.DataFrame(lines, columns=["cluster", "system"]))


def of_ranking(document: Mapping[str, Any]) -> Facts:
    """Read what ``rank --json`` and an archive say."""
    pairs, official = pd.DataFrame(document["pairs"]), document["ranges"] == "marginal"
    assert official == pairs["p_adjusted"].isna().all()
    assert (document["winner"] is not None) == (len(document["possible_winners"]) == 1)
    return {
        **ranked(pd.DataFrame(document["systems"])),
        **judged(pairs, "a", "b", pairs["verdict"] == "better"),
        "open_share": float(round(100 * (pairs["verdict"] != "better").mean())),
        "winners": len(document["possible_winners"]),
        "levels": document["clusters" if official else "tiers"],
        "n_clusters": document["clusters"],
        "judgments": document["judgments"],
    }


def commands_say(
    capsys: pytest.CaptureFixture[str],
    file: str,
    campaign: Campaign,
    pair: str,
    folder: Path,
    state: State,
) -> dict[str, Facts]:
    words = (file, "--pair", pair, *state.flags)
    document = answer(capsys, "rank", *words)
    compared = answer(capsys, "compare", *words)
    own = [one for one in compared["methods"] if one["method"] == document["method"]]
    target, proof = folder / "report.html", folder / "proof.zip"
    assert main(["report", *words, "-o", str(target), "--archive", str(proof)]) == 0
    with zipfile.ZipFile(proof) as kept:
        numbers = json.loads(kept.read("numbers.json"))
    capsys.readouterr()
    found = {
        "rank": of_ranking(document),
        "archive": of_ranking(numbers["rankings"][0]),
        "report": in_report(target.read_text(), campaign.judgments(pair).systems),
    }
    if own:
        found["compare"] = ranked(pd.DataFrame(own[0]["order"]))
    if state.is_official or not len(campaign.judgments(pair)):
        return found
    planned = answer(capsys, "plan", file, "--pair", pair)
    neighbors = [goal["systems"] for goal in planned["goals"] if goal["kind"] == "neighbors"]
    found["plan"] = {
        "order": (*(upper for upper, _ in neighbors), neighbors[-1][1]),
        "n_clusters": round(planned["curve"][0]["clusters"]),
        "levels": round(planned["curve"][0]["tiers"]),
    }
    return found


# They agree -------------------------------------------------------------------------------------


def agree(said: dict[str, Facts]) -> None:
    """Assert that all that is said twice is said alike."""
    for fact in sorted({name for one in said.values() for name in one}):
        known = {source: one[fact] for source, one in said.items() if fact in one}
        if fact == "order":  # a figure may show the first of many systems alone
            longest = max(known.values(), key=len)
            known = {s: longest if longest[: len(v)] == v else v for s, v in known.items()}
        (source, first), *others = known.items()
        for other, value in others:
            assert value == first, f"{fact}: {source} and {other} disagree"
    clusters = next(one["clusters"] for one in said.values() if "clusters" in one)
    for one in said.values():
        assert one.get("n_clusters", max(clusters.values())) == max(clusters.values())


def check(
    campaign: Campaign,
    file: str,
    pair: str,
    state: State,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
) -> None:
    capsys.readouterr()
    pages = pages_say(campaign, pair, state)
    agree(pages | commands_say(capsys, file, campaign, pair, folder, state))


@pytest.mark.parametrize(
    "other",
    [
        {"order": ("b", "a", "c")},
        {"clusters": {"a": 1, "b": 2, "c": 3}},
        {"n_clusters": 3},
        {"ranks": {"a": (1, 2)}},
        {"winners": 2},
        {"apart": frozenset({frozenset("ac")})},
        {"kappa": 0.2},
    ],
)
def test_a_contradiction_is_found(other: Facts) -> None:
    one = {
        "order": ("a", "b", "c"),
        "clusters": {"a": 1, "b": 2, "c": 2},
        "ranks": {"a": (1, 1)},
        "winners": 1,
        "apart": frozenset({frozenset("ab"), frozenset("ac")}),
        "kappa": 0.25,
    }
    agree({"one": one, "same": dict(one)})
    with pytest.raises(AssertionError):
        agree({"one": one, "same": dict(one), "other": other})


@pytest.mark.parametrize("state", [RECOMMENDED, WMT16], ids=["recommended", "official"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if n == "wmt14-cs-en" else pytest.mark.slow)
        for n in ("wmt13-fr-en", "wmt14-cs-en", "wmt14-en-de")
    ],
)
def test_no_page_and_no_command_contradicts_another_on_a_sample(
    name: str, state: State, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    campaign = sample_campaign(name)
    check(campaign, f"sample:{name}", campaign.pairs[0], state, capsys, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("state", [RECOMMENDED, OFFICIAL], ids=["recommended", "official"])
@pytest.mark.parametrize("name", ["arena-people", "mqm-ted"])
def test_nor_in_an_arena_or_a_campaign_of_scores(
    name: str, state: State, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    campaign = sample_campaign(name)
    check(campaign, f"sample:{name}", campaign.pairs[0], state, capsys, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [n for n in SAMPLES if n not in ("wmt13-fr-en", "wmt14-cs-en", "wmt14-en-de")]
)
def test_nor_do_pages_on_the_other_samples(name: str) -> None:
    campaign = sample_campaign(name)
    agree(pages_say(campaign, campaign.pairs[0]))


@pytest.mark.slow
def test_nor_with_a_method_whose_scores_are_resampled() -> None:
    campaign = sample_campaign("wmt14-cs-en")
    elo = RANKERS["elo"].title
    methods = [elo, RANKERS["expected-wins"].title]
    link: Mapping[str, str | list[str]] = {"method": elo, "runs": "100", "methods": methods}
    agree(pages_say(campaign, campaign.pairs[0], State(link, ())))


def test_an_official_procedure_counts_otherwise_than_the_recommended_rule(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ours, theirs = (
        of_ranking(answer(capsys, "rank", "sample:wmt14-cs-en", *state.flags))
        for state in (RECOMMENDED, OFFICIAL)
    )
    assert ours["apart"] != theirs["apart"]
    assert ours["clusters"] != theirs["clusters"]


@pytest.mark.parametrize(
    "command",
    ["what-if", "rank --equal-within .1", "what-if --better ONLINE-B --worse UEDIN-PHRASE"],
)
def test_a_command_that_needs_a_test_refuses_an_official_procedure(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *flags = command.split()
    code = main([name, "sample:wmt14-cs-en", *flags, *OFFICIAL.flags])
    assert code == 2
    assert "test of differences" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("state", [RECOMMENDED, OFFICIAL], ids=["recommended", "official"])
@pytest.mark.parametrize(
    ("file", "pairs"),
    [
        ("wmt13/fr-en.train.csv.gz", 1),
        ("wmt15/wmt15.xml.gz", 1),
        ("arena-judges/human.json.gz", 1),
    ],
)
def test_nor_on_a_real_campaign(
    file: str,
    pairs: int,
    state: State,
    campaigns_dir: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = read_path(campaigns_dir / file)[0]
    for pair in campaign.pairs[:pairs]:
        check(campaign, str(campaigns_dir / file), pair, state, capsys, tmp_path)
