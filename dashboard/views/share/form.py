"""What the user wants of the report: words and logo at its head, its sections."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis.reporting.document import SECTIONS
from dashboard.session.saved import LONGEST_TEXT
from dashboard.session.view import ViewContext


@dataclass(frozen=True)
class ReportForm:
    """What the user wants of the report."""

    note: str
    logo: bytes
    sections: tuple[str, ...]
    all_pairs: bool


def ask_for_form(context: ViewContext) -> ReportForm:
    """Ask for what the report shall hold; nothing needs an answer."""
    n_pairs = len(context.campaign.pairs)
    all_pairs = False
    with st.expander("Note, logo, sections", icon=":material/edit_document:"):
        words = st.text_area(
            "Note", key="report.note", height=80, placeholder="a remark below the title",
            max_chars=LONGEST_TEXT, persist_state="session",
        )  # fmt: skip
        logo = st.file_uploader(
            "Logo (PNG or JPEG)", type=["png", "jpg", "jpeg"], key="report.logo", max_upload_size=1
        )
        sections = st.pills(
            "Sections", list(SECTIONS), default=list(SECTIONS), selection_mode="multi",
            format_func=lambda name: SECTIONS[name], key="report.sections",
            persist_state="session",
        )  # fmt: skip
        if n_pairs > 1 and context.ranker.pace == "instant":
            all_pairs = st.toggle(
                f"All {n_pairs} language pairs", key="report.all", persist_state="session"
            )
    return ReportForm(
        note=str(words or ""),
        logo=logo.getvalue() if logo is not None else b"",
        sections=tuple(sections),
        all_pairs=bool(all_pairs),
    )
