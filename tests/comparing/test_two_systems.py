"""The judgments behind a cell are those that the cell counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis.campaign import Campaign, Selection
from analysis.comparing.head_to_head import head_to_head
from analysis.comparing.two_systems import TIE_WORD, judgments_between
from analysis.errors import PodiumError
from analysis.samples import sample_campaign


def test_every_cell_counts_as_many_judgments_as_stand_behind_it() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    table = head_to_head(judgments.counts, judgments.systems)
    for i, row in enumerate(judgments.systems):
        for j, column in enumerate(judgments.systems):
            if i == j:
                continue
            preferred = judgments_between(judgments, row, column)["preferred"].value_counts()
            assert preferred.get(row, 0) == table.wins[i, j]
            assert preferred.get(column, 0) == table.wins[j, i]
            assert preferred.get(TIE_WORD, 0) == table.ties[i, j]


def test_an_output_of_two_systems_stands_behind_the_cells_of_both(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign(
        [("7", "ann", {"x+y": 1, "z": 2}), ("8", "bob", {"z": 1, "x": 2}), ("9", "bob", {"y": 1})]
    )
    judgments = campaign.judgments(selection=Selection(identical="collapsed"))
    assert judgments_between(judgments, "z", "y").to_dict("records") == [
        {"segment": "7", "judge": "ann", "preferred": "y", "shown_left": "y"}
    ]
    assert judgments_between(judgments, "x", "z")[["segment", "preferred", "shown_left"]].to_dict(
        "list"
    ) == {"segment": ["7", "8"], "preferred": ["x", "z"], "shown_left": ["x", "z"]}


def test_a_system_that_does_not_count_is_named() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    with pytest.raises(PodiumError, match="nobody"):
        judgments_between(judgments, "nobody", judgments.systems[0])
