"""What reproduces a view: its settings, signature, command and link."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from analysis.ranking.ranking import Ranking
from analysis.reporting.command_line import campaign_command, rank_command
from analysis.simulation.samples import EVERY_SAMPLE
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.views.share.settings import settings_in_words
from dashboard.widgets.result_card import note, signature
from dashboard.widgets.session_file import keep_session


def show_making(context: ViewContext, ranking: Ranking) -> None:
    """Show settings, signature, command and link."""
    st.dataframe(
        settings_in_words(context),
        hide_index=True,
        width="stretch",
        height="content",
        column_config={"value": st.column_config.TextColumn("value", width="large")},
    )
    signature(ranking.signature)
    made_by = command(context)
    if made_by:
        st.markdown("In a shell, in Podium's folder:")
        st.code(made_by, language="bash", wrap_lines=True)
    else:
        note("The command line reads one file; these judgments come from several.")
    keep_session(context)
    link = _link()
    if link:
        st.markdown("This view, for others who can reach this address:")
        st.code(link, language=None, wrap_lines=True)
        note(
            "It contains settings, never data: whoever opens it needs the same files, and is "
            "warned "
            "where the judgments differ."
            if not context.is_sample
            else "It contains settings; the sample is the same everywhere."
        )


def command(context: ViewContext) -> str:
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


def archive_command(context: ViewContext, name: str) -> str:
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
