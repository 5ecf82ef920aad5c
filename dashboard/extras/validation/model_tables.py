"""Tables of models and of simulated studies: intervals in words on screen, numbers for export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from analysis.errors import PodiumError
from analysis.extras.validation.prediction.findings import GUESSING
from analysis.extras.validation.prediction.paired import Estimate, PairedComparison, accuracy_table
from analysis.languages import language_pair
from analysis.published import wmt14_accuracy
from analysis.wording import EN_DASH, thousands

TERMS = {
    "Accuracy": (
        "Share of unseen judgments whose outcome (win, tie or loss) a method predicted "
        "correctly. It predicts a tie for two systems closer than a radius; by default each fold "
        "chooses its own from its training judgments."
    ),
    "Perplexity": (
        "Uncertainty of a method's predictions: as if it guessed among this many equally likely "
        "outcomes. Lower is better. Guessing among win, tie and loss has 3."
    ),
    "Oracle": (
        "Accuracy of predicting each pair's most frequent outcome in the test set itself. Judges "
        "disagree, so no method that knows only the two systems can do better."
    ),
}
PRINTED = {"expected-wins": "EW", "hopkins-may": "HM", "trueskill": "TS", "oracle": "oracle"}
"""Columns of WMT14's Table 7 by the names of our methods."""


def printed_accuracies(pair: str) -> Mapping[str, float]:
    """Return what WMT14 printed for a pair, by our names; nothing where it printed nothing."""
    try:
        printed = wmt14_accuracy(pair)
    except PodiumError:
        return {}
    return {ours: float(printed[theirs]) for ours, theirs in PRINTED.items()}


def comparison_table(comparison: PairedComparison) -> pd.DataFrame:
    """Return all numbers of a comparison, best accuracy first and the oracle last, for export."""
    best = comparison.standings[0].score.method
    frame = comparison.to_frame()
    others = {
        s.score.method: comparison.difference(s.score.method, best).accuracy
        for s in comparison.standings[1:]
    }
    for end, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
        numbers = {method: getattr(e, end) for method, e in others.items()}
        frame[f"to_best{suffix}"] = frame["method"].map({best: 0.0, **numbers})
    return frame


def comparison_screen(comparison: PairedComparison, printed: Mapping[str, float]) -> pd.DataFrame:
    """Return the table as it is read: intervals in words, guessing and the oracle as references."""
    best = comparison.standings[0].score.method
    rows: list[dict[str, Any]] = []
    for s in comparison.standings:
        to_best = None
        if s.score.method != best:
            to_best = comparison.difference(s.score.method, best).accuracy
        rows.append(
            {
                "method": s.score.shown,
                "accuracy": 100 * s.accuracy.value,
                "accuracy_interval": _percents(s.accuracy),
                "to_best": 100 * to_best.value if to_best else None,
                "to_best_interval": _points(to_best) if to_best else "",
                "perplexity": s.perplexity.value,
                "perplexity_interval": f"{s.perplexity.low:.2f}{EN_DASH}{s.perplexity.high:.2f}",
                "printed": 100 * printed[s.score.method] if s.score.method in printed else None,
            }
        )
    if "uniform" not in {s.score.method for s in comparison.standings}:
        rows.append(
            {"method": "Guessing (Uniform)", "accuracy": 100 / GUESSING, "perplexity": GUESSING}
        )
    oracle = {"method": "Oracle", "accuracy": 100 * comparison.oracle}
    if "oracle" in printed:
        oracle["printed"] = 100 * printed["oracle"]
    frame = pd.DataFrame([*rows, oracle])
    text = ["accuracy_interval", "to_best_interval", "perplexity_interval"]
    frame[text] = frame[text].fillna("")
    return frame if printed else frame.drop(columns="printed")


def comparison_columns(level: float) -> dict[str, Any]:
    """Return how the columns of `comparison_screen` are shown."""
    column = st.column_config
    interval = f"{level:.0%} interval"
    doubt = "It generalizes to new segments and judges, with the same training judgments."
    return {
        "method": column.TextColumn("Method", width=190, help=TERMS["Oracle"], pinned=True),
        "accuracy": column.NumberColumn("Accuracy", format="%.1f%%", help=TERMS["Accuracy"]),
        "accuracy_interval": column.TextColumn(interval, help=doubt),
        "to_best": column.Column(
            "Minus the best",
            help="Accuracy minus that of the first method, in percentage points.",
        ),
        "to_best_interval": column.TextColumn(
            f"{interval} of the difference",
            help=(
                "All methods predict the same judgments, so their difference has a smaller error "
                "than either accuracy. The interval is widened because folds share training "
                "judgments. It is for one comparison; the shades and the headline test all of "
                "them together."
            ),
        ),
        "perplexity": column.NumberColumn("Perplexity", format="%.2f", help=TERMS["Perplexity"]),
        "perplexity_interval": column.TextColumn(interval, help=doubt),
        "printed": column.NumberColumn(
            "WMT14",
            format="%.1f%%",
            help=(
                "Accuracy in Table 7 of Bojar et al. 2014, from the real judgments. This sample "
                "is simulated: the published oracle determined its share of ties, other tables "
                "the rest."
            ),
        ),
    }


def pairs_table(
    comparisons: Mapping[str, PairedComparison], *, with_printed: bool
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return accuracies in percent, pairs in rows, methods in columns and the oracle last.

    With what WMT14 printed come its columns, and which of ours each stands beside.
    """
    names = {pair: language_pair(pair) for pair in comparisons}
    table = accuracy_table({names[pair]: c for pair, c in comparisons.items()})
    table = table.rename(index={"MEAN": "Mean"})
    ours = list(table.columns)
    shown = {s.score.method: s.score.shown for c in comparisons.values() for s in c.standings}
    beside: dict[str, str] = {}
    if with_printed:
        printed = pd.DataFrame({names[pair]: printed_accuracies(pair) for pair in comparisons}).T
        printed.loc["Mean"] = printed.mean()
        for method in (m for m in ours if m in PRINTED):
            beside[method] = f"{PRINTED[method]}, published"
            table[beside[method]] = 100 * printed[method]
    shown["oracle"] = "Oracle"
    beside = {shown[method]: column for method, column in beside.items()}
    return table.rename(columns=shown).rename_axis("pair").reset_index(), beside


def pairs_columns(table: pd.DataFrame) -> dict[str, Any]:
    """Return how the columns of `pairs_table` are shown."""
    column = st.column_config
    return {
        name: column.TextColumn("Language pair", width=170, pinned=True)
        if name == "pair"
        else column.NumberColumn(name, format="%.1f")
        for name in table.columns
    }


def _percents(share: Estimate) -> str:
    return f"{100 * share.low:.1f}{EN_DASH}{100 * share.high:.1f}%"


def _points(share: Estimate) -> str:
    """Write an interval in percentage points, so that an end beside zero keeps its side.

    Methods that name the same outcomes show no difference, which is no proof that there is none.

    >>> _points(Estimate(0, -0.0113, 0.0)), _points(Estimate(0, -0.0035, -0.00004))
    ('−1.13 to 0', '−0.35 to −0.004')
    >>> _points(Estimate(0.0, 0.0, 0.0))
    'same outcomes'
    """
    if share.low == share.high == 0:
        return "same outcomes"
    low, high = (_signed(round(100 * end, 4)) for end in (share.low, share.high))
    return f"{low} to {high}".replace("-", "−")


def to_best_words(points: float) -> str:
    """Write a difference in percentage points, with a minus sign.

    >>> to_best_words(-0.125), to_best_words(-0.001)
    ('−0.12', '0.00')
    """
    return f"{points + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "−")


def _signed(points: float) -> str:
    if points == 0:
        return "0"
    return f"{points:+.2f}" if abs(points) >= 0.005 else f"{points:+.1g}"


_SHARES = (
    "error",
    "standard_error",
    "violations",
    "violations_error",
    "cluster_violations",
    "observed",
    "simulated",
    "share",
)
FORMATS: dict[str, Callable[[float], str]] = {
    "judgments": lambda n: thousands(int(n)),
    "needed": lambda n: thousands(round(n)) if n == n else "more than 1,000,000",
    **dict.fromkeys(("size", "clusters"), "{:.2f}".format),
    **dict.fromkeys(_SHARES, "{:.1%}".format),
}
"""How the columns of a study are written on the page."""


def errors_columns() -> dict[str, Any]:
    """Return how the columns of a study of ranking errors are shown."""
    return {
        "method": "Method",
        "judgments": "Judgments",
        "error": _share("Wrong order", "Share of the system pairs in the wrong order"),
        "standard_error": _share("Standard error"),
    }


def ranges_columns() -> dict[str, Any]:
    """Return how the columns of a study of rank ranges are shown."""
    return {
        "method": "Ranges by",
        "judgments": "Judgments",
        "size": "Ranks in a range",
        "violations": _share("Missed ranks", "True ranks outside the range"),
        "clusters": "Clusters",
        "cluster_violations": _share("Missed clusters", "Systems whose cluster is violated"),
        "violations_error": _share("Standard error", "Of the missed ranks"),
    }


def needed_columns() -> dict[str, Any]:
    """Return how the columns of a study of the judgments needed are shown."""
    return {
        "n": "Systems",
        "sd": "Spread",
        "share": _share("Pairs that differ significantly"),
        "needed": "Judgments needed",
    }


def spread_columns() -> dict[str, Any]:
    """Return how the columns of a fitted spread are shown."""
    return {
        "judgments": "Judgments",
        "observed": _share("Separated here"),
        "simulated": _share("Separated in the best simulation"),
    }


def _share(title: str, words: str | None = None) -> Any:
    return st.column_config.NumberColumn(title, help=words)
