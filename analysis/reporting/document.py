"""A document as blocks of data, written as one HTML page that loads nothing, or as PDF.

Names from data are text in both: HTML is escaped here, and Typst gets the blocks as JSON. The same
blocks give the same bytes.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import typst

from analysis.colors import COLORS_CSS, INKS
from analysis.drawing.files import FAMILY, plain_svg, typeset
from analysis.errors import PodiumError
from analysis.escaping import as_html, printable

PICTURES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg"}
LARGEST_LOGO = 2**20
CSS = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--text); font: 16px/1.55 "Source Sans 3", "Segoe UI", system-ui, sans-serif; }
body.wide { max-width: 72rem; }
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


@dataclass(frozen=True)
class Words:
    """Text: a heading (h1, h2), a paragraph (p), a quiet one, the user's note, code (pre), a line
    of a list (li) or a "finding" with its severity. ``lead`` comes first, in bold.
    """

    text: str
    kind: str = "p"
    lead: str = ""


@dataclass(frozen=True)
class Facts:
    """Numbers, each with what it counts."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Picture:
    """An SVG in the colors of its page."""

    svg: str


@dataclass(frozen=True)
class Table:
    """A table of text; columns are numbers but ``words``; a rule is above the rows ``starts``."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()


Block = Words | Facts | Picture | Table


def html_page(
    title: str, sections: Iterable[Sequence[Block]], *, logo: bytes = b"", wide: bool = False
) -> str:
    """Return blocks as a page that loads nothing: no script, no font, no address."""
    body = "".join(f"<section>\n{''.join(map(_html, s))}</section>\n" for s in sections)
    head, policy = "", "default-src 'none'; style-src 'unsafe-inline'"
    if logo:
        data = f"data:image/{_kind_of(logo)};base64,{base64.b64encode(logo).decode()}"
        head, policy = (
            f'<p class="logo"><img src="{data}" alt=""></p>\n',
            f"{policy}; img-src data:",
        )
    # The policy lets nothing in from anywhere, whatever a name should hold.
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{as_html(title)}</title>\n<style>{COLORS_CSS}{CSS}</style>\n</head>\n"
        f"<body{' class=wide' if wide else ''}>\n<main>\n{head}{body}</main>\n</body>\n</html>\n"
    )


def pdf_document(title: str, sections: Iterable[Sequence[Block]], *, logo: bytes = b"") -> bytes:
    """Return blocks as a PDF of A4 pages, a section on a page of its own."""
    if logo:
        _kind_of(logo)
    ink = INKS["light"]
    document = dict(
        sections=[[_for_typst(block) for block in section] for section in sections],
        logo=list(logo),
        colors=dict(quiet=ink.quiet, rule=ink.rule, strong=ink.strong_rule, band=ink.band),
    )
    try:
        return typeset(_PAGES, {"document": json.dumps(document), "title": printable(title)})
    except typst.TypstError as error:
        if not logo:
            raise
        raise PodiumError("Logo", "it cannot be read", "Save it as a PNG.") from error


def _kind_of(logo: bytes) -> str:
    kind = next((kind for mark, kind in PICTURES.items() if logo.startswith(mark)), None)
    if kind is None:
        raise PodiumError("Logo", "it is neither a PNG nor a JPEG", "Save it as a PNG.")
    if len(logo) > LARGEST_LOGO:
        size = f"it has {len(logo) / 2**20:.1f} MB, and 1 MB is the most"
        raise PodiumError("Logo", size, "Make it smaller.")
    return kind


def _html(block: Block) -> str:
    if isinstance(block, Picture):
        return f"{block.svg}\n"
    if isinstance(block, Facts):
        cells = "".join(
            f"<div><dt>{as_html(what)}</dt><dd>{as_html(number)}</dd></div>"
            for number, what in block.items
        )
        return f'<dl class="facts">{cells}</dl>\n'
    if isinstance(block, Table):
        return "\n".join(_html_table(block))
    text, lead = as_html(block.text), as_html(block.lead)
    if block.kind in ("h1", "h2", "p", "li", "pre"):
        return f"<{block.kind}>{text}</{block.kind}>\n"
    if block.kind in ("quiet", "note"):
        bold = f"<b>{lead}</b> " if lead else ""
        return f'<p class="{block.kind}">{bold}{text}</p>\n'
    return f'<div class="{block.kind}"><p><b>{lead}</b></p><p>{text}</p></div>\n'


def _html_table(table: Table) -> Iterator[str]:
    def cells(tag: str, values: Sequence[str]) -> str:
        kinds = ["" if k in table.words else ' class="number"' for k in range(len(values))]
        scope = ' scope="col"' if tag == "th" else ""
        pairs = zip(kinds, values, strict=True)
        return "".join(f"<{tag}{scope}{kind}>{as_html(value)}</{tag}>" for kind, value in pairs)

    yield f'<div class="scroll"><table>\n<thead><tr>{cells("th", table.heads)}</tr></thead>'
    yield "<tbody>"
    for number, row in enumerate(table.rows):
        rule = ' class="starts"' if number in table.starts else ""
        yield f"<tr{rule}>{cells('td', row)}</tr>"
    yield "</tbody></table></div>\n"


_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def _for_typst(block: Block) -> dict[str, Any]:
    """Return a block as JSON; characters that nothing prints are gone."""
    if isinstance(block, Picture):
        size = _SIZE.search(block.svg)
        assert size is not None, "a picture says how large it is"
        ratio = float(size[1]) / float(size[2])
        return dict(block="picture", svg=plain_svg(block.svg), ratio=ratio)
    return dict(block=type(block).__name__.lower(), **_printable(asdict(block)))


def _printable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _printable(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_printable(one) for one in value]
    return printable(value) if isinstance(value, str) else value


_PAGES = """
#set document(title: sys.inputs.title, date: none)
#let it = json(bytes(sys.inputs.document))
#let ink(name) = rgb(it.colors.at(name))
#set page(paper: "a4", margin: 16mm, footer: context align(right,
  text(8pt, fill: ink("quiet"), counter(page).display("1 / 1", both: true))))
#set text(font: "FAMILY", size: 10pt, number-width: "tabular")
#show heading: set block(above: 1.4em, below: .7em, sticky: true)
#show heading.where(level: 1): set text(16pt)
#show heading.where(level: 2): set text(12pt)
#let bar(color, body) = block(width: 100%, stroke: (left: 2pt + color), inset: (left: 8pt, y: 2pt),
  breakable: false, body)
#let words(b) = {
  if b.kind == "h1" { heading(level: 1, b.text) }
  else if b.kind == "h2" { heading(level: 2, b.text) }
  else if b.kind == "p" { par(b.text) }
  else if b.kind == "li" { pad(left: 8pt, text(9pt, fill: ink("quiet"), b.text)) }
  else if b.kind == "quiet" { par(text(9pt, fill: ink("quiet"), b.text)) }
  else if b.kind == "pre" {
    block(width: 100%, fill: ink("band"), inset: 6pt, radius: 3pt, text(8pt, b.text)) }
  else { bar(ink("strong"), { if b.lead != "" { strong(b.lead); [ ] }; b.text }) }
}
#let fact(one) = stack(spacing: 5pt, text(15pt, weight: 600, one.first()),
  text(9pt, fill: ink("quiet"), one.last()))
#let facts(b) = block(above: 1em, below: 1em, stack(dir: ltr, spacing: 24pt,
  ..b.items.map(fact)))
#let cells(b) = table(
  columns: b.heads.len(), stroke: none, inset: (x: 4pt, y: 3pt),
  align: b.heads.enumerate().map(((k, _)) => if k in b.words { left } else { right }),
  table.header(..b.heads.map(head => strong(head))),
  table.hline(stroke: .6pt + ink("strong")),
  ..b.rows.enumerate().map(((k, row)) => (
    if k in b.starts { (table.hline(stroke: .8pt + ink("strong")),) } else { () }
    + row.map(cell => text(9pt, cell)))).flatten(),
)
#let picture(b) = image(bytes(b.svg), format: "svg", width: calc.min(178mm, 195mm * b.ratio))
#if it.logo.len() > 0 { image(bytes(it.logo), height: 16mm) }
#for (k, section) in it.sections.enumerate() {
  if k > 0 { pagebreak() }
  for b in section {
    if b.block == "words" { words(b) }
    else if b.block == "facts" { facts(b) }
    else if b.block == "table" { cells(b) }
    else { picture(b) }
  }
}
""".replace("FAMILY", FAMILY)


SECTIONS = {
    "standings": "Standings",
    "neighbors": "Neighbors",
    "head-to-head": "Head to head",
    "agreement": "Agreement of the judges",
    "checks": "Before you trust it",
    "making": "Methods",
}
"""What stands below the finding and the picture, in this order; each may be left out."""
