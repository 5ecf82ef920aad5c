"""Where votes of LLM judges go that were read together with people's votes on the same items."""

from __future__ import annotations

from analysis.errors import control


def other_votes() -> str:
    """Say how to compare votes of LLM judges with those of people, for the front end at hand."""
    where = control(
        "podium llm-judges HUMAN --judge NAME=FILE",
        "“Votes of LLM judges” on Data",
        "analysis.extras.llm_judges.agreement_beside",
    )
    return f"Votes of LLM judges are compared with them by {where}."
