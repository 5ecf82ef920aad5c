"""From a campaign's results to the slides of its meeting.

What the slides of a meeting say, one message each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.campaign import Judgments
from analysis.colors import system_class
from analysis.comparing.comparison import Comparison
from analysis.comparing.head_to_head import head_to_head_by
from analysis.comparing.what_if import RadiusSweep
from analysis.drawing.answers import answer_scene
from analysis.drawing.kappas import kappa_json
from analysis.drawing.matrix import clusters_in_order, fitted_matrix, matrix_scene
from analysis.drawing.outlook import outlook_json
from analysis.drawing.reordering import reordering_scene
from analysis.drawing.rows import Rows
from analysis.drawing.standings import standings_scene
from analysis.findings.certainty import covered_words, whom
from analysis.findings.changes import Answer, radius_headline
from analysis.findings.comparison import finding
from analysis.findings.head_to_head import finding as pairs_finding
from analysis.findings.planning import advise, is_refuted
from analysis.findings.result import result_headline, winner_words
from analysis.findings.standings import evidence, evidence_size
from analysis.judges.agreement import Agreement
from analysis.judges.history import explain_copies, headline, published_kappas
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.planning import Plan
from analysis.rankers import ranker_class
from analysis.ranking.ranking import Ranking
from analysis.reporting.deck.slides import (
    Chart,
    Deck,
    Slide,
    Slider,
    Step,
    Table,
    aliases,
    mark,
)
from analysis.wording import EN_DASH, capital, claim, claim_and_rest, count, fixed, percent


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that a deck is made of; what is None has no slide.

    ``names`` go from a system's name to its short one, ``judgments`` are those that count. ``more``
    are slides of extras. ``caution`` is what limits the result most.
    """

    title: str
    about: str
    names: Mapping[str, str]
    judgments: Judgments
    ranking: Ranking
    score_label: str
    comparison: Comparison | None = None
    agreement: Agreement | None = None
    sweep: RadiusSweep | None = None
    plan: Plan | None = None
    tested: BackTest | None = None
    more: tuple[Slide, ...] = ()
    seed: int = 0
    caution: str = ""


def build_deck(evidence: Evidence) -> Deck:
    """Return the slides: result, head to head, methods, agreement, decision radius, what next.

    Those without a finding are optional.
    """
    systems = evidence.ranking.systems
    slides = tuple(_slides(evidence))
    deck = Deck(
        title=evidence.title,
        about=evidence.about,
        systems=systems,
        names=tuple(evidence.names.get(system, system) for system in systems),
        aliases=aliases(len(systems), evidence.seed),
        slides=slides,
        optional=frozenset(slide.key for slide in slides if not _has_finding(slide, evidence)),
        classes=tuple(system_class(name, evidence.judgments.color_places) for name in systems),
    )
    marked = (dataclasses.replace(s, caution=deck.marked(s.caution, 1)) for s in slides)
    return dataclasses.replace(deck, slides=tuple(marked))


MOST_HELP = 5
"""Times the tasks at hand above which more of them are no help to offer in a meeting."""


def is_near(plan: Plan) -> bool:
    """Return whether the aim is open, and near enough that its forecast is worth a slide."""
    return not plan.aim.reached and plan.aim.likely <= MOST_HELP * plan.at_hand.n_tasks


def _has_finding(slide: Slide, evidence: Evidence) -> bool:
    """Return whether a slide has something to say that the others do not."""
    plan, sweep = evidence.plan, evidence.sweep
    if slide.key == "radius":
        return sweep is not None and sweep.tuned > 0 and not evidence.judgments.are_votes
    if slide.key == "next":
        if plan is None or evidence.ranking.winner is not None:
            return False
        return is_near(plan) and not is_refuted(plan, evidence.tested)
    return not isinstance(slide.block, Table)


def _slides(evidence: Evidence) -> Iterator[Slide]:
    standings = list(_result(evidence))
    yield from standings
    if evidence.ranking.verdict is not None:
        yield _matrix(evidence)
    if evidence.comparison is not None:
        orders = reordering_scene(evidence.comparison, _marks(evidence))
        scored = ranker_class(evidence.ranking.standings.method).needs_scores
        way = "way of averaging" if scored else "method"
        title = claim(finding(evidence.comparison, _marks(evidence).__getitem__, way))
        swaps = "; dotted: swaps without significance" * bool(evidence.comparison.swaps)
        key = f"Bold: first system of a cluster{swaps}"
        yield Slide("methods", title, orders, "what-if", "What if", key_words=key)
    if evidence.agreement is not None and evidence.agreement.is_known:
        found, history = evidence.agreement, published_kappas(evidence.judgments.pair)
        chart = Chart(lambda look, height: kappa_json(found, history, look, height=height))
        title, key = claim(headline(found)), explain_copies(found)
        if not key and found.runs > 0:
            key = "Thick line: these judges; thin: new judges"
            title = title.replace(" for these judges", "")
        yield Slide("agreement", title, chart, "agreement", "Agreement", key_words=key)
    yield from evidence.more
    if evidence.sweep is not None:
        slider = _slider(evidence, evidence.sweep)
        as_it_is = Answer.from_ranking(evidence.ranking)
        title = radius_headline(as_it_is, _marks(evidence).__getitem__)
        yield Slide("radius", title, slider, "what-if", "What if")
    if evidence.plan is not None:
        plan = evidence.plan
        outlook = Chart(lambda look, height: outlook_json(plan, look, height=height))
        name = _marks(evidence).__getitem__
        title = advise(plan, with_interval=False, tested=evidence.tested, name=name)
        title = title.split(";")[0]
        yield Slide("next", title, outlook, "next", "Next")
    for slide in standings:
        assert isinstance(slide.block, Rows)
        table = _standings_table(slide.block)
        yield dataclasses.replace(slide, key=f"{slide.key}-table", block=table)


MOST_ROWS, FIRST = 18, 10
"""Systems of a slide; further ones get slides of their own; the matrix then has the first ones."""


def _result(evidence: Evidence) -> Iterator[Slide]:
    """Yield the standings with every system, on as many slides as that takes."""
    ranking, marks = evidence.ranking, _marks(evidence)
    label = evidence.score_label
    if ranking.ranges is not None:
        tested = winner_words(ranking.verdict, briefly=True)
        both = "50% and" if tested else "thick 50% and thin"
        label = f"{label}, {both} {ranking.level:.0%} intervals{'; ' * bool(tested)}{tested}"
    n = len(ranking.order)
    n_slides = -(-n // MOST_ROWS)
    size = -(-n // n_slides)
    data = f"{evidence.about} · {data_title(evidence.judgments)}"
    rows = standings_scene(ranking, marks, label, with_ranks=False, columns=("ranks",))
    for k in range(n_slides):
        first, end = k * size, min((k + 1) * size, n)
        title = result_headline(ranking, marks.__getitem__)
        if k:
            title = f"Places {first + 1}{EN_DASH}{end} of {n}"
        key = f"standings-{k + 1}" if k else "standings"
        about = data if k or n_slides == 1 else f"{data} · first {end} of {n}"
        page = ("result", "Result", "", about, _key_words(ranking), "" if k else evidence.caution)
        yield Slide(key, title, rows.part(first, end), *page)


def _key_words(ranking: Ranking) -> str:
    """Say what bands, dashes and intervals mean, and for whom they are valid."""
    if ranking.ranges is None:
        return ""
    if ranking.certainty.is_official:
        return f"Bands: clusters; ranges: {covered_words(ranking, briefly=True)}"
    bands = "Bands: tiers; " if ranking.verdict and ranking.verdict.n_tiers > 1 else ""
    dashes = "dashes: clusters; " if (ranking.n_clusters or 0) > 1 else ""
    return f"{bands}{dashes}{ranking.level:.0%} for {whom(ranking)}"


def _standings_table(rows: Rows) -> Table:
    """Return the rows of a picture as a table."""
    lines = [
        (
            row.name,
            fixed(row.score, 3),
            "" if row.thin is None else f"{fixed(row.thin[0], 3)} to {fixed(row.thin[1], 3)}",
            *(cell.now for cell in row.cells),
        )
        for row in rows.rows
    ]
    heads = ("System", "Score", "Interval", *(capital(column.head) for column in rows.columns))
    return Table(heads, tuple(lines), (False, *[True] * (len(heads) - 1)), rows.left_out)


def _matrix(evidence: Evidence) -> Slide:
    """Return the head-to-head table, of many systems the first ones against each other."""
    ranking = evidence.ranking
    standings, systems, order = ranking.standings, ranking.systems, ranking.order
    shown = order if len(order) <= MOST_ROWS else order[:FIRST]
    table = head_to_head_by(standings, evidence.judgments, shown)
    names = {system: f"{k}  {mark(systems.index(system))}" for k, system in
             enumerate(table.systems, 1)}  # fmt: skip
    scene = matrix_scene(
        table, None, "observed", verdict=ranking.verdict, names=names,
        title="", clusters=clusters_in_order(ranking.clusters, shown),
    )  # fmt: skip
    scene = dataclasses.replace(scene, columns=tuple(str(k + 1) for k in range(len(scene.rows))))
    more = len(order) - len(scene.rows)
    whole = head_to_head_by(standings, evidence.judgments, order)
    found = pairs_finding(whole, ranking.verdict, _marks(evidence).__getitem__)
    title, rest = claim_and_rest(found)
    return Slide(
        "matrix",
        title,
        Chart(
            lambda look, height: fitted_matrix(scene, look, height),
            f"The first {len(scene.rows)} of {len(order)} systems; the headline counts all."
            if more
            else "",
        ),
        "head-to-head",
        "Head to head",
        key_words=capital(rest.split("; ")[0]),
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
            groups=tuple(after.level_of(system) or 0 for system in before.names),
            line=radius_line(before, after, *sweep.at(radius)),
        )

    radii = [float(radius) for radius in sweep.radii]
    label = f"{evidence.score_label}; tie groups are gaps in the scores"
    rows = answer_scene(before, before, _marks(evidence), label, with_ghost=False)
    rows = dataclasses.replace(rows, columns=(), bands=(), cuts=())
    return Slider(rows, "Radius", tuple(map(step, radii)), radii.index(sweep.tuned))


def data_title(judgments: Judgments) -> str:
    """Say what there is to go on: "12 345 judgments by 30 judges compare 7 systems"."""
    by = "" if judgments.n_judges is None else f" by {count(judgments.n_judges, 'judge')}"
    verb = "compares" if evidence_size(judgments) == 1 else "compare"
    return f"{evidence(judgments)}{by} {verb} {count(judgments.n_systems, 'system')}"


def radius_title(radius: float, after: Answer) -> str:
    """Say how many tie groups a radius leaves."""
    n = after.n_levels or 0
    gaps = f"gaps up to {radius:g}" if radius else "only equal scores"
    return f"If {gaps} count as ties, there {'is' if n == 1 else 'are'} {count(n, after.part)}"


def radius_line(before: Answer, after: Answer, right: float, ties: float) -> str:
    """Say what changes against the tuned radius, and how well the radius predicts."""
    same = before.n_levels == after.n_levels
    change = (
        "" if same else f"{count(before.n_levels or 0, before.part)} at the radius that fits best. "
    )
    return (
        f"{change}Predicts {percent(right)} of these judgments correctly, {percent(ties)} as ties."
    )
