"""From a campaign's results to the slides of its meeting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, Judgments
from analysis.colors import system_class
from analysis.comparing.comparison import Comparison
from analysis.comparing.what_if import RadiusSweep
from analysis.findings.changes import Answer
from analysis.findings.comparison import disputes, finding
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
from analysis.findings.standings import standings_title
from analysis.judges.agreement import Agreement
from analysis.next_campaign.planning import Plan
from analysis.ranking.ranking import Ranking
from analysis.reporting.deck.slides import (
    Deck,
    Facts,
    Lines,
    Orders,
    Rows,
    Slide,
    Slider,
    Step,
    Table,
    aliases,
    mark,
)
from analysis.wording import EN_DASH, capital, percent, significant, span, thousands


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
        classes=tuple(system_class(name, evidence.judgments.all_systems) for name in systems),
    )


def _slides(evidence: Evidence) -> Iterator[Slide]:
    ranking = evidence.ranking
    number = {system: k for k, system in enumerate(ranking.systems)}

    def name(system: str) -> str:
        return mark(number[system])

    yield Slide("data", data_title(evidence.judgments, evidence.n_judges), _facts(evidence),
                "overview", "Overview")  # fmt: skip
    yield Slide("standings", capital(standings_title(ranking, name)), _rows(evidence), "standings",
                "Standings")  # fmt: skip
    if ranking.ranges is not None:
        lines = Lines(open_lines(ranking, name), leading=who_won(ranking, name))
        yield Slide("open", open_title(ranking), lines, "head-to-head", "Head to head")
    if evidence.comparison is not None:
        title = capital(finding(evidence.comparison))
        yield Slide("methods", title, _orders(evidence.comparison, number), "methods", "Methods")
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
    ranking, ranges = evidence.ranking, evidence.ranking.ranges
    order = [int(k) for k in ranking.order]
    nothing = np.full(len(order), np.nan)
    clusters = np.ones(len(order), dtype=int) if ranking.clusters is None else ranking.clusters
    return Rows(
        systems=tuple(order),
        scores=_taken(ranking.scores, order),
        low=_taken(nothing if ranges is None else ranges.score_low, order),
        high=_taken(nothing if ranges is None else ranges.score_high, order),
        ranks=tuple(
            "" if ranges is None else span(int(ranges.low[k]), int(ranges.high[k])) for k in order
        ),
        groups=tuple(int(clusters[k]) for k in order),
        score_label=f"{evidence.score_label}, lines are {ranking.level:.0%} intervals"
        if ranges is not None
        else evidence.score_label,
    )


def _taken(values: FloatArray, order: list[int]) -> tuple[float, ...]:
    return tuple(float(values[k]) for k in order)


def _orders(comparison: Comparison, number: Mapping[str, int]) -> Orders:
    """Return the orders; lines are loud for systems whose swap some method tells apart."""
    loud = {
        system
        for dispute in disputes(comparison)
        if dispute.told_by
        for system in (dispute.upper, dispute.lower)
    }
    return Orders(
        methods=comparison.methods,
        systems=tuple(number[system] for system in comparison.systems),
        places=tuple(tuple(int(p) for p in places) for places in comparison.places),
        loud=tuple(system in loud for system in comparison.systems),
        left_out=len(comparison.left_out),
    )


def _slider(evidence: Evidence, sweep: RadiusSweep) -> Slider:
    """Return the order under each radius of the grid, as What if shows it."""
    ranking = evidence.ranking
    before = Answer.by_radius(ranking, sweep.tuned)
    order = [int(k) for k in before.order]

    def step(radius: float) -> Step:
        after = Answer.by_radius(ranking, radius)
        assert after.clusters is not None
        best = " (fits best)" if radius == sweep.tuned else ""
        return Step(
            value=f"{radius:g}{best}",
            title=radius_title(radius, after),
            groups=tuple(int(after.clusters[k]) for k in order),
            line=radius_line(before, after, *sweep.at(radius)),
        )

    radii = [float(radius) for radius in sweep.radii]
    nothing = (float("nan"),) * len(order)
    rows = Rows(
        systems=tuple(order),
        scores=_taken(ranking.scores, order),
        low=nothing,
        high=nothing,
        ranks=("",) * len(order),
        groups=(1,) * len(order),
        score_label=f"{evidence.score_label}; groups are gaps in the scores, whatever the evidence",
    )
    return Slider(rows, "Radius", tuple(map(step, radii)), radii.index(sweep.tuned))
