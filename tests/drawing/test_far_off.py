"""One system far from the others leaves the axis to them; ordinary campaigns are shown whole."""

from __future__ import annotations

import re

import numpy as np
import pytest

from analysis.campaign import Judgments
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.answers import sides_off
from analysis.drawing.look import Look
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import far_off
from analysis.drawing.small_multiples import pair_svg
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg
from analysis.findings.changes import Answer
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import rank
from analysis.samples import SAMPLES, sample_campaign
from analysis.wording import significant
from dashboard.figures.scenes import answer_figure
from tests.building import CampaignBuilder


def test_the_fewest_systems_that_squeeze_the_others_are_off_at_either_end() -> None:
    near = np.linspace(0, 1, 30)
    assert far_off(np.append(near, -9.0)).tolist() == [0] * 30 + [-1]
    assert far_off([*near, 9.0, 9.5]).tolist() == [0] * 30 + [1, 1]
    assert far_off([*near, 9.0, -90.0]).tolist() == [0] * 30 + [1, -1]
    assert not far_off([*near, 3.0]).any(), "a quarter of the axis is enough"
    assert not far_off(np.array([0.0, 0.1, np.nan, 9.0])).any(), "too few to be others"
    assert not far_off([1.0] * 9).any()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_are_shown_whole(name: str) -> None:
    campaign = sample_campaign(name)
    assert not far_off(rank(campaign.judgments(), ExpectedWins()).scores).any()


def lopsided() -> Judgments:
    builder = CampaignBuilder()
    for task in range(60):
        for k in range(5):
            ranks = [1 + (task + k) % 2, 2 - (task + k) % 2]
            builder.add_task("de-en", f"{task}", "j", [(f"s{k}",), (f"s{(k + 1) % 5}",)], ranks)
            builder.add_task("de-en", f"{task}", "j", [(f"s{k}",), ("last",)], [1, 2])
    return builder.build().judgments()


def test_the_picture_points_to_what_is_off_and_says_its_score() -> None:
    ranking = rank(lopsided(), ExpectedWins())
    assert far_off(ranking.scores).tolist().count(-1) == 1
    scene = standings_scene(ranking, {}, "score")
    assert [row.side for row in scene.rows] == [0] * 5 + [-1]
    svg = figure_svg(rows_json(scene, Look()))
    assert svg.count("<polygon") == 1
    (tips,) = re.findall('<polygon points="([^"]+)"', svg)
    dots = [float(x) for x in re.findall('<circle cx="([^"]+)"', svg)]
    assert max(float(tip.partition(",")[0]) for tip in tips.split()) < min(dots), "at the left end"
    assert f">{significant(float(ranking.scores.min()))}</text>" in svg
    assert svg.count("<circle") == 5 + len(ranking.systems), "scores, then ranks"


def test_small_pictures_and_the_answers_of_what_if_cut_the_axis_as_the_standings_do() -> None:
    ranking = rank(lopsided(), ExpectedWins())
    names = {name: name for name in ranking.systems}
    result = PairResult("de-en", names, ranking.judgments, ranking)
    assert pair_svg(result).count("<polygon") == 1
    answer = Answer.from_ranking(ranking)
    assert list(sides_off(answer, slice(None))) == ["last"]
    colors = dict.fromkeys(names, "#000000")
    cut, whole = (
        answer_figure(
            answer, answer, names=names, colors=colors, score_label="score", mode="light",
            title="t", cut=is_cut,
        )
        for is_cut in (True, False)
    )  # fmt: skip
    lowest = float(ranking.scores.min())
    assert cut.layout.xaxis.range[0] > lowest > whole.layout.xaxis.range[0]
