"""Standings: a year's official ranking of scores beside Podium's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from analysis.campaign import Campaign
from analysis.comparing.score_table import ScoreTable
from analysis.extras.procedures.findings import beside_own, measured_note, official_finding
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.extras.procedures.registry import PROCEDURES, procedure_named
from analysis.formats import read, read_path
from analysis.rankers.mean import Mean
from analysis.ranking.verdict import reach_verdict
from dashboard.extras.procedures.figures import official_figure
from dashboard.figures.theme import alt_text
from tests.drawing_text import drawn_text
from tests.opening import open_address, with_upload

EXAMPLE = Path(__file__).parents[3] / "data" / "examples" / "scores.csv"


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return read_path(str(EXAMPLE))[0]


def test_a_link_to_a_year_shows_its_ranking_and_what_its_rule_does(campaign: Campaign) -> None:
    page = open_address("result", with_upload(campaign), official="WMT24, error span annotation")
    assert not page.exception
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert heading.startswith("# By the rules of WMT24")
    assert "2 clusters" in heading
    told = " ".join(element.proto.body for element in page.get("html"))
    assert "domains that favor opposite systems" in told
    page.segmented_control(key="rule.scores").set_value("Recommended").run()
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert not heading.startswith("# By the rules")


def test_podium_s_own_test_is_valid_for_those_whom_the_file_names(campaign: Campaign) -> None:
    judgments = campaign.judgments()
    result, own = procedure_named("wmt24-esa").rank(judgments), reach_verdict(Mean().fit(judgments))
    assert "(all pairs together, new segments and judges), " in beside_own(result, own)
    unnamed = replace(own, missing={"judge": "The file names no judges."})
    assert "(all pairs together, new segments, but these judges only), " in beside_own(
        result, unnamed
    )


def test_recommended_is_shown_first_and_the_usual_rules_of_the_scale_in_a_line(
    campaign: Campaign,
) -> None:
    assert campaign.scores is not None
    scale = replace(campaign.scores.scale, name="ESA score")
    of_esa = campaign.with_scores(replace(campaign.scores, scale=scale))
    page = open_address("result", with_upload(of_esa))
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert not heading.startswith("# By the rules")
    assert "By the rules of WMT24, " in " ".join(e.proto.body for e in page.get("html"))
    rule = page.segmented_control(key="rule.scores")
    assert rule.options == ["Recommended", "WMT24 procedure"]
    rule.set_value("WMT24 procedure").run()
    assert page.selectbox(key="official").value == "WMT24, error span annotation"
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert heading.startswith("# By the rules of WMT24")


def test_the_official_view_of_all_language_pairs_has_the_clusters_of_each() -> None:
    head, *rows = EXAMPLE.read_text().splitlines()
    others = [row.replace("eng-deu", "eng-ces").replace("cedar", "elder") for row in rows]
    both = [head, *rows, *others]
    campaign, _ = read("\n".join(both).encode())
    year = "WMT24, error span annotation"
    page = open_address("all-pairs", with_upload(campaign), official=year)
    assert not page.exception
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert heading == "# By the rules of WMT24, 2 language pairs have 4 clusters"
    table = page.dataframe[0].value
    assert table.groupby("lang_pair")["cluster"].max().tolist() == [2, 2]
    assert sorted(table["system"]) == sorted(["alder", "birch", "cedar", "alder", "birch", "elder"])
    page.segmented_control(key="rule.scores").set_value("Recommended").run()
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert "rules" not in heading


def test_the_official_view_names_references_that_are_left_out() -> None:
    rows = [f"{k},{s},ann,{50 + k}" for k in range(8) for s in ("a", "b", "refA")]
    campaign, _ = read("\n".join(["segment,system,judge,score", *rows]).encode())
    for years in ({}, {"official": "WMT24, error span annotation"}):
        page = open_address("result", with_upload(campaign), **years)
        assert not page.exception
        said = " ".join(element.value for element in page.caption)
        assert "refA is left out" in said
        assert page.button(key="rank-references")


def test_errors_have_their_own_procedure_and_the_link_keeps_the_choice(
    campaign: Campaign,
) -> None:
    assert campaign.scores is not None
    scale = replace(campaign.scores.scale, name="MQM score")
    of_errors = campaign.with_scores(replace(campaign.scores, scale=scale))
    page = open_address("result", with_upload(of_errors), rule__scores="MQM procedure")
    (heading,) = (m.value for m in page.markdown if m.value.startswith("# "))
    assert heading.startswith("# By the rules of MQM")
    assert page.segmented_control(key="rule.scores").options == ["Recommended", "MQM procedure"]
    told = " ".join(element.proto.body for element in page.get("html"))
    assert "Checked against the campaign" not in told


def test_many_systems_of_the_first_cluster_are_counted_not_named() -> None:
    procedure = procedure_named("wmt24-esa")
    systems = tuple("abcdef")
    beats = np.zeros((6, 6), dtype=bool)
    beats[:5, 5] = True
    clusters = np.array([1, 1, 1, 1, 1, 2])
    result = cast(
        ProcedureResult,
        SimpleNamespace(
            procedure=procedure, systems=systems, order=np.arange(6), clusters=clusters,
            beats=beats, n_clusters=2,
        ),
    )  # fmt: skip
    assert official_finding(result) == (
        "By the rules of WMT24, 5 systems share the first of 2 clusters; 5 of 15 pairs are won."
    )


def test_rankings_have_no_official_ranking_of_scores() -> None:
    page = open_address("result", method="Expected Wins")
    assert not [control for control in page.segmented_control if control.key == "rule.scores"]


def test_the_figure_draws_a_line_for_each_system_and_one_between_clusters(
    campaign: Campaign,
) -> None:
    judgments = campaign.judgments()
    assert judgments.scores is not None
    table = ScoreTable.of(judgments.scores, judgments.systems)
    result = procedure_named("wmt22-appraise").run(table)
    figure = official_figure(result, own=None, own_title="Mean", names={}, mode="light")
    lines = {trace.y[0]: tuple(trace.x) for trace in figure.data if trace.name == "thin"}
    (dots,) = (trace for trace in figure.data if trace.name == "now")
    ends = {text.split("<")[1][2:]: lines[row] for text, row in zip(dots.text, dots.y, strict=True)}
    assert ends == {"alder": (1, 2), "birch": (1, 2), "cedar": (3, 3)}
    assert list(dots.x) == [1, 2, 3]
    assert [shape.y0 for shape in figure.layout.shapes] == [1.5]
    assert "cedar 3" in alt_text(figure)


def test_the_figure_draws_the_ranges_of_the_own_verdict_as_gray_bars(campaign: Campaign) -> None:
    judgments = campaign.judgments()
    own = reach_verdict(Mean().fit(judgments))
    assert judgments.scores is not None
    table = ScoreTable.of(judgments.scores, judgments.systems)
    result = procedure_named("wmt22-appraise").run(table)
    figure = official_figure(result, own=own, own_title="Mean", names={}, mode="light")
    (ticks,) = (trace for trace in figure.data if trace.name == "before")
    ranked = [own.systems[k] for k in own.order]
    rows = [result.systems[k] for k in result.order]
    assert [rows[y] for y, x in zip(ticks.y, ticks.x, strict=True)] == rows
    assert [ranked[int(x) - 1] for x in ticks.x] == rows
    assert "gray bar: Podium, Mean" in drawn_text(figure)


@pytest.mark.parametrize("name", PROCEDURES)
def test_what_was_measured_stands_in_the_recorded_table(name: str) -> None:
    note = measured_note(procedure_named(name))
    assert "13 equal systems" in note
    assert "half a standard deviation" in note
