"""The report: one file with the finding, the picture, the tables and how they were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.ranking.ranking import Ranking
from analysis.reporting.deck.slides import about_note
from analysis.reporting.document import SECTIONS
from analysis.reporting.report import PairReport, data_remark, html_report, pdf_report
from dashboard import compute
from dashboard.compute.rankings import whole
from dashboard.registry import sections
from dashboard.session import decks
from dashboard.session.session_file import LONGEST_TEXT
from dashboard.session.view import ViewContext
from dashboard.views.share.reproducing import command
from dashboard.widgets.notices import findings
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import File, file_downloads

PREVIEW_HEIGHT = 620


def pair_report(context: ViewContext, ranking: Ranking) -> PairReport:
    """Return what a report says of the view's language pair."""
    return PairReport(
        ranking=ranking,
        ranker=context.ranker,
        names=context.short_names,
        agreement=compute.agreement_or_none(context),
        findings=findings(context),
        command=command(context),
        remark=data_remark(context.campaign, context.report),
        notes=_notes(context),
        added=tuple(part for one in sections("report") for part in one.added(context)),
    )


def _notes(context: ViewContext) -> tuple[tuple[str, str], ...]:
    """Return the user's notes on results of the pair, each with what it is about."""
    notes = decks.arrangement((context.campaign.fingerprint, context.pair)).notes
    return tuple((about_note(slide), words) for slide, words in notes.items())


def _left_out(context: ViewContext) -> tuple[str, ...]:
    """Say how much of the files was left out, and why, as Data does."""
    read = context.report
    reasons = () if read is None else tuple(reason.sentence() for reason in read.left_out)
    return () if read is None else (read.left_out_words(), *reasons)


def show_report(context: ViewContext, ranking: Ranking) -> None:
    """Show the report as it will look, and offer it as HTML and PDF."""
    report = pair_report(context, ranking)
    st.markdown("One file with the finding, the picture, the tables and how they were made.")
    form = ask_for_form(context)
    with st.container(key="progress-report"):
        bar = st.empty()
    views = _views(context, bar) if form.all_pairs else [context]
    reports = [report if one.pair == context.pair else _other(one) for one in views]
    title = context.title
    chosen = dict[str, Any](note=form.note, logo=form.logo, sections=form.sections)
    notes = tuple(_notes(view) for view in views)
    remarks = _left_out(context)
    key = ("report", form, report.ranking.signature, report.command, notes, title, *remarks)
    key += report.added
    document = compute.remember(
        context, key, lambda: html_report(title, reports, *remarks, **chosen)
    )

    def as_pdf() -> bytes:
        return pdf_report(title, reports, *remarks, **chosen)

    with st.container(horizontal=True, gap="small"):
        files: list[File] = [
            ("Report as HTML", "html", "text/html", lambda: document),
            ("PDF", "pdf", "application/pdf", as_pdf),
        ]
        file_downloads("report", files)
    with st.container(border=True):
        # Names in it are text, and its content security policy lets no script run.
        st.iframe(document, height=PREVIEW_HEIGHT, alt="The report as it will look")


def _views(context: ViewContext, bar: DeltaGenerator) -> list[ViewContext]:
    """Return the view of every language pair that can be ranked."""
    results = whole(context, progress=progress_in(bar, "Ranking", unit="language pairs"))
    bar.empty()
    ranked = {result.pair for result in results if result.ranking is not None}
    return [compute.with_pair(context, pair) for pair in context.campaign.pairs if pair in ranked]


def _other(view: ViewContext) -> PairReport:
    return pair_report(view, compute.ranking(view))


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
