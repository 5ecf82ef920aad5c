"""Tables that go out: names from data stay text in LaTeX and in spreadsheets."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.cli.output import text_table
from analysis.escaping import as_cell, as_latex
from analysis.reporting.csv_table import to_csv
from analysis.reporting.latex import to_latex
from tests.typesetting import needs_latex, set_in_latex


@pytest.mark.parametrize("name", ["=cmd|'/c calc'!A1", "+1", "-2", "@SUM(A1)", "\tx"])
def test_a_name_that_a_spreadsheet_would_run_is_guarded(name: str) -> None:
    cell = to_csv(pd.DataFrame({"system": [name]})).splitlines()[1].strip('"')
    assert cell.startswith("'")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_negative_number_stays_a_number_in_csv(number: float) -> None:
    assert float(to_csv(pd.DataFrame({"score": [number]})).splitlines()[1]) == number


def test_every_latex_special_character_is_escaped() -> None:
    assert as_latex(r"a_b&50%{x}$\y^~#") == (
        r"a\_b\&50\%\{x\}\$\textbackslash{}y\textasciicircum{}\textasciitilde{}\#"
    )


def test_a_comment_of_several_lines_stays_a_comment() -> None:
    source = to_latex(pd.DataFrame({"a": [1]}), comments=("first\nsecond",))
    assert source.splitlines()[1:3] == ["% first", "% second"]


def test_a_missing_number_is_a_dash_in_latex() -> None:
    frame = pd.DataFrame({"system": ["x"], "rank": pd.array([pd.NA], dtype="Int64")})
    assert r"x & -- \\" in to_latex(frame)


@given(st.text(max_size=20))
def test_guarding_never_loses_text(text: str) -> None:
    assert as_cell(text).replace("'", "") == text.replace("'", "")


def test_a_column_s_name_is_guarded_like_a_cell() -> None:
    head = next(csv.reader(io.StringIO(to_csv(pd.DataFrame([[1, 2]], columns=["=1+1", "a;=1"])))))
    assert head == ["'=1+1", "a;'=1"]


@pytest.mark.parametrize("name", ["＝1+1", "＠SUM(A1)", "a;=1+1", "a\n=1+1"])
def test_full_width_signs_and_signs_after_a_semicolon_are_guarded(name: str) -> None:
    cell = next(iter(csv.DictReader(io.StringIO(to_csv(pd.DataFrame({"system": [name]}))))))
    assert cell["system"] == as_cell(name) != name


def test_every_row_of_a_csv_carries_the_signature() -> None:
    text = to_csv(pd.DataFrame({"system": ["a", "b"]}), "method:elo|seed:0")
    assert list(pd.read_csv(io.StringIO(text))["signature"]) == ["method:elo|seed:0"] * 2


def standings(*names: str, clusters: tuple[int, ...] = ()) -> pd.DataFrame:
    n = len(names)
    return pd.DataFrame(
        {
            "system": names,
            "score": [1 - k / 10 for k in range(n)],
            "se": [0.01] * n,
            "rank_best": pd.array(range(1, n + 1), dtype="Int64"),
            "rank_worst": pd.array([min(k + 2, n) for k in range(n)], dtype="Int64"),
            "cluster": pd.array(clusters or [1] * n, dtype="Int64"),
        }
    )


def test_standings_have_the_form_of_wmt_with_a_line_between_clusters() -> None:
    lines = to_latex(standings("x.a.1", "x.b.1", "x.c.1", clusters=(1, 1, 2))).splitlines()
    assert lines[3:9] == [
        r"Score & Range & System \\",
        r"\midrule",
        r"1.000 & 1--2 & a \\",
        r"0.900 & 2--3 & b \\",
        r"\midrule",
        r"0.800 & 3 & c \\",
    ]


def test_intervals_and_scores_of_hundreds_are_written_as_leaderboards_do() -> None:
    frame = standings("a", "b").assign(
        tier=1, score=[1238.9, 812.0], ci_low=[1226.8, 800.1], ci_high=[1251.0, 824.2]
    )
    assert r"1 & 1,239 & 1,227 to 1,251 & 1--2 & a \\" in to_latex(frame)


def test_a_square_table_has_numbers_for_heads() -> None:
    square = pd.DataFrame({"system": ["a_x", "b_x"], "a_x": [None, 0.4], "b_x": [0.6, None]})
    lines = to_latex(square).splitlines()
    assert lines[3] == r"system & 1 & 2 \\"
    assert lines[5] == r"1 a\_x & -- & 0.600 \\"


def test_the_caption_stands_above_the_table_and_has_a_label() -> None:
    source = to_latex(standings("a", "b"), caption="Who won.", label="standings")
    assert source.index(r"\caption{Who won.}\label{tab:standings}") < source.index(
        r"\begin{tabular}"
    )
    assert source.startswith("% Needs \\usepackage{booktabs}\n")


@pytest.mark.parametrize("name", ["[base]", "*star", "--- three", "``quoted''"])
def test_a_name_is_no_argument_of_the_line_before(name: str) -> None:
    source = to_latex(pd.DataFrame({"system": [name, name]}))
    rows = source.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert not [row for row in rows if row[0] in "[*"]
    assert all(row.startswith("{}") == (name[0] in "[*") for row in rows)
    assert "---" not in source
    assert "``" not in source


def test_a_table_for_a_paper_has_signs_words_and_short_names() -> None:
    frame = pd.DataFrame(
        {
            "upper": ["newstest.online-A.0.fr-en", "newstest.uedin.27.fr-en"],
            "difference": [-0.25, np.nan],
            "judgments": [12345, -1],
            "significant": [True, False],
        }
    )
    lines = to_latex(frame).splitlines()
    assert lines[3] == r"upper & difference & judgments & significant \\"
    assert lines[5:7] == [
        r"online-A & $-$0.250 & 12,345 & yes \\",
        r"uedin & -- & $-$1 & no \\",
    ]


def test_of_head_to_head_a_paper_has_each_pair_once() -> None:
    frame = pd.DataFrame({"row": ["a", "b"], "column": ["b", "a"], "share": [0.6, 0.4]})
    assert to_latex(frame).count(r"\\") == 2


@pytest.mark.parametrize(("n", "size"), [(40, ""), (41, r"\footnotesize"), (62, r"\scriptsize")])
def test_a_table_fits_a_page_by_smaller_letters(n: int, size: str) -> None:
    source = to_latex(pd.DataFrame({"score": range(n)}), caption="c")
    assert source.count(r"\\") == n + 1
    assert [line for line in source.splitlines() if line.endswith("size")] == [size] * bool(size)


def test_a_table_longer_than_a_page_says_how_many_rows_it_leaves_out() -> None:
    source = to_latex(pd.DataFrame({"score": range(100), "system": "x"}))
    assert source.count(r"\\") == 63
    assert "and 39 more rows" in source
    assert "60 & x" in source
    assert "61 & x" not in source
    assert r"\multicolumn{2}{l}" in source


ATTACKS = (
    "[base]", "*star", "[3cm]", "---", r"\input{/etc/passwd}", "%", "$x$", "a&b", "{", "}", "#1",
    "^^41", "a\nb", "\x1b[2J", "\u202eevil", "~", "it's \"so\"", "<b>", "->", "-", "", "\\",
)  # fmt: skip


@pytest.mark.slow
@needs_latex
def test_every_kind_of_table_compiles_and_fits_the_page(tmp_path: Path) -> None:
    names = [f"newstest2014.{a}.{k}.fr-en" for k, a in enumerate(ATTACKS)]
    wide = pd.DataFrame({"system": names, **{f"column number {k}": names for k in range(8)}})
    square = pd.DataFrame([[0.5] * len(names)] * len(names), columns=names)
    square.insert(0, "system", names)
    long = pd.DataFrame({"a": [*names] * 5, "rank_best": range(5 * len(names)), "p_top_3": 0.5})
    tables = [
        to_latex(pd.DataFrame({"system": ATTACKS}), caption="Names % & [x]", label="names"),
        to_latex(standings(*ATTACKS, clusters=tuple(range(len(ATTACKS)))), caption="Standings."),
        to_latex(standings(*ATTACKS)),
        to_latex(wide, caption="Wide."),
        to_latex(square, caption="Square."),
        to_latex(long, caption="Long.", label="long", comments=("a\nb", "\\end{document}")),
    ]
    set_in_latex(tables, tmp_path)


def test_no_p_value_is_printed_as_0_and_csv_keeps_it_whole() -> None:
    """A claim of certainty of 0.000 would be one that no test can make."""
    frame = pd.DataFrame({"a": ["x"], "p": [3.2e-7], "p_adjusted": [0.0123456789], "score": [0.0]})
    for shown in (text_table(frame).splitlines()[-1], to_latex(frame).splitlines()[5]):
        words = shown.replace(r"\textless{}", "<")
        assert re.search("< 0?.001", words)
        assert (".012" in words, "0.0123" in words) == (True, False)
    assert to_csv(frame).splitlines()[1] == "x,3.2e-07,0.0123456789,0.0"
