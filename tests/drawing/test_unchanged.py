"""Pictures are what they were: one of each kind, compared with what is kept in ``unchanged/``.

A picture that is meant to change is written anew by ``python -m tests.drawing.test_unchanged``;
look at it before you commit it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.comparing.comparison import Column, compare
from analysis.comparing.head_to_head import head_to_head
from analysis.comparing.language_pairs import whole_campaign
from analysis.drawing.answers import answer_json, answer_scene
from analysis.drawing.curves import Curve, Curves
from analysis.drawing.kappas import kappa_json
from analysis.drawing.look import Look
from analysis.drawing.matrix import matrix_json, matrix_scene
from analysis.drawing.outlook import outlook_json, power_json
from analysis.drawing.plots import matrix_plot, methods_plot, standings_plot
from analysis.drawing.reordering import reordering_json, reordering_scene
from analysis.drawing.row_picture import rows_json
from analysis.drawing.small_multiples import small_multiples_svg
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg
from analysis.findings.changes import Answer
from analysis.judges.agreement import agreement
from analysis.judges.history import published_kappas
from analysis.next_campaign.design import Design, foresee
from analysis.next_campaign.planning import plan
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import AS_PUBLISHED
from analysis.ranking.ranking import Ranking, rank
from analysis.samples import sample_campaign

KEPT = Path(__file__).parent / "unchanged"


@cache
def rankings() -> tuple[Ranking, Ranking]:
    """Five systems by two methods, the second with the ranges of resamples."""
    judgments = sample_campaign("wmt14-cs-en").judgments()
    published = replace(AS_PUBLISHED, runs=100)
    return rank(judgments, BradleyTerry()), rank(judgments, ExpectedWins(), published)


PLANNED = Design(judges=12, segments=150, tasks=400, effect=0.05, systems=6)


@cache
def drawings() -> dict[str, Any]:
    """One picture of each kind, as Plotly JSON."""
    recommended, published = rankings()
    judgments, names = recommended.judgments, {"ONLINE-B": "B & <b>"}
    verdict = recommended.verdict
    assert verdict is not None
    table = head_to_head(judgments.counts, judgments.systems, recommended.order)
    cells = matrix_scene(
        table, 1 - table.share, "difference", verdict=verdict, names=names, title="Matrix"
    )
    columns = [Column.from_ranking(r, t) for r, t in ((recommended, "One"), (published, "Two"))]
    columns.append(Column("Reversed", published.systems, published.order[::-1].copy()))
    orders = reordering_scene(compare(columns), names)
    before, after = (Answer.by_radius(published, radius) for radius in (0.0, 0.05))
    x = np.linspace(0, 0.1, 11)
    curves = Curves(x, "radius", (Curve("groups", 5 - 40 * x, is_count=True),), 0.05, ())
    return {
        "standings": standings_plot(recommended),
        "standings-published": standings_plot(published, mode="dark"),
        "standings-narrow": rows_json(
            standings_scene(published, names, "score"),
            Look({}, "light", narrow=True),
            title="Narrow",
        ),
        "matrix": matrix_plot(recommended),
        "matrix-chosen": matrix_json(cells, Look(), chosen=("UEDIN-PHRASE", "ONLINE-B")),
        "methods": methods_plot(rankings()),
        "reordering": reordering_json(orders, Look({}, "dark"), title="Orders"),
        "agreement": kappa_json(agreement(judgments), published_kappas("cs-en"), Look(), title="κ"),
        "outlook": outlook_json(plan(judgments, verdict), Look(), title="More"),
        "power": power_json(foresee(PLANNED), Look(), title="Power", now=(900.0, 0.4)),
        "radius": answer_json(
            answer_scene(before, after, names, "score"), Look({}, "light"), title="R", curves=curves
        ),
    }


def written(name: str) -> str:
    """A picture as it is kept: a line for each of its parts, numbers to eight digits."""

    def short(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: short(item) for key, item in sorted(value.items())}
        if isinstance(value, (list, tuple, np.ndarray)):
            return [short(item) for item in value]
        if isinstance(value, (float, np.floating)):
            return None if np.isnan(value) else float(f"{value:.8g}")
        return value.item() if isinstance(value, np.generic) else value

    drawing = short(drawings()[name])
    lines = [json.dumps({"data": one}, ensure_ascii=False) for one in drawing["data"]]
    layout = drawing["layout"].items()
    lines += [json.dumps({key: value}, ensure_ascii=False) for key, value in layout]
    return "\n".join(lines) + "\n"


def read(name: str) -> dict[str, Any]:
    """A picture that was kept, as Plotly JSON."""
    found: dict[str, Any] = {"data": [], "layout": {}}
    for line in (KEPT / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        ((key, value),) = json.loads(line).items()
        if key == "data":
            found["data"].append(value)
        else:
            found["layout"][key] = value
    return found


def close(one: object, other: object) -> bool:
    """Whether two parts of a picture are equal, numbers to a millionth."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers) and type(one) is not bool:
        return one == pytest.approx(other, rel=1e-6, abs=1e-9)
    return type(one) is type(other) and one == other


@pytest.mark.parametrize("name", sorted(path.stem for path in KEPT.glob("*.jsonl")))
def test_a_picture_has_the_parts_that_it_had(name: str) -> None:
    now = [json.loads(line) for line in written(name).splitlines()]
    then = (KEPT / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for line, before in zip(now, map(json.loads, then), strict=True):
        assert close(line, before), f"{name}: {line} was {before}"


@pytest.mark.parametrize("name", sorted(path.stem for path in KEPT.glob("*.jsonl")))
def test_a_picture_becomes_the_file_that_it_became(name: str) -> None:
    assert figure_svg(read(name)) == (KEPT / f"{name}.svg").read_text(encoding="utf-8")


def test_every_kind_of_picture_is_kept_and_the_small_ones_too() -> None:
    assert {path.stem for path in KEPT.glob("*.svg")} == {*drawings(), "language-pairs"}
    assert small_pictures() == (KEPT / "language-pairs.svg").read_text(encoding="utf-8")


def small_pictures() -> str:
    """The pictures of two language pairs, in one."""
    campaign = sample_campaign("wmt14")
    return small_multiples_svg(whole_campaign(campaign, BradleyTerry(), pairs=("cs-en", "hi-en")))


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name in drawings():
        (KEPT / f"{name}.jsonl").write_text(written(name), encoding="utf-8")
        (KEPT / f"{name}.svg").write_text(figure_svg(read(name)), encoding="utf-8")
    (KEPT / "language-pairs.svg").write_text(small_pictures(), encoding="utf-8")
