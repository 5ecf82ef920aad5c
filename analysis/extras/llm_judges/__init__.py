"""LLM judges next to human judges: their agreement, and what their votes are worth.

`beside` lines up an LLM judge's votes with people's, `agreement` measures them on the same items,
`prediction_powered` makes standings from few human and many LLM votes, and `random_share` says
whether that is allowed."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "llm-judges",
            "agreement of LLM judges with human judges, and a ranking from few human votes",
            "analysis.extras.llm_judges.command",
            "Extras",
            (
                "llm-judges sample:arena-people",
                "llm-judges votes.csv --judge gpt=gpt.csv --labels 900",
            ),
        ),
        Command("machine", "llm-judges", "analysis.extras.llm_judges.command", now="llm-judges"),
    ),
    hooks={
        "same-items": "analysis.extras.llm_judges.same_items",
        "report": "analysis.extras.llm_judges.reported",
    },
)
