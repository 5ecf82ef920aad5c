"""κ of the judges in words and among published ones, by language pair and by other measures."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.campaign import Identical
from analysis.judges.history import (
    agreement_frame,
    coefficients_frame,
    compare_with_history,
    explain_copies,
    explain_identical,
    explain_intervals,
    explain_published,
    published_kappas,
)
from analysis.judges.history import headline as finding
from analysis.languages import language_pair
from analysis.provenance import Provenance
from analysis.wording import EN_DASH, thousands
from dashboard import compute
from dashboard.figures.scenes import kappa_figure
from dashboard.session.view import ViewContext
from dashboard.tables.judgments import measure_columns, pair_columns
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, headline, note, result_card, show_frame

KAPPA = """
Two judges of the same two outputs either agree (better, worse or tied) or do not. Some agreement
would occur even if all judges guessed. Kappa, κ, removes it: κ is the share of the possible
agreement beyond chance that the judges reached. **0** is guessing, **1** is perfect. Landis and
Koch (1977) call κ up to 0.2 slight, 0.4 fair, 0.6 moderate, 0.8 substantial, above almost perfect.

This is the κ of WMT: guessing judges are assumed to tie as often as all judges did, and to prefer
either output equally. Cohen's κ uses each judge's own answers; the two are not comparable.

*Strict*, shown first, compares different judges only and treats “A vs. B” and “B vs. A” as one
question. Agreement of judges with themselves leaves out exact copies of tasks of four outputs or
more, since they only look like repeated answers. *The WMT way* is comparable with the numbers of
the WMT papers.
Outputs that are identical across systems count once, as in the tables of WMT16.
The thick line shows the uncertainty of κ for new segments and *these judges*; the thin line
includes new judges.
"""

OTHER_MEASURES = (
    "Agreement between different judges, by the first answer of each. “From” and “to” are the "
    "ends of the {level} interval for these judges, over resampled segments; “new judges” those "
    "for new judges as well, which needs three judges. “Items” are the pairs of outputs that two "
    "or more judges judged. Nominal treats worse, tied and better as three words without an "
    "order; ordinal and interval treat a tie as the middle of the other two."
)


def choose_identical(context: ViewContext) -> Identical:
    """Return how identical outputs count here; a choice where the file names any."""
    if compute.agreement_of_judges(context).identical is None:
        return "collapsed"
    as_ties = st.toggle(
        "Identical outputs as ties",
        key="agreement.ties",
        bind="query-params",
        help=(
            "Treats every system separately (expanded): systems with identical outputs tie, all "
            "judges agree on these ties, and κ usually rises. This applies to this page only."
        ),
    )
    return "expanded" if as_ties else "collapsed"


def show_finding(context: ViewContext, identical: Identical) -> None:
    """Show kappa in words and among published ones."""
    found = compute.agreement_of_judges(context, identical)
    if context.judgments.scores is None:
        headline(context, "Agreement", finding(found), of_method=False)
    else:
        st.markdown(f"{finding(found)}.")
    note(explain_copies(found))
    history = published_kappas(context.pair)
    result_card(
        context,
        "agreement",
        figure=compute.drawn(
            context, kappa_figure, found, history, title=compare_with_history(found, history)
        ),
        words=" ".join(
            (
                explain_intervals(found),
                explain_identical(found),
                explain_published(found) if history else "",
            )
        ),
        made_by=str(
            compute.judged_pairs(context, identical).provenance
            | Provenance(
                "agreement",
                "strict",
                unit="segment",
                runs=found.runs,
                seed=found.seed,
                level=found.level,
            )
        ),
    )


def show_pairs(context: ViewContext, identical: Identical, bar: Any) -> None:
    pairs = context.campaign.pairs
    progress = progress_in(bar, "Agreement", unit="language pairs")
    rows = []
    for done, pair in enumerate(pairs, start=1):
        view = context if pair == context.pair else compute.with_pair(context, pair)
        rows.append((language_pair(pair), compute.agreement_of_judges(view, identical)))
        progress(done, len(pairs))
    bar.empty()
    frame = agreement_frame(rows)
    show_table(frame, pair_columns(), "comparable")
    downloads("agreement-by-pair", frame)


def show_other_measures(context: ViewContext, identical: Identical) -> None:
    """Show what other fields print of agreement."""
    found = compute.other_coefficients(context, identical)
    frame = coefficients_frame(found)
    show_table(frame, measure_columns(), "n")
    note(OTHER_MEASURES.format(level=f"{found.level:.0%}"))
    drawn = Provenance(
        "agreement", unit="segment", runs=found.runs, seed=found.seed, level=found.level
    )
    made_by = str(compute.judged_pairs(context, identical).provenance | drawn)
    downloads("agreement-other-measures", frame, made_by=made_by)


def show_table(frame: pd.DataFrame, columns: dict[str, Any], *whole: str) -> None:
    """Show a table, thin spaces in its ``whole`` numbers and a dash where nothing is known."""
    numbers = dict[str, Any](dict.fromkeys(whole, thousands))
    shown = frame.style.format(numbers, na_rep=EN_DASH)
    show_frame(shown, columns, placeholder=EN_DASH)
