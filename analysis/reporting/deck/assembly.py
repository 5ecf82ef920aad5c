"""From a campaign's results to the slides of its meeting."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import Judgments
from analysis.colors import system_class
from analysis.comparing.comparison import Comparison
from analysis.comparing.what_if import RadiusSweep
from analysis.drawing.answers import answer_scene
from analysis.drawing.reordering import reordering_scene
from analysis.drawing.rows import Rows
from analysis.drawing.standings import standings_scene
from analysis.findings.changes import Answer
from analysis.findings.comparison import finding
from analysis.findings.deck import (
    agreement_facts,
    agreement_lines,
    agreement_title,
    data_title,
    next_lines,
    next_title,
    open_lines,
    open_title,
    radius_line,
    radius_title,
)
from analysis.findings.overview import who_won
from analysis.findings.result import result_headline
from analysis.judges.agreement import Agreement
from analysis.next_campaign.planning import Plan
from analysis.ranking.ranking import Ranking
from analysis.reporting.deck.slides import (
    Deck,
    Facts,
    Lines,
    Slide,
    Slider,
    Step,
    Table,
    aliases,
    mark,
)
from analysis.wording import EN_DASH, capital, percent, significant, thousands


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that a deck is made of; what is None has no slide.

    ``names`` go from a system's name to its short one, ``judgments`` are those that count.
    """

    title: str
    about: str
    names: Mapping[str, str]
    judgments: Judgments
    n_judges: int | None
    ranking: Ranking
    score_label: str
    comparison: Comparison | None = None
    agreement: Agreement | None = None
    sweep: RadiusSweep | None = None
    plan: Plan | None = None
    seed: int = 0


def build_deck(evidence: Evidence) -> Deck:
    """Return the slides: data, who won, what is open, methods, agreement, the radius, what next."""
    systems = evidence.ranking.systems
    return Deck(
        title=evidence.title,
        about=evidence.about,
        systems=systems,
        names=tuple(evidence.names.get(system, system) for system in systems),
        aliases=aliases(len(systems), evidence.seed),
        slides=tuple(_slides(evidence)),
        classes=tuple(system_class(name, evidence.judgments.color_places) for name in systems),
    )


def _slides(evidence: Evidence) -> Iterator[Slide]:
    ranking = evidence.ranking
    number = {system: k for k, system in enumerate(ranking.systems)}

    def name(system: str) -> str:
        return mark(number[system])

    yield Slide("data", data_title(evidence.judgments, evidence.n_judges), _facts(evidence),
                "overview", "Overview")  # fmt: skip
    yield Slide("standings", capital(result_headline(ranking, name)), _rows(evidence), "standings",
                "Standings")  # fmt: skip
    if ranking.ranges is not None:
        lines = Lines(open_lines(ranking, name), leading=who_won(ranking, name))
        yield Slide("open", open_title(ranking), lines, "head-to-head", "Head to head")
    if evidence.comparison is not None:
        title = capital(finding(evidence.comparison))
        yield Slide(
            "methods",
            title,
            reordering_scene(evidence.comparison, _marks(evidence)),
            "methods",
            "Methods",
        )
    if evidence.agreement is not None:
        found = evidence.agreement
        facts = Facts(agreement_facts(found), agreement_lines(found))
        yield Slide("agreement", agreement_title(found), facts, "agreement", "Agreement")
    if evidence.sweep is not None:
        slider = _slider(evidence, evidence.sweep)
        yield Slide("radius", slider.steps[slider.start].title, slider, "what-if", "What if")
    block = Lines(next_lines(ranking, evidence.plan))
    yield Slide("next", next_title(ranking, evidence.plan), block, "plan", "Plan")


MOST_LINES = 14
"""Lines of a table that a slide may show."""


def table_slide(
    key: str, title: str, frame: pd.DataFrame | None, page: str, page_title: str, about: str
) -> Slide:
    """Return a slide of any result: its finding, and the first lines of its table."""
    block: Table | Lines = Lines(())
    if frame is not None and len(frame.columns):
        columns = [frame.iloc[:, k] for k in range(len(frame.columns))]
        numbers = tuple(bool(pd.api.types.is_numeric_dtype(column)) for column in columns)
        first = [[_cell(value) for value in column[:MOST_LINES]] for column in columns]
        block = Table(
            heads=tuple(capital(str(name).replace("_", " ")) for name in frame.columns),
            lines=tuple(zip(*first, strict=True)),
            numbers=numbers,
            left_out=max(0, len(frame) - MOST_LINES),
        )
    return Slide(key, title, block, page, page_title, about=about)


def _cell(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if value is None or value is pd.NA or value != value:
        return EN_DASH
    if isinstance(value, (int, np.integer)):
        return thousands(int(value))
    return significant(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _facts(evidence: Evidence) -> Facts:
    judgments = evidence.judgments
    ties = judgments.n_ties / len(judgments) if len(judgments) else float("nan")
    given = (len(judgments), "judgments of two outputs"), (judgments.n_tasks, "ranking tasks")
    if judgments.scores is not None:
        given = (len(judgments.scores), "scores"), (len(judgments), "preferences that follow")
    items = [
        (thousands(judgments.n_systems), "systems"),
        *((thousands(n), what) for n, what in given),
        (thousands(len(np.unique(judgments.task_segment))), "segments"),
        (percent(ties), "ties"),
    ]
    if evidence.n_judges is not None:
        items.insert(3, (thousands(evidence.n_judges), "judges"))
    return Facts(tuple(items))


def _rows(evidence: Evidence) -> Rows:
    """Return the standings as every page shows them, without the panel of ranks."""
    label = evidence.score_label
    if evidence.ranking.ranges is not None:
        label = f"{label}, thick 50% and thin {evidence.ranking.level:.0%} intervals"
    return standings_scene(
        evidence.ranking, _marks(evidence), label, with_ranks=False, columns=("ranks",)
    )


def _marks(evidence: Evidence) -> dict[str, str]:
    """Return what stands for each system in the text of a slide."""
    return {system: mark(k) for k, system in enumerate(evidence.ranking.systems)}


def _slider(evidence: Evidence, sweep: RadiusSweep) -> Slider:
    """Return the order under each radius of the grid, as What if shows it."""
    ranking = evidence.ranking
    before = Answer.by_radius(ranking, sweep.tuned)

    def step(radius: float) -> Step:
        after = Answer.by_radius(ranking, radius)
        best = " (fits best)" if radius == sweep.tuned else ""
        return Step(
            value=f"{radius:g}{best}",
            title=radius_title(radius, after),
            groups=tuple(after.cluster_of(system) or 0 for system in before.names),
            line=radius_line(before, after, *sweep.at(radius)),
        )

    radii = [float(radius) for radius in sweep.radii]
    label = f"{evidence.score_label}; groups are gaps in the scores, whatever the evidence"
    rows = answer_scene(before, before, _marks(evidence), label, with_ghost=False)
    rows = dataclasses.replace(rows, columns=(), bands=(), cuts=())
    return Slider(rows, "Radius", tuple(map(step, radii)), radii.index(sweep.tuned))
