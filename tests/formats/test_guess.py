"""The guess of unknown tables is right or unsure, and never wrong and sure."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from analysis.errors import PodiumError
from analysis.formats import guess_file, read_many
from tests.formats.study_tables import TABLES
from tests.formats.tables import Found

RIGHT_AT_LEAST = 0.85
"""Share of the tables with judgments that are read by a sure guess."""


def test_numbers_of_rows_and_places_of_clicks_are_no_attributes() -> None:
    head = ",WorkerId,HITId,Input.system1,Input.system2,Answer.best,"
    head += "Answer.clicks.clicks.1.click_x,Answer.clicks.clicks.2.click_x,genre"
    draw, rows = np.random.default_rng(4), []
    for k in range(150):
        one, other = draw.choice(["sys0", "sys1", "sys2", "sys3"], 2, replace=False)
        cells = (k % 50, f"W{k % 7}", f"H{k // 3}", one, other, draw.choice(["A", "B"]))
        rows.append((*cells, *draw.integers(9, 800, 2), ("news", "chat")[k // 3 % 2]))
    text = "\n".join([head, *(",".join(map(str, row)) for row in rows)])
    _, guess = guess_file(text.encode(), "votes.csv")
    assert guess.profile.attributes == ()
    assert guess.profile.outputs == ()


@cache
def read_auto(name: str):
    made = TABLES[name](np.random.default_rng(sum(map(ord, name))))
    try:
        campaign, report = read_many([(name, made.data)], mapping="auto")
    except PodiumError:
        return made, None, None
    return made, campaign, report


def best_of(campaign) -> str:
    """Return the system with most wins, or the highest mean."""
    judgments = campaign.judgments(campaign.pairs[0])
    wins = judgments.counts.wins
    share = wins.sum(axis=1) / np.maximum(wins.sum(axis=1) + wins.sum(axis=0), 1)
    if judgments.scores is not None:
        scores = judgments.scores
        k = range(judgments.n_systems)
        share = np.array([scores.goodness[scores.system == s].mean() for s in k])
    return judgments.systems[int(np.argmax(share))]


def wrong(found: Found, campaign) -> list[str]:
    said = []
    if set(campaign.systems) != found.systems:
        said.append(f"systems {campaign.systems}")
    if found.judges is not None and len(campaign.judges) != found.judges:
        said.append(f"{len(campaign.judges)} judges, not {found.judges}")
    if found.segments is not None and len(campaign.segments) != found.segments:
        said.append(f"{len(campaign.segments)} segments, not {found.segments}")
    if {name for name, _ in campaign.criteria} != set(found.criteria):
        said.append(f"criteria {[name for name, _ in campaign.criteria]}")
    if found.best and best_of(campaign) != found.best:
        said.append(f"{best_of(campaign)} is best, not {found.best}")
    return said


@pytest.mark.parametrize("name", TABLES)
def test_a_guess_is_right_or_unsure(name):
    made, campaign, _ = read_auto(name)
    if campaign is None:
        return
    assert made.found is not None, f"{name} has no judgments, and {campaign.systems} were read"
    assert not made.more.get("ambiguous"), "which side a number means is not in the table"
    assert wrong(made.found, campaign) == []


def test_most_tables_with_judgments_are_read_by_a_sure_guess():
    readable = [
        name for name, make in TABLES.items()
        if (made := make(np.random.default_rng(0))).found and not made.more.get("ambiguous")
    ]  # fmt: skip
    unread = [name for name in readable if read_auto(name)[1] is None]
    assert len(unread) <= (1 - RIGHT_AT_LEAST) * len(readable), unread


READ = (
    "outputs_shared_by_systems_with_blanks",
    "outputs_shared_by_systems_with_bars",
    "scores_in_a_cell_of_outputs_shared_by_systems",
    "combined_systems_next_to_their_parts",
    "toloka_scores",
    "toloka_choices",
    "compressors_judged_by_workers",
    "columns_called_as_well_known_systems",
    "grades_by_judge_in_columns_of_well_known_systems",
    "numbered_outputs_in_named_records",
    "human_score_next_to_those_of_programs_by_system",
    "criteria_within_records_of_models",
    "models_in_a_column_called_source",
    "winners_by_name_for_pairs_in_a_cell",
    "systems_with_signs_behind_an_item",
    "verdicts_on_criteria_of_systems_within_an_id",
    "answers_that_are_not_grounded",
    "one_of_two_is_better_by_criterion",
    "winners_by_criterion_and_rater",
)


@pytest.mark.parametrize("name", READ)
def test_tables_that_say_what_they_mean_are_read(name):
    assert read_auto(name)[1] is not None
