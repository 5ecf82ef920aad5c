"""Tables in the forms that papers print, to copy; all files of a pair or a campaign as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from analysis.comparing.language_pairs import PairResult
from analysis.judges.agreement import Agreement
from analysis.ranking.ranking import Ranking
from analysis.reporting.bundle import beside_published, campaign_files, files_command, zipped
from analysis.reporting.pair_tables import pair_tables
from analysis.reporting.paper_tables import (
    PaperTable,
    head_to_head_table,
    kappa_table,
    ranking_table,
    reordering_table,
)
from analysis.reporting.paper_writers import FORMS, workbook
from dashboard import compute
from dashboard.compute.rankings import is_whole, whole
from dashboard.session.view import ViewContext
from dashboard.views.share.reproducing import files_of
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import file_downloads, note

TABLES = ("Ranking", "Head to head", "Agreement", "Methods")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
Make = Callable[[], bytes]
HELP = {
    "LaTeX": "Needs booktabs, and graphicx if the table is wide.",
    "Typst": "Needs no packages.",
    "Markdown": "For a README, an issue or a wiki.",
}


def show_paper_tables(context: ViewContext, ranking: Ranking) -> None:
    """Show one table in one language, ready to copy."""
    with st.container(horizontal=True, gap="medium"):
        is_known = paper_table(context, ranking, "Agreement") is not None
        which = choose("Table", [one for one in TABLES if is_known or one != "Agreement"], "paper")
        form = choose("Language", FORMS, "language")
    table = paper_table(context, ranking, which)
    if table is None:
        note("This table is not defined for these judgments.")
        return
    write = FORMS[form][1]
    st.code(write(table, (ranking.signature,)), language=None, wrap_lines=True)
    note(HELP[form])


def paper_table(context: ViewContext, ranking: Ranking, which: str) -> PaperTable | None:
    names = context.short_names
    if which == "Ranking":
        return ranking_table(
            ranking, names, context.ranker.title, compute.caution(context, ranking)
        )
    if which == "Head to head":
        return head_to_head_table(ranking, names)
    if which == "Agreement":
        agreement = compute.agreement_or_none(context)
        if agreement is None or not agreement.is_known:
            return None
        return kappa_table([(context.pair, agreement)])
    if which != "Methods":
        return None
    compared = compute.remember(
        context,
        ("paper methods", ranking.signature),
        lambda: beside_published(ranking, context.ranker),
    )
    if compared is None:
        return None
    return reordering_table(compared, names, {}, context.pair)


def show_archives(context: ViewContext, ranking: Ranking) -> None:
    """Offer everything in one file: a workbook, a ZIP of this pair, a ZIP of all pairs."""
    agreement = compute.agreement_or_none(context)
    n_pairs = len(context.campaign.pairs)
    one_pair = [_result(context, ranking, agreement)]
    of_pair = "All tables and figures (ZIP)" if n_pairs == 1 else "This language pair (ZIP)"
    with st.container(horizontal=True, gap="small"):
        file_downloads(
            "tables",
            [("Workbook (XLSX)", "xlsx", XLSX, lambda: _workbook(ranking, agreement))],
        )
        file_downloads(
            "everything",
            [(of_pair, "zip", ZIP, zip_of(context, one_pair, context.pair))],
        )
        if n_pairs > 1 and context.ranker.pace == "instant":
            _offer_all_pairs(context)
    note(
        "A ZIP has every table as CSV, XLSX, LaTeX, Typst and Markdown, the pictures as SVG, PNG "
        "and PDF, the settings, and the command that reproduces the same bytes."
    )


def _workbook(ranking: Ranking, agreement: Agreement | None) -> bytes:
    return workbook(
        (table.title, table.frame, ranking.signature) for table in pair_tables(ranking, agreement)
    )


def _result(context: ViewContext, ranking: Ranking, agreement: Agreement | None) -> PairResult:
    return PairResult(context.pair, context.short_names, context.judgments, ranking, agreement)


def _offer_all_pairs(context: ViewContext) -> None:
    """Offer all pairs as one file; where they are not ranked yet, rank them first, under a bar."""
    name = f"All {len(context.campaign.pairs)} language pairs (ZIP)"
    if not is_whole(context):
        if not st.button(
            f"Rank for {name}", key="rank-all", icon=":material/play_arrow:", type="tertiary"
        ):
            return
        bar = st.empty()
        whole(context, progress=progress_in(bar, "Ranking", unit="language pairs"))
        bar.empty()
    results = whole(context)
    file_downloads("all-pairs", [(name, "zip", ZIP, zip_of(context, results, ""))])


def zip_of(context: ViewContext, results: Sequence[PairResult], pair: str) -> Make:
    """Return what makes the ZIP of a language pair, or of all if none is named."""
    stem = context.file_name("everything" if pair else "all-pairs", "zip")
    made = (context.campaign, context.label, results, context.ranker, context.certainty)
    command = files_command(
        files_of(context),
        stem,
        pair,
        context.label,
        context.ranker,
        certainty=context.certainty,
        selection=context.selection,
    )
    return lambda: zipped(campaign_files(*made, context.selection, command))
