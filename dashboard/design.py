"""How everything looks: every color once, and the CSS that the theme cannot say.

``.streamlit/config.toml`` repeats `THEME`, as Streamlit reads it from nowhere else; a test holds
the two equal.
"""

from __future__ import annotations

from analysis.colors import (
    CIVIDIS,
    DIVERGING,
    INKS,
    PALETTE,
    PROBLEM,
    SEQUENTIAL,
    SEQUENTIAL_DARK,
    WARNING,
    Inks,
    Mode,
)
from analysis.colors import faded as faded

SURVIVAL: dict[Mode, tuple[str, str, str]] = {
    "light": ("#B75708", "#DCE6EF", "#2570AC"),
    "dark": ("#B75708", "#33424F", "#2570AC"),
}
"""What became of a statement: turned, kept in order, significant."""
ODD: dict[Mode, str] = {mode: colors[1] for mode, colors in PALETTE.items()}
"""What marks somebody or something that deserves a look."""


def _theme(mode: Mode) -> dict[str, object]:
    ink = INKS[mode]
    light = mode == "light"
    return {
        "primaryColor": ink.accent,
        "backgroundColor": ink.paper,
        "secondaryBackgroundColor": ink.band,
        "textColor": ink.text,
        "borderColor": ink.border,
        "linkColor": ink.accent,
        "chartCategoricalColors": list(PALETTE[mode]),
        "chartSequentialColors": list(CIVIDIS),
        "chartDivergingColors": [color for _, color in DIVERGING],
        "sidebar": {
            "backgroundColor": ink.panel,
            "secondaryBackgroundColor": ink.paper if light else ink.nothing,
        },
    }


THEME = {mode: _theme(mode) for mode in INKS}
"""The colors of Streamlit's own widgets and charts, by its names."""


def inks(mode: Mode) -> Inks:
    return INKS[mode]


def from_paper(mode: Mode) -> tuple[tuple[float, str], ...]:
    """Return the sequential scale that begins near the paper, so that more stands out more.

    In the dark it ends before its brightest colors, which glare in large areas.
    """
    if mode == "dark":
        return SEQUENTIAL_DARK
    return tuple((1 - place, color) for place, color in reversed(SEQUENTIAL))


COPY_ICON = (
    "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E"
    "%3Cpath fill='none' stroke='black' stroke-width='2' stroke-linejoin='round' "
    "d='M9 9h11v11H9z M5 15H4V4h11v1'/%3E%3C/svg%3E\")"
)
"""Two sheets, one behind the other: a shape for CSS, since Streamlit drops pictures in HTML."""

CSS = f"""
<style>
  .stMainBlockContainer {{ padding-top: 4.2rem; padding-bottom: 4rem; max-width: 1240px; }}
  .stMain, .stSidebar {{ font-variant-numeric: tabular-nums; }}
  .st-key-rooms {{ margin-bottom: .3rem; }}
  .st-key-rooms > div {{ width: 100%; }}
  .stSidebar [data-testid="stPageLink-NavLink"] {{ padding: 0 .4rem; margin: 0; gap: .45rem;
      width: 100%; height: 1.75rem; min-height: 0; }}
  .stSidebar .st-key-rooms [data-testid="stElementContainer"]
      {{ height: auto; margin: 0 !important; }}
  .st-key-foot {{ margin-top: .45rem; opacity: .85; }}
  .st-key-foot [data-testid="stPageLink-NavLink"] p {{ font-size: .85rem; }}
  .stSidebar [data-testid="stSidebarHeader"] {{ height: 3.2rem; margin-bottom: 0; }}
  .stSidebar [data-testid="stSidebarUserContent"] {{ padding-top: .5rem; }}
  .stSidebar [data-testid="stSidebarUserContent"] > div > [data-testid="stVerticalBlock"]
      {{ gap: .6rem; }}
  .stMain h1 {{ letter-spacing: -.012em; line-height: 1.22; padding: 0 0 .25rem;
              text-wrap: balance; }}
  .stElementContainer:has(.podium-sample) + .stElementContainer h1::before {{
      content: "Sample"; font-size: .8rem; font-weight: 600;
      letter-spacing: .02em; vertical-align: middle; margin-right: .6rem; padding: .15rem .5rem;
      border-radius: 5px; border: 1px solid currentColor; opacity: .72; }}
  .stElementContainer:has(.podium-simulated) + .stElementContainer h1::before
      {{ content: "Simulated sample"; }}
  .stMain h2 {{ padding-top: .4rem; }}
  .stMainBlockContainer {{ position: relative; }}
  .st-key-progress {{ position: absolute; top: .35rem; width: min(26rem, 70%); z-index: 999991; }}
  .st-key-pair-row {{ flex-wrap: nowrap; align-items: end; }}
  .st-key-pair-row > div:first-child {{ flex: 1 1 0; min-width: 0; }}
  .st-key-pair-row > div {{ flex: 0 0 auto; }}
  .st-key-pair-row button [data-testid="stMarkdownContainer"] {{ position: absolute; width: 1px;
      height: 1px; overflow: hidden; clip-path: inset(50%); }}
  .st-key-chips button, .st-key-differences button {{ min-height: 1.9rem; padding: .05rem .6rem; }}
  .st-key-chips button p, .st-key-differences button p {{ font-size: .87rem; }}
  .podium-eyebrow {{ font-size: .82rem; font-weight: 600; letter-spacing: .02em; opacity: .68;
                    margin: 0 0 -.55rem; }}
  .podium-signature {{ font-size: .8rem; opacity: .78; margin: .2rem 0 0; display: flex;
                      gap: .45rem; align-items: flex-start; }}
  .podium-signature button {{ background: none; border: 0; padding: .12rem .15rem; color: inherit;
                             cursor: pointer; line-height: 1; border-radius: 4px; }}
  .podium-signature button::before {{ content: ""; display: block; width: 15px; height: 15px;
      background: currentColor; mask: {COPY_ICON} center / contain no-repeat; }}
  .podium-signature button:hover {{ background: rgba(128, 128, 128, .22); }}
  .podium-signature summary {{ cursor: pointer; width: fit-content; }}
  .podium-signature code {{ font-family: ui-monospace, Consolas, monospace; font-size: .74rem;
                           overflow-wrap: anywhere; user-select: all; background: none;
                           color: inherit; padding: 0; }}
  .st-key-answers {{ padding-top: .35rem; }}
  .podium-answer {{ margin: 0; max-width: 56rem; display: flex; gap: .6rem; }}
  .podium-answer b {{ flex: 0 0 6.4rem; font-weight: 600; }}
  .st-key-answers .stHorizontalBlock {{ flex-wrap: nowrap; }}
  .st-key-answers .stHorizontalBlock > div:last-child {{ flex: 0 0 auto; }}
  .st-key-answers p {{ font-size: .95rem; line-height: 1.45; }}
  .st-key-answers a {{ padding-top: .1rem; padding-bottom: .1rem; min-height: 0; }}
  .podium-facts {{ display: flex; flex-wrap: wrap; gap: .9rem clamp(1rem, 3vw, 2.6rem);
                  margin: .9rem 0 .4rem; }}
  .podium-facts div {{ min-width: 4.4rem; }}
  .podium-facts b {{ display: block; font-size: 1.55rem; font-weight: 600; line-height: 1.25; }}
  .podium-facts span {{ font-size: .86rem; opacity: .72; }}
  .podium-facts i {{ font-style: normal; font-size: .86rem; opacity: .72; display: block; }}
  .podium-finding {{ border-left: 3px solid; padding: .1rem 0 .1rem .9rem; margin: 0 0 1rem;
                    max-width: 46rem; }}
  .podium-finding p {{ margin: 0; line-height: 1.5; }}
  .podium-finding small {{ font-size: .78rem; font-weight: 600; letter-spacing: .02em;
                          opacity: .72; }}
  .podium-problem {{ border-color: {PROBLEM}; }}
  .podium-warning {{ border-color: {WARNING}; }}
  .podium-note {{ font-size: .9rem; opacity: .74; margin: 0; min-height: 1.4rem; }}
  .podium-text {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: .92rem; margin: 0;
                  max-height: 24rem; overflow-y: auto; }}
  .podium-own-note {{ border-left: 3px solid {INKS["light"].strong_rule}; margin: .4rem 0 0;
                      padding-left: .9rem; max-width: 46rem; overflow-wrap: anywhere; }}
  .podium-finding.podium-note {{ border-color: {INKS["light"].strong_rule}; font-size: 1rem;
                                opacity: 1; }}
  .stMultiSelect [data-tag], [data-testid^="stBaseButton-primary"],
  [data-testid^="stBaseButton-primary"] p {{
      color: light-dark({INKS["light"].paper}, {INKS["dark"].paper}); }}
  [data-testid="stCaptionContainer"] {{ opacity: .74; }}
  .podium-list {{ margin: 0; padding-left: 1.1rem; }}
  .podium-list li {{ margin: 0 0 .35rem; font-size: .95rem; }}
  .st-key-turn {{ display: none; }}
  @media print {{
    .stSidebar, [data-testid="stHeader"], .modebar, .stButton, .stDownloadButton, .stPopover,
    .podium-copy {{ display: none !important; }}
    .stApp, .stAppViewContainer, .stMain, [data-testid="stAppViewContainer"],
    [data-testid="stMain"] {{ position: static !important; overflow: visible !important;
        height: auto !important; width: auto !important; display: block !important; }}
    .stMainBlockContainer {{ padding: 0 !important; max-width: none !important;
        width: var(--podium-width) !important; zoom: var(--podium-zoom); }}
    .stPlotlyChart, .stDataFrame, .stHtml {{ break-inside: avoid; }}
    [class*="st-key-wide-"] {{ overflow: visible !important; }}
    h1, h2 {{ break-after: avoid; }}
    @page {{ size: A4 landscape; margin: 12mm; }}
  }}
</style>
"""
