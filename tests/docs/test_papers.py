"""The page of the papers: one row per item, each of which was run."""

from __future__ import annotations

import re

from tests.docs.papers import ITEMS, PAGE, STATUS, counts


def test_the_page_has_one_row_per_item_with_what_its_command_printed() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|(.*)\|$", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, len(ITEMS) + 1))
    for item, (_, row) in zip(ITEMS, rows, strict=True):
        paper, what, status, command, seconds, result = (cell.strip() for cell in row.split(" | "))
        assert (paper, what) == (item.paper, item.item)
        assert status.split(":")[0] == item.status
        assert command.startswith("`podium ")
        assert seconds.isdigit()
        assert result
        assert "failed" not in result
    assert counts() in page


def test_an_item_that_is_not_whole_says_what_is_missing() -> None:
    assert len(ITEMS) == 44
    assert all(item.status in STATUS for item in ITEMS)
    assert all(item.note for item in ITEMS if item.status != "yes")
