"""A report: the finding, the picture, the tables, how it was made; as HTML or PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.campaign import Campaign
from analysis.colors import page_colors
from analysis.comparing.head_to_head import head_to_head_by
from analysis.drawing.look import Look, Sizes
from analysis.drawing.matrix import clusters_in_order, matrix_json, matrix_scene
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import far_off, far_off_words
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg
from analysis.errors import unknown
from analysis.findings.certainty import figure_words, runs_word
from analysis.findings.overview import caution_in_line, gravest, under_headline
from analysis.findings.result import level_text, result_headline, winner_words
from analysis.findings.standings import Neighbors, evidence, neighbors, ranks_ratings
from analysis.formats.report import ReadReport
from analysis.judges.agreement import Agreement
from analysis.judges.history import explain_copies, explain_identical, published_kappas
from analysis.judges.kappa import Kappa
from analysis.judges.score_agreement import score_agreement, score_headline
from analysis.languages import about
from analysis.rankers import Ranker
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.ranking import Ranking
from analysis.reporting.document import (
    SECTIONS,
    Block,
    Facts,
    Picture,
    Table,
    Words,
    html_page,
    pdf_document,
)
from analysis.reporting.methods_paragraph import (
    REFERENCES,
    Paragraph,
    methods_paragraph,
    undefined_words,
)
from analysis.wording import EN_DASH, capital, p_value, percent, span, thousands

PICTURE = 900
"""Pixels of a picture's width before the page fits it in."""
DECIMALS = 3


@dataclass(frozen=True)
class Added:
    """What an extra adds to the agreement of judges; ``numbers`` are what an archive has of it."""

    name: str
    blocks: tuple[Block, ...]
    numbers: Any = field(compare=False)


@dataclass(frozen=True, eq=False)
class PairReport:
    """All that is reported of one language pair.

    ``names`` go from a system's name to the
    short one, ``command`` makes the numbers again, ``remark`` says what else is to know of the
    data. ``agreement`` is None where it is not defined. ``notes`` are the user's own, each with
    what it is about; ``added`` is of extras.
    """

    ranking: Ranking
    ranker: Ranker
    names: Mapping[str, str]
    agreement: Agreement | None = None
    findings: Sequence[Finding] = ()
    command: str = ""
    remark: str = ""
    notes: Sequence[tuple[str, str]] = ()
    added: tuple[Added, ...] = ()

    @property
    def paragraph(self) -> Paragraph:
        """How the ranking was made, for a paper."""
        return methods_paragraph(
            self.ranking,
            self.ranker,
            agreement=self.agreement,
            remark=self.remark,
            caution=caution_in_line(gravest(self.findings)),
        )


def html_report(title: str, pairs: Sequence[PairReport], *remarks: str, **form: Any) -> str:
    """Return the report of one or several language pairs as one HTML page; see `report_blocks`."""
    logo = form.pop("logo", b"")
    return html_page(
        title or _about("", pairs[0]), report_blocks(title, pairs, *remarks, **form), logo=logo
    )


def pdf_report(title: str, pairs: Sequence[PairReport], *remarks: str, **form: Any) -> bytes:
    """Return the report as PDF; see `report_blocks`."""
    logo = form.pop("logo", b"")
    return pdf_document(
        title or _about("", pairs[0]), report_blocks(title, pairs, *remarks, **form), logo=logo
    )


def report_blocks(
    title: str,
    pairs: Sequence[PairReport],
    *remarks: str,
    note: str = "",
    sections: Iterable[str] = tuple(SECTIONS),
) -> list[list[Block]]:
    """Return what the report says, a list of blocks per language pair.

    ``title`` is the campaign's or the user's own; ``note`` is the user's, at the head; ``sections``
    are those of `SECTIONS` that are wanted, in their own order. ``remarks`` say what is not in the
    report and why.
    """
    wanted = _known_sections(sections)
    found = [list(_section(title, one, wanted)) for one in pairs]
    found[0][:0] = [Words(line, "note") for line in note.splitlines() if line.strip()]
    found[-1] += [Words(remark, "quiet") for remark in remarks if remark]
    return found


def _known_sections(sections: Iterable[str]) -> tuple[str, ...]:
    wanted = set(sections)
    for name in sorted(wanted - set(SECTIONS)):
        raise unknown("Sections", name, SECTIONS)
    return tuple(name for name in SECTIONS if name in wanted)


def data_remark(campaign: Campaign, read: ReadReport | None) -> str:
    """Say of a sample that its judgments are drawn, of files how much was left out, and why."""
    source = campaign.simulated_from
    drawn = f"The judgments are {source}. " if source else ""
    return f"{drawn}{'' if read is None else read.left_out_reasons()}".rstrip()


def _section(title: str, report: PairReport, wanted: Sequence[str]) -> Iterator[Block]:
    ranking = report.ranking
    yield Words(_about(title, report), "quiet")
    yield Words(result_headline(ranking, report.names.__getitem__), "h1")
    yield from map(_finding, under_headline(report.findings))
    yield _facts(report)
    scene = standings_scene(ranking, report.names, report.ranker.score_label)
    yield Picture(figure_svg(rows_json(scene, _look(report))))
    yield Words(_interval_words(report), "quiet")
    yield from (Words(words, "note", f"{what}.") for what, words in report.notes)
    parts: dict[str, Callable[[PairReport], Iterator[Block]]] = {
        "standings": _standings,
        "neighbors": _neighbors,
        "head-to-head": _head_to_head,
        "agreement": _agreement,
        "checks": _findings,
        "making": _making,
    }
    for name in wanted:
        blocks = list(parts[name](report))
        if blocks:
            yield Words(SECTIONS[name], "h2")
            yield from blocks


def _about(title: str, report: PairReport) -> str:
    judgments = report.ranking.judgments
    return about(title, judgments.pair, judgments.campaign.criterion, report.ranker.title)


def _facts(report: PairReport) -> Facts:
    """Count what the method ranks by: of ratings, no pairwise judgments and no ties."""
    judgments = report.ranking.judgments
    by_ratings = ranks_ratings(judgments, report.ranking.standings.method)
    number, noun = evidence(judgments).split(" ")
    tasks = [] if judgments.are_votes else [(thousands(judgments.n_tasks), "ranking tasks")]
    if judgments.scores is not None:
        tasks = [] if by_ratings else [(thousands(len(judgments)), "pairwise judgments")]
    facts = [
        (thousands(judgments.n_systems), "systems"),
        (number, noun),
        *tasks,
        (EN_DASH if judgments.n_judges is None else thousands(judgments.n_judges), "judges"),
        *([] if by_ratings else [(percent(judgments.tie_share), "ties")]),
    ]
    return Facts(tuple(facts))


def _interval_words(report: PairReport) -> str:
    ranking = report.ranking
    sides = far_off(ranking.scores)
    far = [report.names[s] for s, side in zip(ranking.systems, sides, strict=True) if side]
    words = f"{far_off_words(far)}{figure_words(ranking)}"
    if ranking.ranges is None:
        return words
    tested = winner_words(ranking.verdict, report.names.__getitem__)
    return f"Left: scores. Right: rank ranges. {words} {tested}".strip()


def _standings(report: PairReport) -> Iterator[Block]:
    """Yield the standings with tiers, intervals and rank ranges."""
    ranking, ranges = report.ranking, report.ranking.ranges
    verdict, is_official = ranking.verdict, ranking.certainty.is_official
    first = ranges.share_in_top(1) if ranges and is_official else None
    rows, starts, before = [], [], None
    for place, k in enumerate(ranking.order):
        cluster = 0 if ranking.clusters is None else int(ranking.clusters[k])
        starts += [place] * (before not in (None, cluster))
        before = cluster
        name = report.names[ranking.systems[k]]
        levels = [verdict.tiers[k]] if verdict and not is_official else []
        first_level, *others = [*levels, cluster or EN_DASH]
        cells = [level_text(first_level, ranking, ranking.systems[k]), *map(str, others)]
        cells += [name, _number(ranking.scores[k])]
        cells.append(_number(ranking.se[k]))
        if ranges is not None:
            cells.append(f"{_number(ranges.ci_low[k])} to {_number(ranges.ci_high[k])}")
            cells.append(span(int(ranges.rank_best[k]), int(ranges.rank_worst[k])))
        if first is not None:
            cells.append(percent(float(first[k])))
        rows.append(tuple(cells))
    heads = [*(["Tier"] if verdict and not is_official else []), "Cluster", "System", "Score", "SE"]
    if ranges is not None:
        heads += [f"{ranking.level:.0%} CI", "Ranks"]
    if first is not None:
        heads.append(f"{capital(runs_word(ranking.certainty))} first")
    yield Table(tuple(heads), tuple(rows), (heads.index("System"),), tuple(starts))
    for system, reason in ranking.standings.undefined.items():
        yield Words(f"{report.names[system]}: {reason}", "quiet")


def _neighbors(report: PairReport) -> Iterator[Block]:
    """Yield the distance of each system from the next one, and whether the two differ."""
    ranking = report.ranking
    has_test = not ranking.certainty.is_official
    rows = [
        (
            report.names[pair.upper],
            report.names[pair.lower],
            _number(pair.difference),
            *([p_value(pair.p)] if has_test else []),
            f"{'yes' if pair.apart else 'no'}{_own_test(ranking, pair)}",
        )
        for pair in neighbors(ranking)
    ]
    judged = ("Adjusted p", "Significant") if has_test else ("Separate ranges",)
    heads = ("System", "Next one", "Difference", *judged)
    if rows:
        yield Table(heads, tuple(rows), (0, 1, *range(3, len(heads))))
    if rows and has_test:
        level = f"{1 - ranking.level:.2g}"
        test = "if p, adjusted for all pairs by Holm's method, is at most"
        yield Words(f"Two systems differ significantly {test} {level}.", "quiet")


def _own_test(ranking: Ranking, pair: Neighbors) -> str:
    """Say what the winner's own test found of a pair that is not separated among all pairs."""
    verdict = ranking.verdict
    if verdict is None or verdict.is_official or pair.apart or pair.upper != verdict.winner:
        return ""
    upper, lower = map(verdict.systems.index, (pair.upper, pair.lower))
    return f"; winner's own test: {p_value(float(verdict.p[upper, lower]))}"


def _head_to_head(report: PairReport) -> Iterator[Block]:
    """Yield the figure of the page Head to head."""
    ranking = report.ranking
    judgments, order = ranking.judgments, ranking.order
    table = head_to_head_by(ranking.standings, judgments, order)
    scene = matrix_scene(
        table, None, "observed", verdict=ranking.verdict,
        names=report.names, title="", clusters=clusters_in_order(ranking.clusters, order),
    )  # fmt: skip
    yield Picture(figure_svg(matrix_json(scene, _look(report))))


def _look(report: PairReport) -> Look:
    colors = page_colors(report.ranking.judgments.color_places)
    return Look(colors, None, Sizes(width=PICTURE))


def _agreement(report: PairReport) -> Iterator[Block]:
    yield from _agreement_of_judges(report)
    for one in report.added:
        yield from one.blocks


def _agreement_of_judges(report: PairReport) -> Iterator[Block]:
    agreement = report.agreement
    if agreement is None:
        return
    judgments = report.ranking.judgments
    if ranks_ratings(judgments, report.ranking.standings.method):
        yield Words(f"{score_headline(score_agreement(judgments))}.")
        return
    if words := undefined_words(agreement):
        yield Words(words)
        return
    counted = [("strict", agreement.shown)]
    if published_kappas(judgments.pair):
        counted.append(("the WMT way", agreement.published))
    way = " The WMT way counts as the tables of WMT do." if counted[1:] else ""
    rows = [
        _kappa_row(whose, how, getattr(rates, kind))
        for how, rates in counted
        for kind, whose in (("inter", "between judges"), ("intra", "of judges with themselves"))
    ]
    level = f"{agreement.level:.0%}"
    heads = ("Agreement", "Counted", "κ", f"{level} CI, these judges", f"{level} CI, new judges",
             "In words", "Pairs")  # fmt: skip
    yield Table(heads, tuple(rows), (0, 1, 5))
    yield Words(
        "κ is agreement beyond chance, with the words of Landis and Koch. Strict compares only "
        "different judges and ignores the order in which two outputs were shown."
        f"{way} {explain_identical(agreement)} {explain_copies(agreement)}".rstrip(),
        "quiet",
    )


def _kappa_row(whose: str, how: str, kappa: Kappa) -> tuple[str, ...]:
    intervals = (
        EN_DASH if np.isnan(low) else f"{_number(low, 2)} to {_number(high, 2)}"
        for low, high in ((kappa.low, kappa.high), (kappa.others_low, kappa.others_high))
    )
    word = kappa.word
    return (whose, how, _number(kappa.kappa, 2), *intervals, word, thousands(kappa.comparable))


def _findings(report: PairReport) -> Iterator[Block]:
    if not report.findings:
        yield Words("No problems found in these judgments.")
    yield from map(_finding, report.findings)


def _finding(one: Finding) -> Words:
    return Words(f"{one.meaning} {one.remedy}".strip(), f"finding {one.severity}", one.finding)


def _making(report: PairReport) -> Iterator[Block]:
    """Yield what a paper says about the numbers, and what reproduces them."""
    paragraph = report.paragraph
    yield Words(paragraph.plain)
    yield from (Words(REFERENCES[key].line, "li") for key in paragraph.keys)
    if report.command:
        yield Words("This command reproduces the numbers:")
        yield Words(report.command, "pre")
    yield Words("Signature of the numbers:")
    yield Words(report.ranking.signature, "pre")


def _number(value: float, decimals: int = DECIMALS) -> str:
    """Write a number with the decimals of the command line's table."""
    return EN_DASH if np.isnan(value) else f"{value:.{decimals}f}".replace("-", "−")
