"""The notebooks of the documentation: ``python -m tests.docs.notebooks`` writes them.

Their cells are written here, and run here without Jupyter; a test runs them again and compares. A
notebook shows a cell's last expression: its table, its text, and for a figure the picture.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import warnings
from pathlib import Path
from typing import Any

from analysis.drawing.svg import figure_svg

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"

ARENA = (
    "# An LLM arena\n\n26,919 votes of people between 20 language models (Chatzi et al. 2024, MIT "
    "license). With your own votes, give a path or a data frame in place of the sample.",
    'import podium\n\nvotes = podium.read("sample:arena-people")\nvotes',
    "Bradley–Terry is the default. All rank ranges cover at the same time with 95% probability.",
    "ranking = podium.rank(votes)\nranking",
    "Scores with their 95% intervals and rank ranges:",
    "ranking.plot()",
    "Which systems could be the best one, and is there a winner?",
    "ranking.winner, ranking.possible_winners",
    "Every pair of systems has a test. `verdict` is `better` only if the difference is significant "
    "after the adjustment for all pairs.",
    'pairs = ranking.pairs()\npairs["verdict"].value_counts()',
    "Would another method change the order?",
    'methods = podium.compare(votes, ["bradley-terry", "expected-wins", "elo"])\n'
    "methods.to_frame().head(8)",
    "The table can be joined with any other by `system`:",
    'both = ranking.to_frame().merge(methods.to_frame(), on="system")\n'
    'both[["system", "score", "rank_best", "rank_worst", "elo"]].head()',
)
WMT = (
    "# A WMT campaign\n\n`sample:wmt14-cs-en` is simulated from the published figures of WMT14 "
    "Czech–English: 5 systems, 2,113 ranking tasks of 46 judges.",
    'import podium\n\nvotes = podium.read("sample:wmt14-cs-en")\n'
    'ranking = podium.rank(votes, "expected-wins")\nranking',
    "Too close to call: two systems could be the best. Who beats whom?",
    "ranking.plot_matrix()",
    "The ranges above are for new segments and judges. For these segments and judges only:",
    'podium.rank(votes, "expected-wins", scope="these").to_frame().round(3)',
    "WMT14 resampled judgments and printed a rank range per system. `unit` asks for that:",
    'wmt14 = podium.rank(votes, "expected-wins", unit="judgment", scope="these", seed=1)\n'
    'wmt14.to_frame()[["system", "rank_best", "rank_worst", "cluster"]]',
    "How much do the judges agree, beyond chance?",
    "podium.agreement(votes)",
    "Which differences are small enough to call two systems practically equal?",
    'ranking.pairs(margin=0.1)[["a", "b", "difference", "verdict"]].round(3)',
    "How many more tasks would separate 90% of the pairs, and with how much certainty?",
    'plan = podium.plan(votes, method="expected-wins")\nplan.to_frame().head(4).round(1)',
)
NOTEBOOKS = {"arena": ARENA, "wmt": WMT}


def run_notebook(cells: tuple[str, ...]) -> dict[str, Any]:
    """Run the cells one after the other, and return the notebook with what they show."""
    names: dict[str, Any] = {}
    return {
        "cells": [_markdown(k, cell) if k % 2 == 0 else _code(k, cell, names)
                  for k, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }  # fmt: skip


def _markdown(place: int, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": f"cell{place}", "metadata": {}, "source": _lines(text)}


def _code(place: int, source: str, names: dict[str, Any]) -> dict[str, Any]:
    tree = ast.parse(source.replace("import podium", "import analysis as podium"))
    assert isinstance(tree.body[-1], ast.Expr), "a cell shows something"
    last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names)
    assert printed.getvalue() == ""
    count = (place + 1) // 2
    return {
        "cell_type": "code",
        "execution_count": count,
        "id": f"cell{place}",
        "metadata": {},
        "outputs": [
            {
                "data": _shown(value),
                "execution_count": count,
                "metadata": {},
                "output_type": "execute_result",
            }
        ],
        "source": _lines(source),
    }


def _shown(value: Any) -> dict[str, list[str]]:
    if hasattr(value, "to_plotly_json"):
        picture = figure_svg(value.to_plotly_json())
        return {"image/svg+xml": _lines(picture), "text/plain": ["Figure"]}
    shown = {"text/plain": _lines(repr(value))}
    as_html = getattr(value, "_repr_html_", None)
    if as_html is not None:
        shown["text/html"] = _lines(as_html())
    return shown


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def as_file(notebook: dict[str, Any]) -> str:
    """Return a notebook as its file has it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, cells in NOTEBOOKS.items():
        (FOLDER / f"{name}.ipynb").write_text(as_file(run_notebook(cells)), encoding="utf-8")
