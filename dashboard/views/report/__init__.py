"""Report: everything to carry away, and what is needed to make its numbers again."""

from __future__ import annotations

import dataclasses
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.standings import headline as finding
from analysis.ranking.ranking import Ranking
from analysis.reporting.command_line import campaign_command, rank_command
from analysis.reporting.deck.slides import about_note
from analysis.reporting.methods_paragraph import Paragraph
from analysis.reporting.report import PairReport, data_remark, html_report
from analysis.simulation.samples import EVERY_SAMPLE
from dashboard import compute
from dashboard.compute.whole import whole
from dashboard.session import state
from dashboard.session.view import ViewContext, require_campaign
from dashboard.views.report.exports import show_exports
from dashboard.views.report.form import ReportForm, ask_for_form
from dashboard.views.report.papers import show_archives, show_paper_tables
from dashboard.views.report.settings import settings_in_words
from dashboard.widgets.checks import findings
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import headline, note, show_ranking, signature

FORMS = ("Text", "LaTeX", "BibTeX")
PREVIEW_HEIGHT = 620


def show() -> None:
    """Show what can be downloaded and copied."""
    context = require_campaign()
    show_ranking(context, lambda ranking, final: _render(context, ranking, final))


def _render(context: ViewContext, ranking: Ranking, final: bool) -> None:
    headline(context, "Report", finding(ranking, context.name))
    if not final:
        note("The report follows when all runs are done.")
        return
    report = _pair_report(context, ranking)
    _show_report(context, report)
    st.markdown("## For your paper")
    _show_paragraph(report.paragraph)
    st.markdown("## Tables for your paper")
    show_paper_tables(context, ranking)
    st.markdown("## Tables and figures")
    show_archives(context, ranking, lambda name: _archive_command(context, name))
    show_exports(context, ranking)
    st.markdown("## The same numbers again")
    _show_making(context, report)


def _pair_report(context: ViewContext, ranking: Ranking) -> PairReport:
    return PairReport(
        ranking=ranking,
        ranker=context.ranker,
        names=context.short_names,
        published=_published(context),
        agreement=compute.agreement_or_none(context),
        findings=findings(context),
        command=_command(context),
        remark=data_remark(context.campaign),
        notes=_notes(context),
    )


def _notes(context: ViewContext) -> tuple[tuple[str, str], ...]:
    """Return the user's notes on results of the pair, each with what it is about."""
    notes = state.arrangement((context.campaign.fingerprint, context.pair)).notes
    return tuple((about_note(slide), words) for slide, words in notes.items())


def _published(context: ViewContext) -> Ranking | None:
    """Return the ranking as published to stand beside, where it needs no waiting."""
    if context.certainty.is_published:
        return None
    chosen = dataclasses.replace(context.certainty, ranges="marginal", unit="rows")
    beside = dataclasses.replace(context, certainty=chosen)
    if compute.takes_time(beside) and not compute.is_ranked(beside):
        return None
    return compute.ranking(beside)


def _show_report(context: ViewContext, report: PairReport) -> None:
    st.markdown(
        "One file with the finding, the picture, the tables and how they were made. It opens in "
        "any browser, loads nothing, and prints well."
    )
    document = _document(context, report, ask_for_form(context))
    file_name = context.file_name("report", "html")
    st.download_button(
        "Download the report",
        data=compute.fetched(lambda: document, "text/html", file_name),
        file_name=file_name,
        mime="text/html",
        key="download.report.html",
        on_click="ignore",
        type="primary",
        icon=":material/download:",
    )
    with st.container(border=True):
        # Names in it are text, and its content security policy lets no script run.
        st.iframe(document, height=PREVIEW_HEIGHT, alt="The report as it will look")


def _document(context: ViewContext, report: PairReport, form: ReportForm) -> str:
    """Return the report, made once for what it holds; all pairs are ranked under a bar."""
    with st.container(key="progress-report"):
        bar = st.empty()
    views = _views(context, bar) if form.all_pairs else [context]
    notes = tuple(_notes(view) for view in views)
    key = ("report", form, report.ranking.signature, report.command, notes, context.label)

    def make() -> str:
        reports = [report if one.pair == context.pair else _other(one) for one in views]
        title = form.title or context.label
        return html_report(title, reports, note=form.note, logo=form.logo, sections=form.sections)

    return compute.remember(context, key, make)


def _views(context: ViewContext, bar: DeltaGenerator) -> list[ViewContext]:
    """Return the view of every language pair that can be ranked."""
    results = whole(context, progress=progress_in(bar, "Ranking", unit="language pairs"))
    bar.empty()
    ranked = {result.pair for result in results if result.ranking is not None}
    return [compute.with_pair(context, pair) for pair in context.campaign.pairs if pair in ranked]


def _other(view: ViewContext) -> PairReport:
    return _pair_report(view, compute.ranking(view))


def _show_paragraph(paragraph: Paragraph) -> None:
    form = st.segmented_control(
        "Form",
        FORMS,
        default=FORMS[0],
        required=True,
        key="form",
        bind="query-params",
        label_visibility="collapsed",
    )
    words = {"Text": paragraph.plain, "LaTeX": paragraph.latex, "BibTeX": paragraph.bibtex}
    chosen = str(form)
    st.code(words[chosen], language=None, wrap_lines=True)
    if chosen == "LaTeX":
        note("This text needs the package natbib; BibTeX has the entries of all its keys.")


def _show_making(context: ViewContext, report: PairReport) -> None:
    """Show settings, signature, command and link."""
    st.dataframe(
        settings_in_words(context),
        hide_index=True,
        width="stretch",
        height="content",
        column_config={"value": st.column_config.TextColumn("value", width="large")},
    )
    signature(report.ranking.signature)
    if report.command:
        st.markdown("In a shell, in Podium's folder:")
        st.code(report.command, language="bash", wrap_lines=True)
    else:
        note("The command line reads one file; these judgments come from several.")
    link = _link()
    if link:
        st.markdown("This view, for others who can reach this address:")
        st.code(link, language=None, wrap_lines=True)
        note(
            "It holds settings, never data: whoever opens it needs the same files, and is warned "
            "where the judgments differ."
            if not context.is_sample
            else "It holds settings; the sample is the same everywhere."
        )


def _command(context: ViewContext) -> str:
    """Return the command that makes the view's numbers; empty where no file is known."""
    files = _files(context)
    if not files:
        return ""
    return rank_command(
        files,
        context.pair,
        context.ranker,
        certainty=context.certainty,
        selection=context.selection,
    )


def _archive_command(context: ViewContext, name: str) -> str:
    """Return the command that makes an archive of all language pairs; empty as above."""
    files = _files(context)
    if not files:
        return ""
    return campaign_command(
        files, name, context.ranker, certainty=context.certainty, selection=context.selection
    )


def _files(context: ViewContext) -> tuple[str, ...]:
    """Return the files that the command line reads."""
    if context.is_sample:
        samples = EVERY_SAMPLE.values()
        return tuple(f"sample:{s.name}" for s in samples if s.title == context.label)
    upload = state.upload()
    return () if upload is None else upload.files


def _link() -> str:
    """Return the address of this view; empty where there is no browser."""
    address = (st.context.url or "").split("?")[0]
    parts = urlencode(dict(st.query_params))
    return f"{address}?{parts}" if address else ""
