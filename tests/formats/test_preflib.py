"""PrefLib's orders, in its newer and its older way of writing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.errors import PodiumError
from analysis.formats import read, read_path
from tests.campaign.test_campaign import rows_of

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
HEAD = "# DATA TYPE: {kind}\n" + "".join(
    f"# ALTERNATIVE NAME {k}: {name}\n" for k, name in enumerate("abc", 1)
)


def orders(*lines: str, kind: str = "toi") -> bytes:
    return (HEAD.format(kind=kind) + "\n".join(lines) + "\n").encode()


def test_each_voter_is_a_ranking_and_braces_are_ties() -> None:
    campaign, report = read(orders("2: 3,{1,2}"))
    assert report.format == "preflib"
    assert campaign.n_tasks == 2
    rows = [row[:3] for row in rows_of(campaign.judgments())]
    assert sorted(rows) == [("a", "b", 0)] * 2 + [("c", "a", 1)] * 2 + [("c", "b", 1)] * 2


def test_what_an_order_does_not_name_is_not_compared() -> None:
    campaign, report = read(orders("1: 2,1", "1: 1,2,3"))
    assert np.diff(campaign.task_start).tolist() == [2, 3]
    assert [oddity.kind for oddity in report.oddities] == ["incomplete-orders"]


def test_the_examples_are_read_whole() -> None:
    newer, report = read_path(EXAMPLES / "preflib.toi")
    assert (newer.n_tasks, report.n_left_out) == (30, 0)
    older, report = read_path(EXAMPLES / "preflib.soc")
    assert (older.n_tasks, report.n_left_out) == (12, 0)
    assert set(older.systems) == {"oak", "elm", "ash", "fir"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1: 1,x", "cannot be read"),
        ("1: 1,{2", "cannot be read"),
        ("1: 1,1", "cannot be read"),
        ("nobody", "cannot be read"),
        ("1: 1,4", "not listed"),
        ("3: 2", "single system"),
    ],
)
def test_an_order_that_cannot_be_used_is_told_with_its_line(line: str, reason: str) -> None:
    campaign, report = read(orders("1: 1,2,3", line))
    assert campaign.n_tasks == 1
    (left_out,) = report.left_out
    assert reason in left_out.reason
    assert left_out.places[0] == 6


def test_other_data_of_preflib_are_refused() -> None:
    with pytest.raises(PodiumError, match="wmd data are not orders"):
        read(orders("1: 1,2", kind="wmd"))


def test_categories_are_orders_with_ties() -> None:
    campaign, report = read(orders("2: {1,2},{3}", kind="cat"))
    assert campaign.judgments().n_ties == 2
    assert "the first category the best" in " ".join(report.sentences())


def test_orders_of_hundreds_of_alternatives_are_read() -> None:
    names = "".join(f"# ALTERNATIVE NAME {k}: a{k}\n" for k in range(1, 301))
    order = ",".join(map(str, range(1, 301)))
    campaign, _ = read(f"# DATA TYPE: soi\n{names}1: {order}\n".encode())
    assert len(campaign.judgments()) == 300 * 299 // 2
