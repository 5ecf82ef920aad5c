"""Table of a view's settings."""

from __future__ import annotations

import pandas as pd

from analysis.findings.certainty import certainty_words
from analysis.parameters import format_value
from dashboard.session.view import ViewContext
from dashboard.typography import EN_DASH, count, thousands


def settings_in_words(context: ViewContext) -> pd.DataFrame:
    """Return every choice of the view in words."""
    chosen, selection = context.certainty, context.selection
    rows = [
        ("Campaign", context.label),
        ("Language pair", context.pair_title),
        ("Method", context.ranker.title),
    ]
    rows += [
        (name.replace("_", " ").capitalize(), format_value(value) or "automatic")
        for name, value in context.ranker.settings().items()
    ]
    rows += [
        ("Scope and resampling", certainty_words(chosen)),
        ("Runs", thousands(chosen.runs)),
        ("Seed", str(chosen.seed)),
        ("Identical outputs", selection.identical),
        ("References", "ranked too" if selection.references else "left out"),
    ]
    if selection.exclude_systems:
        rows.append(("Systems left out", ", ".join(selection.exclude_systems)))
    if selection.judges:
        rows.append(("Only judges", ", ".join(selection.judges)))
    if selection.exclude_judges:
        rows.append(("Judges left out", ", ".join(selection.exclude_judges)))
    if selection.segments is not None:
        rows.append(("Segments", f"{selection.segments[0]}{EN_DASH}{selection.segments[1]}"))
    rows.append(("Judgments used", count(len(context.judgments), "judgment")))
    return pd.DataFrame(rows, columns=["setting", "value"])
