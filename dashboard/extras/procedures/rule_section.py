"""The switch between Podium's ranking of scores and the official one of a year's campaign."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.escaping import as_markdown
from analysis.extras.procedures.findings import beside_own, measured_note, official_finding
from analysis.extras.procedures.procedure import Procedure, ProcedureResult, official_pairs
from analysis.extras.procedures.registry import MQM, PROCEDURES, WMT21_DA, WMT22_APPRAISE, WMT24_ESA
from analysis.languages import language_pair, names_two_languages
from analysis.presets import DEFAULT_PRESET, PRESETS
from analysis.reporting.csv_table import to_csv
from analysis.wording import count, fixed
from dashboard import compute
from dashboard.compute.contexts import with_pair
from dashboard.extras.procedures.figures import official_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.notices import show_notices
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import (
    File,
    file_downloads,
    headline,
    note,
    result_card,
    show_frame,
    show_sentences,
)

RECOMMENDED = PRESETS[DEFAULT_PRESET].title
TITLES = {procedure.title: procedure for procedure in PROCEDURES.values()}
USUAL = {
    "ESA score": WMT24_ESA,
    "DA+SQM score": WMT22_APPRAISE,
    "direct assessment": WMT21_DA,
    "MQM score": MQM,
}
"""Whose rules rank scores on such a scale."""
YEAR = "official"
"""The key of the year's name, also in links."""
ALONE = "They test each pair alone and treat its segments as independent."
ELSEWHERE = f"All other pages show the ranking by {RECOMMENDED}."


def show(context: ViewContext, head: DeltaGenerator) -> bool:
    """Offer an official ranking of the scores; return whether it is shown instead of Podium's."""
    usual = usual_procedure(context)
    procedure = chosen_procedure(context)
    if procedure is None:
        if usual is not None:
            note(f"{official_finding(_ranked(context, usual), context.name)} {ALONE}")
        return False
    show_notices(context)
    result = _ranked(context, procedure)
    with head.container():
        finding = official_finding(result, context.name)
        headline(context, "Result", finding.rstrip("."), of_method=False)
    own = compute.ranking(context)
    figure = compute.drawn(
        context, official_figure, result, own=own.verdict, own_title=context.ranker.title
    )
    result_card(
        context,
        f"official-{procedure.name}",
        figure=figure,
        frame=result.to_frame().drop(columns=["score", "se"]),
        columns=_columns(),
        formats=dict.fromkeys(("mean", "z"), partial(fixed, decimals=3)),
        made_by=result.signature,
        caption=context.caption(procedure.title, of_method=False),
        words=f"{procedure.sentence} {beside_own(result, own.verdict)}",
    )
    rule = (procedure.asserts, measured_note(procedure), procedure.note, *result.notes)
    note(ELSEWHERE)
    with st.expander("Meaning of a win, and checks of these rules"):
        show_sentences([sentence for sentence in rule if sentence])
    return True


def show_pairs(context: ViewContext, head: DeltaGenerator) -> bool:
    """Offer official rankings of all language pairs; return whether they are shown."""
    procedure = chosen_procedure(context)
    if procedure is None:
        return False
    pairs = context.campaign.pairs
    views = {pair: with_pair(context, pair) for pair in pairs}
    results = {pair: _ranked(view, procedure) for pair, view in views.items()}
    n = sum(result.n_clusters for result in results.values())
    of = f"{count(len(pairs), 'language pair')} have {count(n, 'cluster')}"
    sentence = f"By the rules of {_campaign(procedure)}, {of}"
    with head.container():
        headline(context, "All language pairs", sentence, of_pair=False, of_method=False)
    frame = official_pairs(results)
    formats = dict.fromkeys(("mean", "z"), partial(fixed, decimals=3))
    named = frame.assign(
        lang_pair=frame["lang_pair"].map(language_pair),
        system=[
            views[pair].name(system)
            for pair, system in zip(frame["lang_pair"], frame["system"], strict=True)
        ],
    )
    pair = st.column_config.TextColumn("Language pair")
    show_frame(
        named.style.format(dict[str, Any](formats), na_rep=""),
        {"lang_pair": pair, **_columns()},
        height="content",
    )
    note(f"{procedure.sentence} {procedure.asserts}")
    signature = " & ".join(result.signature for result in results.values())
    csv: File = ("CSV", "csv", "text/csv", lambda: to_csv(frame, signature))
    file_downloads(f"{context.stem}-{procedure.name}-all-pairs", [csv], of_view=False)
    return True


def _campaign(procedure: Procedure) -> str:
    return procedure.title.partition(",")[0]


def usual_procedure(context: ViewContext) -> Procedure | None:
    """Return whose rules rank such scores; None where no campaign had any like them."""
    scores = context.judgments.scores
    return None if scores is None else USUAL.get(scores.scale.name)


def chosen_procedure(context: ViewContext) -> Procedure | None:
    """Ask for Podium's ranking or an official one; None for Podium's."""
    usual = usual_procedure(context)
    is_translation = usual is not None or names_two_languages(context.pair)
    if context.judgments.scores is None or not (is_translation or YEAR in st.query_params):
        return None
    title = "WMT procedure" if usual is None else f"{_campaign(usual)} procedure"
    usually = title if YEAR in st.query_params else RECOMMENDED
    chosen = choose(
        "Rule", (RECOMMENDED, title), "rule.scores", default=usually, label_visibility="collapsed"
    )  # fmt: skip
    return None if chosen == RECOMMENDED else _choose(usual or next(iter(PROCEDURES.values())))


def _ranked(context: ViewContext, procedure: Procedure) -> ProcedureResult:
    seed = context.certainty.seed
    ranked: ProcedureResult = compute.remember_in_turn(
        context,
        ("official", procedure.name, seed),
        lambda: procedure.rank(context.judgments, seed),
    )
    return ranked


def _choose(usual: Procedure) -> Procedure:
    """Ask whose rules rank the scores; at first, those of the campaign that had such a scale."""
    explained = (
        f"**{as_markdown(title)}**: {as_markdown(procedure.sentence)} "
        f"{as_markdown(measured_note(procedure))}"
        for title, procedure in TITLES.items()
    )
    titles = list(TITLES)
    chosen = st.selectbox(
        "Official procedure",
        titles,
        index=titles.index(usual.title),
        key=YEAR,
        bind="query-params",
        help="\n\n".join(explained),
    )
    return TITLES[chosen]


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "system": column.TextColumn("System", width=280),
        "mean": column.NumberColumn("Mean", help="In the file's own units"),
        "z": column.NumberColumn("Mean z", help="In standard deviations of a judge's scores"),
        "wins": column.NumberColumn("Wins", help="Systems that this one beats by the rules"),
        "rank_best": column.NumberColumn("Rank range from"),
        "rank_worst": column.NumberColumn("to"),
        "cluster": column.NumberColumn("Cluster", width="small"),
    }
