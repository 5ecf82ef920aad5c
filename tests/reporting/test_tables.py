"""Tables that go out: names from data stay text in LaTeX and in spreadsheets."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.reporting.tables import escape_latex, guard_formula, to_csv, to_latex


@pytest.mark.parametrize("name", ["=cmd|'/c calc'!A1", "+1", "-2", "@SUM(A1)", "\tx"])
def test_a_name_that_a_spreadsheet_would_run_is_guarded(name: str) -> None:
    cell = to_csv(pd.DataFrame({"system": [name]})).splitlines()[1].strip('"')
    assert cell.startswith("'")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_negative_number_stays_a_number_in_csv(number: float) -> None:
    assert float(to_csv(pd.DataFrame({"score": [number]})).splitlines()[1]) == number


def test_every_latex_special_character_is_escaped() -> None:
    assert escape_latex(r"a_b&50%{x}$\y^~#") == (
        r"a\_b\&50\%\{x\}\$\textbackslash{}y\textasciicircum{}\textasciitilde{}\#"
    )


def test_a_comment_of_several_lines_stays_a_comment() -> None:
    source = to_latex(pd.DataFrame({"a": [1]}), comments=("first\nsecond",))
    assert source.splitlines()[:2] == ["% first", "% second"]


def test_a_missing_number_is_a_dash_in_latex() -> None:
    frame = pd.DataFrame({"system": ["x"], "rank": pd.array([pd.NA], dtype="Int64")})
    assert r"x & -- \\" in to_latex(frame)


@given(st.text(max_size=20))
def test_guarding_never_loses_text(text: str) -> None:
    assert guard_formula(text).endswith(text)
