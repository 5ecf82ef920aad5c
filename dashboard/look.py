"""What the theme in ``.streamlit/config.toml`` cannot say: a few rules of CSS."""

from __future__ import annotations

import streamlit as st

_CSS = """
<style>
  .stMainBlockContainer { padding-top: 4.2rem; padding-bottom: 4rem; max-width: 1240px; }
  .stMain, .stSidebar { font-variant-numeric: tabular-nums; }
  .stMain h1 { letter-spacing: -.012em; line-height: 1.22; padding: 0 0 .25rem;
              text-wrap: balance; }
  .stMain h2 { padding-top: .4rem; }
  .stMainBlockContainer { position: relative; }
  .st-key-progress { position: absolute; top: .35rem; width: min(26rem, 70%); z-index: 999991; }
  .st-key-chips button { min-height: 1.9rem; padding: .05rem .6rem; }
  .st-key-chips button p { font-size: .87rem; }
  .podium-eyebrow { font-size: .82rem; font-weight: 600; letter-spacing: .02em; opacity: .68;
                    margin: 0 0 -.55rem; }
  .podium-signature { font-family: ui-monospace, Consolas, monospace; font-size: .74rem;
                      opacity: .62; overflow-wrap: anywhere; margin: .35rem 0 0; }
  .podium-facts { display: flex; flex-wrap: wrap; gap: .9rem clamp(1rem, 3vw, 2.6rem);
                  margin: .9rem 0 .4rem; }
  .podium-facts div { min-width: 4.4rem; }
  .podium-facts b { display: block; font-size: 1.55rem; font-weight: 600; line-height: 1.25; }
  .podium-facts span { font-size: .86rem; opacity: .72; }
  .podium-facts i { font-style: normal; font-size: .86rem; opacity: .72; display: block; }
  .podium-finding { border-left: 3px solid; padding: .1rem 0 .1rem .9rem; margin: 0 0 1rem;
                    max-width: 46rem; }
  .podium-finding p { margin: 0; line-height: 1.5; }
  .podium-finding small { font-size: .78rem; font-weight: 600; letter-spacing: .02em;
                          opacity: .72; }
  .podium-problem { border-color: #D55E00; }
  .podium-warning { border-color: #E69F00; }
  .podium-note { font-size: .9rem; opacity: .74; margin: 0; min-height: 1.4rem; }
  .podium-finding.podium-note { border-color: #7F8C99; font-size: 1rem; opacity: 1; }
  .podium-list { margin: 0; padding-left: 1.1rem; }
  .podium-list li { margin: 0 0 .35rem; font-size: .95rem; }
</style>
"""


def apply() -> None:
    """Add the rules to the page."""
    st.html(_CSS)
