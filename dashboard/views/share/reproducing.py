"""What reproduces a view: its settings, signature, command and link."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from analysis.campaign import is_reference
from analysis.cli import archive
from analysis.cli.commands import commands
from analysis.cli.parser import parser_of
from analysis.cli.report import archive_of
from analysis.findings.certainty import certainty_words, whom
from analysis.findings.standings import evidence
from analysis.languages import NO_PAIR, language_pair
from analysis.parameters import format_value, hyperparameters
from analysis.ranking.ranking import Ranking
from analysis.reporting.bundle import rank_command, setting_words
from analysis.samples import EVERY_SAMPLE
from analysis.wording import EN_DASH, thousands
from dashboard.registry import sections
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import file_downloads, note, show_frame, signature
from dashboard.widgets.uploader import keep_session

IDENTICAL = {"expanded": "a tie among their systems", "collapsed": "judged once"}


def show_making(context: ViewContext, ranking: Ranking) -> None:
    """Show settings, signature, command and link."""
    show_frame(
        settings_in_words(context, ranking),
        {"Value": st.column_config.TextColumn(width="large")},
        height="content",
    )
    signature(ranking.signature)
    made_by = command(context)
    if made_by:
        st.markdown("This command reproduces the numbers:")
        st.code(made_by, language="bash", wrap_lines=True)
    else:
        note("No file is known from which the command line could read these judgments.")
    _offer_archive(context)
    keep_session(context)
    link = _link(context)
    if link:
        st.markdown("Link to this view, for others who can reach this address:")
        st.code(link, language=None, wrap_lines=True)
        note(
            "It contains settings, never data: its reader needs the same files, and is warned "
            "if the judgments differ."
            if not context.is_sample
            else "It contains settings; the sample is the same everywhere."
        )


def _offer_archive(context: ViewContext) -> None:
    """Offer the archive that the command line's ``verify`` recomputes."""
    make = archive_of_view(context)
    if make is None:
        note("These files are too large for an archive here; podium report --archive writes it.")
        return
    file_downloads("archive", [("Archive to verify (ZIP)", "zip", "application/zip", make)])
    note(
        "The archive has the judgments, the settings, every number, the report and the command "
        "that reproduces the same bytes. podium verify recomputes all of it."
    )


def archive_of_view(context: ViewContext) -> Callable[[], bytes] | None:
    """Return what makes the archive; None if the files' bytes are not at hand."""
    files, upload = files_of(context), None if context.is_sample else state.session().upload
    if not files or (upload is not None and not upload.contents):
        return None
    words = [*files, "--lang-pair", context.pair, f"--title={context.label}"]
    words += setting_words(context.ranker, context.certainty, context.selection)
    words += [word for one in sections("report") for word in one.words(context)]
    options = parser_of(commands()["report"], words).parse_args(words)
    sources = {} if upload is None else archive.as_sources(files, upload.contents)
    for one in sections("report"):
        sources |= one.sources(context)
    if upload is not None and upload.profile is not None:
        options.map = archive.PROFILE
        sources[archive.PROFILE] = upload.profile.to_yaml().encode()

    def make() -> bytes:
        found, sample = (sources, {}) if sources else archive.sources_of(options)
        return archive_of(options, found, sample, b"")

    return make


def command(context: ViewContext) -> str:
    """Return the command that makes the view's numbers; empty where no file is known."""
    files = files_of(context)
    if not files:
        return ""
    return rank_command(
        files,
        context.pair,
        context.ranker,
        certainty=context.certainty,
        judgments=context.judgments,
    )


def files_of(context: ViewContext) -> tuple[str, ...]:
    """Return the files that the command line reads."""
    if context.is_sample:
        samples = EVERY_SAMPLE.values()
        return tuple(f"sample:{s.name}" for s in samples if s.title == context.label)
    upload = state.session().upload
    return () if upload is None else upload.files


def _link(context: ViewContext) -> str:
    """Return the address of this view; empty without a browser.

    It also says if the view is of the user's own files: the address bar does not.
    """
    address = (st.context.url or "").split("?")[0]
    own = {} if context.is_sample else {state.CAMPAIGN: state.UPLOADED}
    parts = urlencode({**st.query_params.to_dict(), **own})
    return f"{address}?{parts}" if address else ""


def settings_in_words(context: ViewContext, ranking: Ranking) -> pd.DataFrame:
    """Return every choice of the view in words."""
    chosen, selection = context.certainty, context.selection
    rows = [
        ("Campaign", context.label),
        *([("Language pair", language_pair(context.pair))] * (context.pair != NO_PAIR)),
        ("Method", context.ranker.title),
    ]
    rows += [
        (
            parameter.title or parameter.name.replace("_", " ").capitalize(),
            parameter.choices.get(value) or format_value(value) or "automatic",
        )
        for parameter in hyperparameters(type(context.ranker))
        if (value := context.ranker.settings().get(parameter.name)) is not None
    ]
    rows.append(("Scope and resampling", certainty_words(chosen, whom(ranking))))
    if "runs:" in ranking.signature:
        rows += [("Resamples", thousands(chosen.runs)), ("Seed", str(chosen.seed))]
    if not context.judgments.are_votes:
        rows.append(("Identical outputs", IDENTICAL[selection.identical]))
    if any(map(is_reference, context.campaign.systems)):
        rows.append(("References", "ranked too" if selection.references else "left out"))
    if selection.exclude_systems:
        rows.append(("Systems left out", ", ".join(selection.exclude_systems)))
    if selection.judges:
        rows.append(("Only judges", ", ".join(selection.judges)))
    if selection.exclude_judges:
        rows.append(("Judges left out", ", ".join(selection.exclude_judges)))
    if selection.segments is not None:
        rows.append(("Segments", f"{selection.segments[0]}{EN_DASH}{selection.segments[1]}"))
    rows += [row for one in sections("report") if (row := one.in_words(context)) is not None]
    rows.append(("Used", evidence(context.judgments)))
    return pd.DataFrame(rows, columns=["Setting", "Value"])
