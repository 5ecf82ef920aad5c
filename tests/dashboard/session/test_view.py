"""A view names the files that are saved of it."""

from __future__ import annotations

import dataclasses
import re

import pytest

from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import DEFAULT_CERTAINTY
from dashboard.compute import make_context
from dashboard.compute.uploads import sample
from dashboard.session.view import ViewContext


@pytest.fixture(scope="module")
def view() -> ViewContext:
    campaign = sample("wmt14-fr-en")
    return make_context(
        campaign,
        campaign.pairs[0],
        ExpectedWins(),
        DEFAULT_CERTAINTY,
        is_sample=True,
        label="a.csv.gz",
    )


def test_a_file_names_campaign_pair_method_and_content(view: ViewContext) -> None:
    assert view.file_name("standings", "csv") == f"a_{view.pair}_expected-wins_standings.csv"


@pytest.mark.parametrize(
    "label",
    ["../../etc/passwd", "C:\\x|y?.csv", "\n\x00<b>", "Übersetzung 2026", "日本", "x" * 300],
)
def test_a_file_name_is_safe_whatever_the_campaign_is_called(view: ViewContext, label: str) -> None:
    name = dataclasses.replace(view, label=label, pair="a/b").file_name("standings", "csv")
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*_standings\.csv", name)
    assert len(name) < 200


@pytest.mark.parametrize(
    ("label", "stem"),
    [
        ("a.csv, b.csv", "a-and-1-more"),
        ("scores-cs-en.csv.gz, scores-de-en.csv.gz", "scores"),
        ("fr-en.train.csv, fr-en.test.csv", "fr-en"),
        ("Tea, and biscuits", "Tea"),
    ],
)
def test_several_files_are_named_by_what_their_names_share(
    view: ViewContext, label: str, stem: str
) -> None:
    assert dataclasses.replace(view, label=label).file_name("x", "csv").startswith(f"{stem}_")
