"""Check a claim: two systems, a verdict, the evidence, and what would decide it."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from analysis.comparing.claim import MORE, Claim
from analysis.comparing.stability import Stability, Statement
from analysis.escaping import as_markdown
from analysis.findings.claim import answer_words, claim_from, evidence, needed_sentences
from analysis.findings.standings import ranks_ratings
from dashboard import compute
from dashboard.compute.results import fewest_of
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import downloads, note, show_sentences, signature
from dashboard.widgets.two_systems import pick_two_systems

PAIR = "claim"


def show_claim(context: ViewContext, stable: Stability) -> None:
    """Ask for two systems and say whether the first is better."""
    verdict = stable.base
    ranked = [verdict.systems[k] for k in verdict.order if verdict.rank_best[k] > 0]
    better, worse = pick_two_systems(context, PAIR, ranked)
    judgments, method = context.judgments, context.ranker.name
    claim = claim_from(judgments, method, verdict, better, worse)
    st.markdown(f"**{as_markdown(answer_words(claim, context.name))}**")
    drops = None
    if not ranks_ratings(judgments, method):
        first, second = (better, worse) if claim.difference >= 0 else (worse, better)
        drops = fewest_of(context, first, second, "drop")
    show_sentences(
        evidence(
            claim,
            judgments,
            context.ranker.score_label,
            stable.of_others(Statement((better,), (worse,))),
            drops,
            context.name,
            compute.standings(context),
        )
    )
    if claim.needed:
        note("Needed to settle it, if the difference stays the same:")
        show_sentences(needed_sentences(claim, judgments, method))
    signature(verdict.signature)
    downloads("claim", _frame(claim), made_by=verdict.signature)


def _frame(claim: Claim) -> pd.DataFrame:
    """Return the verdict and its numbers in one row; what no number decides is empty."""
    row: dict[str, object] = {
        "better": claim.better,
        "worse": claim.worse,
        "verdict": claim.answer,
        "difference": claim.difference,
        "low": claim.low,
        "high": claim.high,
        "p": claim.p,
        "p_adjusted": claim.p_adjusted,
    }
    known = {needed.more: needed for needed in claim.needed}
    for more in MORE:
        alone = known[more].alone if more in known else math.inf
        row[f"needed_{more}"] = None if math.isinf(alone) else int(alone)
    return pd.DataFrame([row])
