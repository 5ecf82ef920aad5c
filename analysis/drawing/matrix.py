"""Head to head as a scene: a square of cells in standings order, the row against the column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray, IntArray
from analysis.campaign.counts import THIN_PAIR
from analysis.colors import DIVERGING, SEQUENTIAL
from analysis.comparing.head_to_head import HeadToHead
from analysis.drawing.cells import Cells, Scale, cells_json
from analysis.drawing.look import Look
from analysis.drawing.sketch import Part
from analysis.escaping import as_html
from analysis.findings.head_to_head import differ
from analysis.ranking.significance import MARKS
from analysis.ranking.verdict import Verdict
from analysis.wording import p_value, percent, thousands

View = Literal["observed", "predicted", "difference", "counts", "significance"]
"""What the cells hold."""

MOST_WITH_TEXT = 26
"""Systems of a matrix that has numbers in its cells."""
CONFIRMED, AGAINST, EXPLORATORY, THESE_JUDGES = "•", "×", "°", "§"
"""Marks of a share, which the shipped typeface has: the two systems differ significantly; they do,
but the share is on the other side; in the exploratory layer alone; for few judges only."""


def matrix_scene(
    table: HeadToHead,
    predicted: FloatArray | None,
    view: View,
    *,
    verdict: Verdict | None,
    names: Mapping[str, str],
    title: str,
    clusters: Sequence[int] | None = None,
    printed: bool = False,
) -> Cells:
    """Return one view of the table in the table's order.

    Marks show which pairs the ``verdict`` confirms and which its exploratory layer alone names;
    if ``printed``, what the sign test of each pair gives. A share of few judgments is pale.
    """
    n = len(table.systems)
    predicted = np.full((n, n), np.nan) if predicted is None else predicted
    starts = [] if clusters is None else [k for k in range(1, n) if clusters[k] != clusters[k - 1]]
    shown = tuple(names.get(system, system) for system in table.systems)
    cells = _cells(table, predicted, view, verdict, printed)
    if n > MOST_WITH_TEXT:
        marked = view == "significance"
        cells |= dict(texts=None, key="" if marked else cells["key"].partition(";")[0])
    return Cells(
        rows=shown,
        columns=shown,
        words=_words(table, predicted, verdict, shown),
        boundaries=tuple(starts),
        title=title,
        alt=f"{title}. {n} by {n} systems in standings order; the table below has every number.",
        ids=table.systems,
        **cells,
    )


def matrix_json(scene: Cells, look: Look, *, chosen: tuple[str, str] | None = None) -> Part:
    """Return the picture of a matrix as Plotly JSON; ``chosen`` frames the cell of two systems."""
    n = len(scene.ids)
    return cells_json(
        scene,
        look,
        height=_row_height(n),
        least=32 if n <= MOST_WITH_TEXT else 8,
        angle=-45 if n > 4 else 0,
        chosen=chosen,
    )


def fitted_matrix(scene: Cells, look: Look, height: float) -> Part:
    """Return the picture of a matrix, so many pixels high, its columns named by their numbers.

    Its digits have the size of text where rows are high enough for that.
    """
    scene = replace(scene, key=scene.key.replace("; ", "\n"))
    lines = scene.key.count("\n") + 1
    sizes = look.sizes
    for small in (sizes.text, sizes.small):
        rows = (height - 28 - (1.5 + 1.4 * lines) * small) / len(scene.rows)
        if rows >= 1.3 * small:
            break
    look = replace(look, sizes=replace(sizes, small=small))
    return cells_json(scene, look, height=min(rows, MOST_HEIGHT), least=8, angle=0)


MOST_HEIGHT = 60
"""Pixels of a row."""


def _row_height(n: int) -> int:
    return 60 if n <= 5 else 44 if n <= 10 else 34 if n <= 18 else 28 if n <= 26 else 15


def _cells(
    table: HeadToHead,
    predicted: FloatArray,
    view: View,
    verdict: Verdict | None,
    printed: bool,
) -> dict[str, Any]:
    n = len(table.systems)
    diagonal = np.eye(n, dtype=bool)
    bar: dict[str, Any]
    scale: Scale = DIVERGING
    pale = f"paler under {THIN_PAIR} decided"
    if view in ("observed", "predicted"):
        values = np.where(diagonal, np.nan, table.share if view == "observed" else predicted)
        marks, key = np.full((n, n), ""), "Percent that the row should win, without ties"
        if view == "observed":
            marks, words = _marks(table, verdict, printed)
            won = "of segments on which the row was rated better" if table.of_ratings else ""
            key = f"Percent {won or 'that the row won'}, without ties; {pale}{words}"
        texts = _percent_texts(values, marks)
        if view == "observed":
            values = 0.5 + (values - 0.5) * _fullness(table)
        low, high, bar = 0.0, 1.0, _bar("row wins", tickformat=".0%")
    elif view == "difference":
        values = table.share - predicted
        texts, values = _signed_texts(values), values * _fullness(table)
        high = max(float(np.nanmax(np.abs(values), initial=0.0)), 0.05)
        low, bar = -high, _bar("observed − predicted", tickformat="+.0%")
        key = f"Observed minus predicted percent, without ties; {pale}"
    elif view == "counts":
        values = np.where(diagonal | (table.compared == 0), np.nan, table.compared)
        texts = np.where(np.isnan(values), "", np.char.mod("%.0f", np.nan_to_num(values)))
        low, high, scale = 0.0, float(np.nanmax(values, initial=1.0)), SEQUENTIAL
        bar, key = _bar("compared"), "How often the two were compared, ties included"
        if table.of_ratings:
            bar, key = _bar("segments"), "Segments that have ratings of both"
    elif printed:
        values = _strength(table)
        texts = np.where(np.isnan(values), "", np.where(table.mark == "", "·", table.mark))
        low, high, bar = -3.5, 3.5, _bar_of_verdicts(3)
        key = f"Blue: the row is better; orange: worse; · not separated. {SIGN_TEST_KEY}"
    else:
        values = np.full((n, n), np.nan) if verdict is None else table.verdicts(verdict)
        texts = np.select([values > 0, values < 0, values == 0], ["+", "−", "·"], "")
        if verdict is not None:
            texts = np.where((weak := weaker_marks(table, verdict)) != "", weak, texts)
        low, high, bar = -1.2, 1.2, _bar_of_verdicts(1)
        is_official = verdict is not None and verdict.is_official
        better = "ranks above; − below" if is_official else "is significantly better; − worse"
        key = f"+ the row {better}; · not separated{_weaker_words(verdict, texts)}"
    return dict(values=values, texts=texts, low=low, high=high, scale=scale, bar=bar, key=key)


SIGN_TEST_KEY = "* p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01: sign test of each pair"


def _bar(title: str, **bar: Any) -> dict[str, Any]:
    return dict(title=dict(text=title), **bar)


def _bar_of_verdicts(most: int) -> dict[str, Any]:
    return _bar("row", tickvals=[-most, 0, most], ticktext=["worse", "not separated", "better"])


def _fullness(table: HeadToHead) -> FloatArray:
    """Return how much of its color a cell deserves: all of it from `THIN_PAIR` judgments on."""
    return np.minimum(table.decided / THIN_PAIR, 1.0)


def _marks(
    table: HeadToHead,
    verdict: Verdict | None,
    printed: bool,
) -> tuple[npt.NDArray[np.str_], str]:
    """Return the mark of every cell, and the words of the key that explain the marks."""
    if printed:
        return table.mark, f"\n{SIGN_TEST_KEY}"
    if verdict is None:
        return np.full(table.wins.shape, ""), ""
    judged = np.nan_to_num(table.verdicts(verdict))
    is_against = judged * (table.share - 0.5) < 0
    what = "separate rank ranges" if verdict.is_official else "significant difference"
    if is_against.any():
        what += f", {AGAINST} although the loser won this cell"
    marks = np.where(judged != 0, CONFIRMED, weaker_marks(table, verdict))
    marks = np.where(is_against, AGAINST, marks)
    confirmed = f"; {CONFIRMED} {what}" if (judged != 0).any() else ""
    return marks, f"{confirmed}{_weaker_words(verdict, marks)}"


def _weaker_words(verdict: Verdict | None, marks: npt.NDArray[np.str_]) -> str:
    """Explain the marks of the weaker layers that occur; an official procedure has none."""
    words = {EXPLORATORY: "exploratory", THESE_JUDGES: "only for these judges"}
    found = [f"{mark} {said}" for mark, said in words.items() if (marks == mark).any()]
    return ", ".join(["", *found]) if verdict is not None else ""


def weaker_marks(table: HeadToHead, verdict: Verdict) -> npt.NDArray[np.str_]:
    """Return the marks of pairs that are not confirmed: for these judges only, or exploratory."""
    place = {system: k for k, system in enumerate(verdict.systems)}
    square = np.ix_(*2 * ([place[system] for system in table.systems],))
    marks = np.where(verdict.exploratory[square], EXPLORATORY, "")
    if verdict.these_judges is None:
        return marks
    return np.where(verdict.these_judges[square], THESE_JUDGES, marks)


def _strength(table: HeadToHead) -> FloatArray:
    """Return how many marks a cell deserves, negative where the row loses, nan if none decided."""
    p = np.fmin(table.p, table.p.T)
    reached = np.sum([p <= bound for bound in MARKS.values()], axis=0)
    return np.where(np.isnan(p), np.nan, reached * np.sign(table.share - 0.5))


def _percent_texts(values: FloatArray, marks: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
    """Return whole percents with their mark, an empty text where the value is undefined."""
    numbers = [["" if np.isnan(v) else percent(v).rstrip("%") for v in row] for row in values]
    return np.where(np.isnan(values), "", np.char.add(np.array(numbers, dtype=str), marks))


def _signed_texts(values: FloatArray) -> npt.NDArray[np.str_]:
    numbers = np.char.replace(np.char.mod("%+.0f", np.nan_to_num(100 * values)), "-", "−")
    numbers = np.where(np.isin(numbers, ["+0", "−0"]), "0", numbers)
    return np.where(np.isnan(values), "", numbers)


def _words(
    table: HeadToHead, predicted: FloatArray, verdict: Verdict | None, names: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    n = len(names)
    nothing = np.full((n, n), np.nan)
    adjusted = nothing if verdict is None else table.p_adjusted(verdict)
    verdicts = nothing if verdict is None else table.verdicts(verdict)

    def words(i: int, j: int) -> str:
        lines = _cell_words(table, predicted, names, i, j)
        if not np.isnan(verdicts[i, j]):
            tested = "" if np.isnan(adjusted[i, j]) else f", adjusted {p_value(adjusted[i, j])}"
            judged = differ(verdict) if verdict and verdicts[i, j] else "are not separated"
            lines.append(f"the two {judged}{tested}")
        return "<br>".join(lines)

    return tuple(tuple(words(i, j) for j in range(n)) for i in range(n))


def _cell_words(
    table: HeadToHead, predicted: FloatArray, names: Sequence[str], i: int, j: int
) -> list[str]:
    row, column = as_html(names[i]), as_html(names[j])
    if i == j:
        return [f"<b>{row}</b>"]
    if not table.compared[i, j]:
        never = "no shared segment" if table.of_ratings else "never compared"
        return [f"<b>{row}</b> and <b>{column}</b>", never]
    if table.of_ratings:
        better, worse, same = (
            thousands(int(cell[i, j])) for cell in (table.wins, table.losses, table.ties)
        )
        return [
            f"<b>{row}</b> against <b>{column}</b>",
            f"rated better on {better} segments, worse on {worse}, the same on {same}",
        ]
    lines = [
        f"<b>{row}</b> against <b>{column}</b>",
        f"{thousands(int(table.wins[i, j]))} won, {thousands(int(table.wins[j, i]))} lost, "
        f"{thousands(int(table.ties[i, j]))} ties",
    ]
    if table.decided[i, j]:
        mark = f" {table.mark[i, j]}" if table.mark[i, j] else ""
        test = f"sign test {p_value(table.p[i, j])}{mark}"
        lines.append(f"{percent(table.share[i, j])} of the decided, {test}")
    if not np.isnan(predicted[i, j]):
        lines.append(f"{percent(predicted[i, j])} predicted")
    return lines


def clusters_in_order(clusters: IntArray | None, order: IntArray) -> list[int] | None:
    """Return each system's cluster in the order drawn."""
    return None if clusters is None else [int(clusters[k]) for k in order]
