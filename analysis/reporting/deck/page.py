"""A deck as HTML, the same on the page Present and as one file of its own, and as PDF."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

from analysis.colors import COLORS_CSS, MAX_COLORED
from analysis.drawing.files import CSS_PIXEL, FAMILY, FONTS, plain_svg, typeset
from analysis.escaping import as_html
from analysis.reporting.deck.picture import CSS as SLIDE_CSS
from analysis.reporting.deck.picture import HEIGHT, WIDTH, label, slide_svg, slider_middle
from analysis.reporting.deck.slides import Deck, Slider

SCRIPT = Path(__file__).with_name("deck.js").read_text(encoding="utf-8")
CSS = f"""
{SLIDE_CSS}
.deck {{ background: var(--paper); color: var(--text); container-type: inline-size;
  font-family: "{FAMILY}", "Source Sans", "Segoe UI", system-ui, sans-serif; outline: none; }}
.screen {{ display: none; position: relative; aspect-ratio: {WIDTH} / {HEIGHT}; width: 100%;
  overflow: hidden; }}
.screen.now {{ display: block; }}
.screen svg {{ display: block; width: 100%; height: 100%; }}
.screen input[type=range] {{ position: absolute; left: 28%; width: 60%; margin: 0; height: 4.4cqw;
  accent-color: var(--mark); transform: translateY(-50%); cursor: pointer; }}
.evidence {{ cursor: pointer; }}
.bar {{ display: flex; gap: .5rem; align-items: center; justify-content: center; padding: .4rem;
  flex-wrap: wrap; }}
.bar button {{ font: inherit; font-size: 1rem; color: var(--text); background: var(--band);
  border: 1px solid var(--strong); border-radius: 6px; padding: .25rem .8rem; cursor: pointer; }}
.bar .count {{ min-width: 4rem; text-align: center; color: var(--quiet); }}
.deck[data-anonymous="yes"] {{ {" ".join(f"--s{k}: var(--many);" for k in range(MAX_COLORED))} }}
.deck:fullscreen {{ display: flex; flex-direction: column; justify-content: center;
  align-items: center; }}
.deck:fullscreen .screen {{ width: min(100vw, 100vh * {WIDTH} / {HEIGHT}); container-type: size; }}
.deck:fullscreen .bar {{ position: fixed; bottom: 0; opacity: 0; }}
.deck:fullscreen .bar:hover, .deck:fullscreen .bar:focus-within {{ opacity: 1; }}
"""
ALONE_CSS = f"""
.hidden {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
html, body {{ margin: 0; height: 100%; background: var(--paper); }}
.deck {{ min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  justify-content: center; }}
.screen {{ width: min(100vw, 100vh * {WIDTH} / {HEIGHT}); container-type: size; }}
.bar {{ position: fixed; bottom: 0; left: 0; right: 0; opacity: 0; background: var(--paper); }}
.bar:hover, .bar:focus-within {{ opacity: 1; }}
.evidence {{ cursor: default; }}
@page {{ size: {WIDTH}px {HEIGHT}px; margin: 0; }}
@media print {{ .bar, input {{ display: none !important; }} .deck {{ display: block; }}
  .screen {{ display: block; width: {WIDTH}px; height: {HEIGHT}px; break-after: page; }}
  .screen:last-of-type {{ break-after: auto; }} }}
"""


def deck_html(deck: Deck, *, anonymous: bool = False) -> str:
    """Return the slides with their buttons; CSS and script come from whoever shows them."""
    screens = "".join(_screen(deck, place, anonymous) for place in range(len(deck.slides)))
    return (
        f'<div class="deck" data-anonymous="{"yes" if anonymous else "no"}" tabindex="-1">'
        f'{screens}<div class="bar"><button data-do="previous" type="button">‹ Previous</button>'
        '<span class="count" aria-live="polite"></span>'
        '<button data-do="next" type="button">Next ›</button>'
        '<button data-do="names" type="button">Hide names (N)</button>'
        '<button data-do="full" type="button">Full screen (F)</button></div></div>'
    )


def _screen(deck: Deck, place: int, anonymous: bool) -> str:
    slide = deck.slides[place]
    named, aliased = (as_html(label(deck, slide, hide)) for hide in (False, True))
    slider = ""
    if isinstance(slide.block, Slider):
        top = 100 * slider_middle(slide) / HEIGHT
        slider = (
            f'<input type="range" min="0" max="{len(slide.block.steps) - 1}" step="1" '
            f'value="{slide.block.start}" aria-label="{as_html(slide.block.label)}" '
            f'style="top:{top:.2f}%">'
        )
    picture = slide_svg(deck, place, anonymous=anonymous, all_steps=True)
    return (
        f'<section class="screen" data-key="{as_html(slide.key)}" data-named="{named}" '
        f'data-aliased="{aliased}">{picture}{slider}</section>'
    )


def deck_file(deck: Deck, *, anonymous: bool = False) -> str:
    """Return the deck as one file that opens anywhere, offline; keys and radius work in it.

    The policy lets its own script run and nothing else, whatever a name should hold. A deck whose
    systems are anonymous holds their names, too: the key N shows them.
    """
    script = f"{SCRIPT}\nstartDeck(document, 0, () => undefined);\n"
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; font-src data:; "
        f"script-src 'sha256-{allowed}'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{as_html(deck.title)}</title>\n"
        f"<style>{_faces()}{COLORS_CSS}{CSS}{ALONE_CSS}</style>\n</head>\n<body>\n"
        f'<h1 class="hidden">{as_html(deck.title)}</h1>\n'
        f"{deck_html(deck, anonymous=anonymous)}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _faces() -> str:
    """Return the rules that carry the typeface in the file."""
    faces = []
    for weight, name in ((400, "Regular"), (600, "Semibold")):
        data = base64.b64encode((FONTS / f"SourceSansPro-{name}.ttf").read_bytes()).decode()
        faces.append(
            f'@font-face {{ font-family: "{FAMILY}"; font-weight: {weight}; '
            f"src: url(data:font/ttf;base64,{data}) format('truetype'); }}\n"
        )
    return "".join(faces)


def deck_pdf(deck: Deck, *, anonymous: bool = False) -> bytes:
    """Return the deck as PDF, a slide a page; anonymous systems have no names in it at all."""
    pictures = [
        plain_svg(slide_svg(deck, place, anonymous=anonymous), SLIDE_CSS)
        for place in range(len(deck.slides))
    ]
    inputs = {"slides": json.dumps(pictures), "title": deck.title}
    return typeset(_PAGES, inputs)


_PAGES = f"""
#set document(title: sys.inputs.title, date: none)
#set page(width: {WIDTH * CSS_PIXEL:g}pt, height: {HEIGHT * CSS_PIXEL:g}pt, margin: 0pt)
#for (place, slide) in json(bytes(sys.inputs.slides)).enumerate() {{
  if place > 0 {{ pagebreak() }}
  image(bytes(slide), format: "svg", width: 100%)
}}
"""
