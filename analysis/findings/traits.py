"""What judge-aware Bradley–Terry says of judges, in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis.wording import count, fixed, listed

MOST_NAMED = 6

WEAK = 0.3
"""Sensitivity under which a judge's answers tell less than a third of the average judge's."""

SENSITIVITY = (
    "How much the distance of two systems decides the judge's answer, by judge-aware "
    "Bradley–Terry and all comparisons: 1 is the average judge, 0 a toss of a coin, below 0 the "
    "ranks are upside down. It has a scale of its own and is no sensitivity of the graded response "
    "model."
)
SIDE = (
    "The chance that the judge prefers the output displayed first, of two that are equally good "
    "and not tied."
)
SHRINKAGE = (
    "The share of the sensitivity that comes from what judges are usually like, not from this "
    "judge's answers: 100% of a judge who has judged nothing."
)


def traits_title(traits: pd.DataFrame) -> str:
    """Say how far they reach: "Judges' sensitivity ranges from 0.28 to 1.72; 1 is the average"."""
    if len(traits) == 1:
        return "There is one judge only, who is the average judge"
    low, high = (fixed(float(end)) for end in traits["sensitivity"].quantile([0, 1]))
    return f"Judges' sensitivity ranges from {low} to {high}; 1 is the average"


def one_sided(traits: pd.DataFrame) -> pd.DataFrame:
    """Return the judges whose interval of the side bias leaves out 50%, the farthest first."""
    off = (traits["prefers_first_low"] > 0.5) | (traits["prefers_first_high"] < 0.5)
    return traits[off].sort_values(
        "prefers_first", key=lambda share: -(share - 0.5).abs(), kind="stable"
    )


def records(traits: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the judges one by one."""
    names = [str(column) for column in traits.columns]
    return [dict(zip(names, row, strict=True)) for row in traits.itertuples(index=False)]


def traits_sentences(traits: pd.DataFrame) -> list[str]:
    """Say whose answers tell little, and who prefers a side."""
    said = []
    weak = traits[traits["sensitivity"] < WEAK].sort_values("sensitivity", kind="stable")
    if len(weak):
        named = [f"{row['judge']} ({fixed(row['sensitivity'])})" for row in records(weak)]
        said.append(
            f"{count(len(weak), 'judge')} with a sensitivity below {WEAK:g}, whose answers move "
            f"the scores little: {listed(named, MOST_NAMED)}."
        )
    off = one_sided(traits)
    if len(off):
        named = [f"{row['judge']} ({row['prefers_first']:.0%})" for row in records(off)]
        said.append(
            f"Of {count(len(traits), 'judge')}, {len(off)} prefer one side of the display at 95%, "
            f"each looked at alone, where {0.05 * len(traits):.1f} would by chance: "
            f"{listed(named, MOST_NAMED)} (the chance of preferring the output shown first)."
        )
    else:
        said.append("No judge prefers one side of the display at 95%.")
    return said


def shrinkage_words(traits: pd.DataFrame) -> str:
    """Say how far judges are drawn together."""
    low, high = traits["shrinkage"].min(), traits["shrinkage"].max()
    return (
        "By judge-aware Bradley–Terry, from all comparisons. Every judge is drawn toward the usual "
        "one, who has sensitivity 1 and no side, the more, the fewer judgments there are: "
        f"{low:.0%} to {high:.0%} of a sensitivity here is what judges are usually like. Intervals "
        "are at 95%, by the model."
    )
