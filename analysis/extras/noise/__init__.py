"""Noisy judges: which methods stay close to the gold standard when judges answer at random."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    hooks={"claims": "analysis.extras.noise.claims"},
    commands=(
        Command(
            "research noise",
            "how close methods stay to the gold standard if judges answer at random",
            "analysis.extras.noise.command",
            "Research",
            ("research noise sample:wmt14-cs-en", "research noise votes.csv --shares 0,0.2"),
        ),
        Command("noise", "research noise", "analysis.extras.noise.command", now="research noise"),
    ),
)
