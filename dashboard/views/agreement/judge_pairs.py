"""The agreement of every two judges."""

from __future__ import annotations

import pandas as pd

from analysis.judges.history import kappas_by_judge
from analysis.judges.kappa import ENOUGH
from analysis.provenance import Provenance
from analysis.wording import count
from dashboard import compute
from dashboard.figures.scenes import judge_heatmap
from dashboard.session.view import ViewContext
from dashboard.tables.judgments import judge_columns
from dashboard.views.agreement.kappa import show_table
from dashboard.widgets.result_card import downloads, note, result_card


def show_judge_pairs(context: ViewContext) -> None:
    """Show the κ of every two judges, then of each with all others."""
    agreed = compute.pairs_of_judges(context).connected()
    n_known = agreed.n_known
    if n_known:
        result_card(
            context,
            "agreement-of-judges",
            figure=judge_heatmap(
                agreed,
                title=f"{count(n_known, 'pair')} of judges can be compared",
                mode=context.mode,
            ),
            words=f"The busiest judges come first. Gray: fewer than {ENOUGH} comparable pairs of "
            "answers. Diagonal: each judge with themselves.",
            made_by=str(Provenance(pair=context.pair, data=context.campaign.fingerprint)),
        )
    else:
        note(f"No two judges gave {ENOUGH} or more answers to the same questions.")
    frame: pd.DataFrame = kappas_by_judge(compute.judge_by_judge(context))
    show_table(
        frame,
        judge_columns(compute.judged_pairs(context)),
        "judgments",
        "others_compared",
        "oneself_compared",
    )
    downloads("agreement-by-judge", frame)
