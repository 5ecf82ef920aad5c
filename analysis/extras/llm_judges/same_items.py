"""What files of votes on the same items are, if one of them has the votes of people."""

from __future__ import annotations

from analysis.errors import control


def other_votes() -> str:
    """Say how to compare LLM judges with people, for the front end at hand."""
    return control(
        "To compare LLM judges with humans, use podium llm-judges HUMAN --judge NAME=FILE.",
        "Choose the human votes; the other files are then compared with them as LLM judges.",
        "To compare LLM judges with humans, use analysis.extras.llm_judges.agreement_beside.",
    )
