"""``slices`` and ``effects``: the numbers of the page Slices, for machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.extras.slices.by_slice import attribute_to_cut, by_slice
from analysis.extras.slices.effects import style_beside_plain
from analysis.formats import read_path
from analysis.rankers.mean import Mean
from tests.command_line import answer, run

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"
SCORES, ARENA = str(EXAMPLES / "scores.csv"), str(EXAMPLES / "arena-2025.jsonl")


def test_parts_stand_side_by_side_with_the_numbers_of_the_page(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "slices", SCORES, "--by", "domain")
    judgments = read_path(SCORES)[0].judgments()
    found = by_slice(judgments, attribute_to_cut(judgments, "domain"), Mean())
    assert [part["part"] for part in document["parts"]] == list(found.parts)
    assert [part["slice"] for part in document["parts"]] == list(found.slices)
    for k, row in enumerate(document["systems"]):
        assert row["system"] == found.systems[k]
        assert list(row["scores"].values()) == pytest.approx(found.scores[:, k])
        assert list(row["half_widths"].values()) == pytest.approx(found.half[:, k])
    assert [one["p_adjusted"] for one in document["differences"]] == pytest.approx(
        [one.p_adjusted for one in found.differences]
    )
    assert sum(one["told"] for one in document["differences"]) == len(found.told)


def test_effects_are_those_of_the_page_with_their_intervals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = answer(capsys, "effects", ARENA)
    style = style_beside_plain(read_path(ARENA)[0].judgments(), "position,tokens")
    assert [one["name"] for one in document["effects"]] == ["position", "tokens"]
    for name, column in (("effect", style.effects.values), ("ci_low", style.effects.low)):
        assert [one[name] for one in document["effects"]] == pytest.approx(column)
    assert [one["adjusted"] for one in document["systems"]] == pytest.approx(style.even)


@pytest.mark.parametrize(
    ("words", "got"),
    [
        (
            ("slices", str(EXAMPLES / "arena.csv")),
            "it has no column to slice by, such as domain, document or length. "
            "To see slices: podium slices sample:mqm-ted.",
        ),
        (("slices", SCORES, "--by", "color"), "--by: 'color' is not known. Choose one of"),
        (("effects", SCORES), "do not show which output came first"),
        (("effects", ARENA, "--held-even", "math"), "only numbers"),
    ],
)
def test_what_cannot_be_cut_or_held_even_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], got: str
) -> None:
    code, _, error = run(capsys, *words)
    assert code == 2
    assert got in error
    assert error.count("\n") == 1
