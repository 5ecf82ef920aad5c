"""A report as one HTML file: the finding, the picture, the tables, how it was made.

It loads nothing: no script, no font, no address. Names from data are text. The same input gives
the same bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, Campaign, Judgments
from analysis.colors import COLORS_CSS, page_colors
from analysis.comparing.head_to_head import head_to_head
from analysis.drawing.far_off import far_off, far_off_words
from analysis.drawing.look import Look, Sizes
from analysis.drawing.matrix import clusters_in_order, matrix_json, matrix_scene
from analysis.drawing.row_picture import rows_json
from analysis.drawing.standings import standings_scene
from analysis.drawing.svg import figure_svg
from analysis.errors import PodiumError
from analysis.findings.certainty import ranking_words
from analysis.findings.evidence import evidence_size
from analysis.findings.result import result_headline
from analysis.findings.standings import neighbors
from analysis.judges.agreement import Agreement, Kappa
from analysis.judges.history import explain_identical
from analysis.rankers import Ranker
from analysis.ranking.preflight import Finding
from analysis.ranking.ranking import Ranking
from analysis.reporting.bibliography import REFERENCES
from analysis.reporting.methods_paragraph import Paragraph, methods_paragraph
from analysis.wording import (
    EN_DASH,
    as_html,
    count,
    language_pair,
    p_value,
    percent,
    span,
    thousands,
)

PICTURE = 900
"""Pixels of a picture's width before the page fits it in."""
DECIMALS = 3
SECTIONS = {
    "standings": "Standings",
    "neighbors": "Neighbors",
    "head-to-head": "Head to head",
    "agreement": "Agreement of the judges",
    "checks": "Before you trust it",
    "making": "How it was made",
}
"""What stands below the finding and the picture, in this order; each may be left out."""
PICTURES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg"}
LARGEST_LOGO = 2**20
_PICTURES = "; img-src data:"


CSS = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--text); font: 16px/1.55 "Source Sans 3", "Segoe UI", system-ui, sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .1rem 0 1rem; text-wrap: balance; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; }
p { max-width: 46rem; margin: .5rem 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
svg { width: 100%; height: auto; overflow: visible; font-variant-numeric: tabular-nums; }
.logo img { max-height: 4rem; max-width: 16rem; }
.note { border-left: 3px solid var(--mark); padding-left: .9rem; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2.4rem; margin: 1rem 0 1.4rem; padding: 0; }
.facts div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.facts dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.3; }
.facts dt { color: var(--quiet); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--strong); }
th, td { padding: .3rem .7rem .3rem 0; vertical-align: baseline; }
.number { text-align: right; white-space: nowrap; }
tbody td, tbody th { border-bottom: 1px solid var(--rule); }
tbody th { font-weight: 400; }
tr.starts td, tr.starts th { border-top: 2px solid var(--strong); }
.finding { border-left: 3px solid var(--strong); padding: .05rem 0 .05rem .9rem; margin: 0 0 1rem; }
.finding p { margin: 0; }
.problem { border-color: var(--problem); }
.warning { border-color: var(--warning); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--band); padding: .8rem 1rem;
  border-radius: 6px; font-size: .82rem; line-height: 1.5; margin: .5rem 0; }
section + section { margin-top: 4rem; border-top: 1px solid var(--strong); padding-top: 2rem; }
@media (max-width: 64rem) { body { padding: 1.2rem .9rem 2rem; font-size: 15px; }
  h1 { font-size: 1.4rem; } }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } h2 { break-after: avoid; }
  tr, svg, .finding { break-inside: avoid; }
  svg { max-height: 240mm; } .scroll { overflow: visible; }
  section + section { break-before: page; border: 0; }
  thead { display: table-header-group; } @page { size: A4; margin: 16mm; } }
"""


@dataclass(frozen=True, eq=False)
class PairReport:
    """All that is reported of one language pair.

    ``names`` go from a system's name to the
    short one, ``published`` is the ranking by the published procedure where it is not the ranking
    itself, ``command`` makes the numbers again, ``remark`` says what else is to know of the
    data. ``agreement`` is None where it is not defined. ``notes`` are the user's own, each with
    what it is about.
    """

    ranking: Ranking
    ranker: Ranker
    names: Mapping[str, str]
    published: Ranking | None = None
    agreement: Agreement | None = None
    findings: Sequence[Finding] = ()
    command: str = ""
    remark: str = ""
    notes: Sequence[tuple[str, str]] = ()

    @property
    def paragraph(self) -> Paragraph:
        """How the ranking was made, for a paper."""
        return methods_paragraph(
            self.ranking,
            self.ranker,
            agreement=self.agreement,
            remark=self.remark,
        )


def html_report(
    title: str,
    pairs: Sequence[PairReport],
    notes: Sequence[str] = (),
    *,
    note: str = "",
    logo: bytes = b"",
    sections: Iterable[str] = tuple(SECTIONS),
) -> str:
    """Return the report of one or several language pairs as a whole HTML file.

    ``title`` is the campaign's or the user's own; ``note`` is the user's, at the head; ``logo`` a
    PNG or JPEG above it; ``sections`` are those of `SECTIONS` that are wanted, in their own order.
    ``notes`` say what is not in the report and why.
    """
    wanted = _known_sections(sections)
    body = [f"<section>\n{''.join(_section(title, one, wanted))}</section>\n" for one in pairs]
    remarks = "".join(f'<p class="quiet">{as_html(note)}</p>\n' for note in notes)
    head = f'<p class="logo"><img src="{_data_address(logo)}" alt=""></p>\n' if logo else ""
    paragraphs = [line for line in note.splitlines() if line.strip()]
    head += "".join(f'<p class="note">{as_html(line)}</p>\n' for line in paragraphs)
    # The policy lets nothing in from anywhere, whatever a name should hold.
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'unsafe-inline'{_PICTURES if logo else ''}\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{as_html(title)}</title>\n"
        f"<style>{COLORS_CSS}{CSS}</style>\n</head>\n<body>\n"
        f"<main>\n{head}{''.join(body)}{remarks}</main>\n</body>\n</html>\n"
    )


def _known_sections(sections: Iterable[str]) -> tuple[str, ...]:
    wanted = set(sections)
    for name in sorted(wanted - set(SECTIONS)):
        raise PodiumError("Sections", f"{name!r} is not known", f"Choose of {', '.join(SECTIONS)}.")
    return tuple(name for name in SECTIONS if name in wanted)


def _data_address(logo: bytes) -> str:
    """Return a picture as an address that holds all of it."""
    kind = next((kind for mark, kind in PICTURES.items() if logo.startswith(mark)), None)
    if kind is None:
        raise PodiumError("Logo", "it is neither a PNG nor a JPEG", "Save it as a PNG.")
    if len(logo) > LARGEST_LOGO:
        size = f"it has {len(logo) / 2**20:.1f} MB, and 1 MB is the most"
        raise PodiumError("Logo", size, "Make it smaller.")
    return f"data:image/{kind};base64,{base64.b64encode(logo).decode()}"


def data_remark(campaign: Campaign) -> str:
    """Say of a sample that its judgments are drawn, not collected."""
    source = campaign.simulated_from
    return f"The judgments are {source}." if source else ""


def _section(title: str, report: PairReport, wanted: Sequence[str]) -> Iterator[str]:
    ranking = report.ranking
    about = " · ".join((title, language_pair(ranking.judgments.pair), report.ranker.title))
    yield f'<p class="quiet">{as_html(about)}</p>\n'
    yield f"<h1>{as_html(result_headline(ranking, lambda system: report.names[system]))}</h1>\n"
    yield _facts(report)
    yield _picture(report)
    yield f'<p class="quiet">{as_html(_interval_words(report))}</p>\n'
    for what, words in report.notes:
        yield f'<p class="note"><b>{as_html(what)}.</b> {as_html(words)}</p>\n'
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "standings": lambda: _standings(ranking, report.published),
        "neighbors": lambda: _neighbors(report),
        "head-to-head": lambda: _head_to_head(report),
        "agreement": lambda: _agreement(report.agreement),
        "checks": lambda: _findings(report.findings),
        "making": lambda: _making(report),
    }
    for name in wanted:
        yield from parts[name]()


def _picture(report: PairReport) -> str:
    """Return the figure of the page Standings in the colors of the report's page."""
    scene = standings_scene(report.ranking, report.names, report.ranker.score_label)
    return figure_svg(rows_json(scene, _look(report)))


def _facts(report: PairReport) -> str:
    judgments = report.ranking.judgments
    n, scores = len(judgments), judgments.scores
    tasks = (thousands(judgments.n_tasks), "ranking tasks")
    facts = [
        (thousands(judgments.n_systems), "systems"),
        (thousands(evidence_size(judgments)), "judgments" if scores is None else "scores"),
        (thousands(n), "preferences") if scores is not None else tasks,
        (_judges(judgments), "judges"),
        (percent(judgments.n_ties / n) if n else EN_DASH, "ties"),
    ]
    cells = "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for number, what in facts)
    return f'<dl class="facts">{cells}</dl>\n'


def _judges(judgments: Judgments) -> str:
    who = [judgments.judges[k] for k in np.unique(judgments.task_judge)]
    return thousands(len(who)) if who != [UNNAMED_JUDGE] else EN_DASH


def _interval_words(report: PairReport) -> str:
    ranking = report.ranking
    sides = far_off(ranking.scores)
    far = [report.names[s] for s, side in zip(ranking.systems, sides, strict=True) if side]
    words = f"{far_off_words(far)}{ranking_words(ranking)}"
    if ranking.ranges is None:
        return words
    box = "; boxes cover half of the resamples" if ranking.certainty.is_published else ""
    return f"Left: scores with their intervals. Right: rank ranges{box}. {words}"


def _standings(ranking: Ranking, published: Ranking | None) -> Iterator[str]:
    """Yield the table of `Ranking.to_frame`, with intervals.

    The ranks of the published procedure stand beside, if they are known.
    """
    beside = None if published is None else published.ranges
    ranges = ranking.ranges
    first = ranges.share_in_top(1) if ranges and ranking.certainty.is_published else None
    rows, starts, before = [], [], None
    for k in ranking.order:
        cluster = 0 if ranking.clusters is None else int(ranking.clusters[k])
        starts.append(before not in (None, cluster))
        before = cluster
        cells = [str(cluster or EN_DASH), ranking.systems[k], _number(ranking.scores[k])]
        cells.append(_number(ranking.se[k]))
        if ranges is not None:
            cells.append(f"{_number(ranges.ci_low[k])} to {_number(ranges.ci_high[k])}")
            cells.append(span(int(ranges.rank_best[k]), int(ranges.rank_worst[k])))
        if first is not None:
            cells.append(percent(float(first[k])))
        if beside is not None:
            cells.append(span(int(beside.rank_best[k]), int(beside.rank_worst[k])))
        rows.append(cells)
    heads = ["Cluster", "System", "Score", "Std. dev."]
    if ranges is not None:
        heads += [f"{ranking.level:.0%} interval", "Ranks"]
    if first is not None:
        heads.append("Runs first")
    if beside is not None:
        heads.append("Ranks as published")
    yield "<h2>Standings</h2>\n"
    yield _table(heads, rows, starts=starts, text_columns=(1,))
    if published is not None and published.ranges is not None:
        yield f'<p class="quiet">{as_html(_published_words(ranking, published))}</p>\n'
    for system, reason in ranking.standings.undefined.items():
        yield f'<p class="quiet">{as_html(f"{system}: {reason}")}</p>\n'


def _published_words(ranking: Ranking, published: Ranking) -> str:
    """Say what the published procedure finds, and why it finds more."""
    theirs, ours = published.n_clusters or 0, ranking.n_clusters or 0
    return (
        f"The published procedure finds {count(theirs, 'cluster')}, against {ours} here. Its rank "
        f"ranges hold {published.level:.0%} of {thousands(published.runs)} runs for each system "
        "alone, and it takes judgments of one task, sentence or judge for independent facts."
    )


def _neighbors(report: PairReport) -> Iterator[str]:
    """Yield how far each system is from the next one, and whether they are told apart."""
    ranking = report.ranking
    found = neighbors(ranking)
    if not found:
        return
    rows = [
        (
            report.names[pair.upper],
            report.names[pair.lower],
            _number(pair.difference),
            p_value(pair.p),
            "yes" if pair.apart else "not yet",
        )
        for pair in found
    ]
    yield "<h2>Neighbors</h2>\n"
    heads = ("System", "Next one", "Difference", "Adjusted p", "Significant")
    yield _table(heads, rows, text_columns=(0, 1, 3, 4))
    yield (
        '<p class="quiet">Two systems differ significantly where p, adjusted for all pairs by '
        f"Holm's method, is at most {1 - ranking.level:.2g}.</p>\n"
    )


def _head_to_head(report: PairReport) -> Iterator[str]:
    """Yield the figure of the page Head to head."""
    ranking = report.ranking
    judgments, order = ranking.judgments, ranking.order
    table = head_to_head(judgments.counts, judgments.systems, order)
    scene = matrix_scene(
        table, np.full_like(table.wins, np.nan), "observed", verdict=ranking.verdict,
        names=report.names, title="", clusters=clusters_in_order(ranking.clusters, order),
    )  # fmt: skip
    yield f"<h2>Head to head</h2>\n{figure_svg(matrix_json(scene, _look(report)))}\n"


def _look(report: PairReport) -> Look:
    colors = page_colors(report.ranking.judgments.color_places)
    return Look(colors, None, Sizes(width=PICTURE))


def _agreement(agreement: Agreement | None) -> Iterator[str]:
    if agreement is None:
        return
    rows = [
        _kappa_row(whose, how, getattr(rates, kind))
        for how, rates in (("strict", agreement.strict), ("as published", agreement.published))
        for kind, whose in (("inter", "between judges"), ("intra", "of judges with themselves"))
    ]
    yield "<h2>Agreement of the judges</h2>\n"
    level = f"{agreement.level:.0%}"
    heads = ("Agreement", "Counted", "κ", f"{level}, by these judges", f"{level}, by other judges",
             "In words", "Pairs")  # fmt: skip
    yield _table(heads, rows, text_columns=(0, 1, 5))
    yield (
        '<p class="quiet">κ is agreement beyond chance; the words are those of Landis and Koch. '
        "Strict: only different judges are compared, and the order in which two outputs were "
        "shown does not matter. As published: as the tables of WMT were made. "
        f"{explain_identical(agreement)}</p>\n"
    )


def _kappa_row(whose: str, how: str, kappa: Kappa) -> tuple[str, ...]:
    intervals = (
        EN_DASH if np.isnan(low) else f"{_number(low, 2)} to {_number(high, 2)}"
        for low, high in ((kappa.low, kappa.high), (kappa.others_low, kappa.others_high))
    )
    word = kappa.word
    return (whose, how, _number(kappa.kappa, 2), *intervals, word, thousands(kappa.comparable))


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    yield "<h2>Before you trust it</h2>\n"
    found = list(findings)
    if not found:
        yield "<p>No problems found in these judgments.</p>\n"
    for finding in found:
        yield (
            f'<div class="finding {finding.severity}"><p><b>{as_html(finding.finding)}</b></p>'
            f"<p>{as_html(finding.meaning)} {as_html(finding.remedy)}</p></div>\n"
        )


def _making(report: PairReport) -> Iterator[str]:
    """Yield what is needed to write about the numbers and to make them again."""
    paragraph = report.paragraph
    yield f"<h2>How it was made</h2>\n<p>{as_html(paragraph.plain)}</p>\n<ul>\n"
    for key in paragraph.keys:
        yield f'<li class="quiet">{as_html(REFERENCES[key].line)}</li>\n'
    yield "</ul>\n"
    if report.command:
        yield f"<p>This command makes the same numbers:</p>\n<pre>{as_html(report.command)}</pre>\n"
    yield f"<p>Their signature:</p>\n<pre>{as_html(report.ranking.signature)}</pre>\n"


def _table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    starts: Sequence[bool] = (),
    text_columns: Sequence[int] = (),
) -> str:
    """Lay a table out; all columns are numbers but ``text_columns``; ``starts`` rules off rows."""

    def cells(tag: str, values: Sequence[str]) -> str:
        kinds = ["" if k in text_columns else ' class="number"' for k in range(len(values))]
        scope = ' scope="col"' if tag == "th" else ""
        pairs = zip(kinds, values, strict=True)
        return "".join(f"<{tag}{scope}{kind}>{as_html(value)}</{tag}>" for kind, value in pairs)

    lines = [f'<div class="scroll"><table>\n<thead><tr>{cells("th", heads)}</tr></thead>\n<tbody>']
    for number, row in enumerate(rows):
        rule = ' class="starts"' if number < len(starts) and starts[number] else ""
        lines.append(f"<tr{rule}>{cells('td', row)}</tr>")
    return "\n".join([*lines, "</tbody></table></div>\n"])


def _number(value: float, decimals: int = DECIMALS) -> str:
    """Write a number with the decimals of the command line's table."""
    return EN_DASH if np.isnan(value) else f"{value:.{decimals}f}".replace("-", "−")
